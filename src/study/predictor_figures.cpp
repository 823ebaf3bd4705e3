#include "study/predictor_figures.h"

#include <fmt/core.h>

#include <string>
#include <string_view>

#include "elasticity/ablation.h"
#include "elasticity/indexed_groups.h"
#include "elasticity/signal.h"

namespace wattflex::study {
namespace {

constexpr std::string_view kMetric = "dram_copy_product";
constexpr int kDropped = 5;

void add_score(std::vector<Figure>& figures, const std::string& subject, const stats::FitScores& score,
               std::string_view how) {
  figures.push_back({"3", subject, fmt::format("R2, {}", how), score.r_squared});
  figures.push_back({"3", subject, fmt::format("RMSE, {}", how), score.rmse});
  if (score.rho) figures.push_back({"3", subject, fmt::format("rho, {}", how), *score.rho});
}

void add_row(std::vector<Figure>& figures, const elasticity::AblationRow& row) {
  if (!row.scores) return;
  figures.push_back({"3", row.predictors, "R2", row.scores->in_sample.r_squared});
  if (row.scores->leave_one_out)
    add_score(figures, row.predictors, *row.scores->leave_one_out, "leave one out");
  if (row.scores->leave_one_cluster_out) {
    add_score(figures, row.predictors, *row.scores->leave_one_cluster_out, "leave one cluster out");
  }
}

void add_rho(std::vector<Figure>& figures, std::string table, std::string subject,
             const elasticity::Association& association) {
  if (!association.correlation) return;
  figures.push_back({std::move(table), std::move(subject), "Spearman rho", association.correlation->rho});
}

}  // namespace

Result<std::vector<Figure>> predictor_figures(const SweepTable& headline) {
  std::vector<Figure> figures;
  const auto ablation = elasticity::ablate(headline, elasticity::Target::published);
  if (!ablation) return std::unexpected(ablation.error());
  for (const elasticity::AblationRow& row : ablation->rows) add_row(figures, row);

  const auto indexed = elasticity::index_groups(headline, elasticity::Target::published);
  if (!indexed) return std::unexpected(indexed.error());
  const auto steps = elasticity::drop_by_leverage(headline.telemetry_columns, *indexed, kMetric, kDropped);
  if (!steps) return std::unexpected(steps.error());
  for (std::size_t dropped = 0; dropped < steps->size(); ++dropped) {
    add_rho(figures, "12", fmt::format("{} of highest leverage dropped", dropped),
            (*steps)[dropped].association);
  }
  for (const auto& subgroup :
       elasticity::correlate_subgroups(headline.telemetry_columns, *indexed, kMetric)) {
    add_rho(figures, "13", subgroup.name, subgroup.association);
  }
  return figures;
}

}  // namespace wattflex::study
