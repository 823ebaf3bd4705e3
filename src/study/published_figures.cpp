#include "study/published_figures.h"

#include <fmt/core.h>

#include <string>
#include <string_view>

#include "study/published_tables.h"

namespace wattflex::study {
namespace {

void add_predictors(std::vector<Figure>& figures) {
  for (const PublishedPredictor& set : published_predictors()) {
    const std::string subject(set.predictors);
    figures.push_back({"3", subject, "R2", set.r2_in_sample});
    figures.push_back({"3", subject, "R2, leave one out", set.leave_one_out.r2});
    figures.push_back({"3", subject, "RMSE, leave one out", set.leave_one_out.rmse});
    figures.push_back({"3", subject, "rho, leave one out", set.leave_one_out.rho});
    figures.push_back({"3", subject, "R2, leave one cluster out", set.leave_one_cluster_out.r2});
    figures.push_back({"3", subject, "RMSE, leave one cluster out", set.leave_one_cluster_out.rmse});
    figures.push_back({"3", subject, "rho, leave one cluster out", set.leave_one_cluster_out.rho});
  }
}

void add_indices(std::vector<Figure>& figures) {
  const IndexedCohort cohort = published_cohort();
  for (const IndexedGroup& group : cohort.headline) figures.push_back({"6", group.name, "PFI", group.pfi});
  for (const IndexedGroup& group : cohort.validation) figures.push_back({"7", group.name, "PFI", group.pfi});
  for (const IndexPair& pair : cohort.boards) {
    figures.push_back({"8", pair.name, "PFI, H200", pair.first});
    figures.push_back({"8", pair.name, "PFI, H100", pair.second});
  }
  figures.push_back({"8", "H200 against H100", "Spearman rho", kPublishedBoardRho});
  for (const IndexPair& pair : cohort.grids) {
    figures.push_back({"9", pair.name, "PFI, six caps", pair.first});
    figures.push_back({"9", pair.name, "PFI, four caps", pair.second});
  }
  figures.push_back({"9", "six against four caps", "Spearman rho", kPublishedGridRho});
}

void add_group_tests(std::vector<Figure>& figures) {
  for (const PublishedMedian& median : published_medians()) {
    figures.push_back({"10", std::string(median.group), "median PFI", median.pfi});
  }
  figures.push_back({"10", "Kruskal-Wallis", "H", kPublishedKruskalWallisH});
  figures.push_back({"10", "Kruskal-Wallis", "p", kPublishedKruskalWallisP});
  for (const PublishedDunn& pair : published_dunn_tests()) {
    const std::string subject = fmt::format("{} - {}", pair.first, pair.second);
    figures.push_back({"11", subject, "Dunn z", pair.z});
    figures.push_back({"11", subject, "p", pair.p});
    figures.push_back({"11", subject, "p, Holm", pair.p_holm});
  }
}

void add_ranks(std::vector<Figure>& figures) {
  for (const PublishedRank& rank : published_rank_sensitivity()) {
    const bool dropped = rank.kind == PublishedRank::Kind::leverage_dropped;
    figures.push_back(
        {dropped ? "12" : "13",
         dropped ? fmt::format("{} of highest leverage dropped", rank.label) : std::string(rank.label),
         "Spearman rho", rank.rho});
  }
}

}  // namespace

std::vector<Figure> published_figures() {
  std::vector<Figure> figures;
  add_predictors(figures);
  add_indices(figures);
  add_group_tests(figures);
  add_ranks(figures);
  for (const std::string_view reading : {kEq2Literal, kEq2Scaled}) {
    figures.push_back({"allocation", std::string(reading), std::string(kGainQuantity),
                       kPublishedGainTokensPerSecondPerJob});
    figures.push_back({"allocation", std::string(reading), std::string(kGapQuantity), kPublishedGapShare});
  }
  return figures;
}

Result<std::vector<Figure>> recomputed_figures() {
  auto figures = index_figures(published_cohort());
  if (!figures) return figures;
  // The indices themselves are published, not recomputed.
  std::erase_if(*figures, [](const Figure& figure) { return figure.quantity.starts_with("PFI"); });
  return figures;
}

}  // namespace wattflex::study
