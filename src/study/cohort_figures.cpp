#include "study/cohort_figures.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "elasticity/flexibility.h"
#include "stats/correlation.h"
#include "stats/descriptive.h"
#include "stats/rank_tests.h"
#include "study/published_tables.h"

namespace wattflex::study {
namespace {

// The three classes that the paper compares, in its order.
constexpr std::array<std::string_view, 3> kClasses = {"dense", "MoE PT", "MoE FT"};

std::size_t class_of(const IndexedGroup& group) {
  if (group.architecture == Architecture::dense) return 0;
  return group.task == Task::pretraining ? 1 : 2;
}

// "dense-pt Qwen3-32B", the start of every group's name.
std::string stem(Architecture architecture, Task task, std::string_view model) {
  return fmt::format("{}-{} {}", to_string(architecture), task == Task::pretraining ? "pt" : "ft", model);
}

std::string full_name(const std::string& stem, int gpus, std::string_view options) {
  return fmt::format("{} x{}{}{}", stem, gpus, options.empty() ? "" : " ", options);
}

std::string name_of(const PublishedGroup& group) {
  return full_name(stem(group.architecture, group.task, group.model), group.gpus, group.options);
}

std::string name_of(const PublishedBoardPair& pair) {
  return full_name(stem(pair.architecture, pair.task, pair.model), 8, pair.options);
}

std::string name_of(const PublishedGridPair& pair) {
  return full_name(stem(pair.architecture, pair.task, pair.model), 8, pair.options);
}

bool on_four_cap_grid(const SweepPoint& point) {
  constexpr std::array kCapsW = {200.0, 500.0, 600.0, 700.0};
  return std::ranges::find(kCapsW, point.cap.watts()) != kCapsW.end();
}

// Looks indices up by board and group name; remembers the first that is missing.
class IndexLookup {
 public:
  explicit IndexLookup(const SweepTable& table) : table_(table) {}

  double pfi(std::string_view accelerator, const std::string& group) {
    return index(find(accelerator, group));
  }

  double four_cap_pfi(const std::string& group) {
    const SweepGroup* const found = find("H200", group);
    if (found == nullptr) return 0;
    SweepGroup reduced = *found;
    std::erase_if(reduced.points, [](const SweepPoint& point) { return !on_four_cap_grid(point); });
    return index(&reduced);
  }

  const std::optional<Error>& error() const { return error_; }

 private:
  const SweepGroup* find(std::string_view accelerator, const std::string& group) {
    const auto found = std::ranges::find_if(table_.groups, [&](const SweepGroup& candidate) {
      return candidate.id.group == group && candidate.id.accelerator == accelerator;
    });
    if (found != table_.groups.end()) return &*found;
    report(fmt::format("the table has no group '{}' on {}", group, accelerator));
    return nullptr;
  }

  double index(const SweepGroup* group) {
    if (group == nullptr) return 0;
    const auto flexibility = elasticity::measure_flexibility(*group, {.resamples = 0});
    if (!flexibility.published.value) {
      report(fmt::format("group '{}' has no index: {}", group->id.group, flexibility.published.reason));
    }
    return flexibility.published.value.value_or(0);
  }

  void report(std::string message) {
    if (!error_) error_ = Error{ErrorKind::refused, std::move(message), "use the simulated cohort, all sets"};
  }

  const SweepTable& table_;
  std::optional<Error> error_;
};

void add_pairs(std::vector<Figure>& figures, std::string_view table, const std::vector<IndexPair>& pairs,
               std::string_view first, std::string_view second) {
  for (const IndexPair& pair : pairs) {
    figures.push_back({std::string(table), pair.name, fmt::format("PFI, {}", first), pair.first});
    figures.push_back({std::string(table), pair.name, fmt::format("PFI, {}", second), pair.second});
  }
}

Result<double> rank_correlation(const std::vector<IndexPair>& pairs) {
  std::vector<double> first;
  std::vector<double> second;
  for (const IndexPair& pair : pairs) {
    first.push_back(pair.first);
    second.push_back(pair.second);
  }
  const auto correlation = stats::spearman(first, second);
  if (!correlation) return std::unexpected(correlation.error());
  return correlation->rho;
}

// Tables 10 and 11: medians, Kruskal-Wallis, Dunn.
Result<void> add_group_tests(std::vector<Figure>& figures, const std::vector<IndexedGroup>& groups) {
  std::vector<std::vector<double>> classes(kClasses.size());
  for (const IndexedGroup& group : groups) classes[class_of(group)].push_back(group.pfi);
  const auto kruskal = stats::kruskal_wallis(classes);
  if (!kruskal) return std::unexpected(kruskal.error());
  const auto pairs = stats::dunn(classes);
  if (!pairs) return std::unexpected(pairs.error());
  for (std::size_t c = 0; c < kClasses.size(); ++c) {
    figures.push_back({"10", std::string(kClasses[c]), "median PFI", stats::median(classes[c])});
  }
  figures.push_back({"10", "Kruskal-Wallis", "H", kruskal->h});
  figures.push_back({"10", "Kruskal-Wallis", "p", kruskal->p_value});
  for (const stats::DunnComparison& pair : *pairs) {
    const std::string subject = fmt::format("{} - {}", kClasses[pair.first], kClasses[pair.second]);
    figures.push_back({"11", subject, "Dunn z", pair.z});
    figures.push_back({"11", subject, "p", pair.p_value});
    figures.push_back({"11", subject, "p, Holm", pair.p_holm});
  }
  return {};
}

}  // namespace

IndexedCohort published_cohort() {
  IndexedCohort cohort;
  for (const PublishedGroup& group : published_h200_groups()) {
    auto& set = group.set == PublishedSet::headline ? cohort.headline : cohort.validation;
    set.push_back({name_of(group), group.architecture, group.task, group.pfi});
  }
  for (const PublishedBoardPair& pair : published_board_pairs()) {
    cohort.boards.push_back({name_of(pair), pair.pfi_h200, pair.pfi_h100});
  }
  for (const PublishedGridPair& pair : published_grid_pairs()) {
    cohort.grids.push_back({name_of(pair), pair.pfi_six_caps, pair.pfi_four_caps});
  }
  return cohort;
}

Result<IndexedCohort> indexed_cohort(const SweepTable& table) {
  IndexLookup lookup(table);
  IndexedCohort cohort = published_cohort();
  for (IndexedGroup& group : cohort.headline) group.pfi = lookup.pfi("H200", group.name);
  for (IndexedGroup& group : cohort.validation) group.pfi = lookup.pfi("H200", group.name);
  for (std::size_t i = 0; i < cohort.boards.size(); ++i) {
    const PublishedBoardPair& pair = published_board_pairs()[i];
    cohort.boards[i].first = lookup.pfi("H200", cohort.boards[i].name);
    cohort.boards[i].second =
        lookup.pfi("H100", full_name(stem(pair.architecture, pair.task, pair.model), 8, ""));
  }
  for (IndexPair& pair : cohort.grids) {
    pair.first = lookup.pfi("H200", pair.name);
    pair.second = lookup.four_cap_pfi(pair.name);
  }
  if (lookup.error()) return std::unexpected(*lookup.error());
  return cohort;
}

Result<std::vector<Figure>> index_figures(const IndexedCohort& cohort) {
  std::vector<Figure> figures;
  figures.reserve(cohort.headline.size() + cohort.validation.size());
  for (const IndexedGroup& group : cohort.headline) figures.push_back({"6", group.name, "PFI", group.pfi});
  for (const IndexedGroup& group : cohort.validation) figures.push_back({"7", group.name, "PFI", group.pfi});
  add_pairs(figures, "8", cohort.boards, "H200", "H100");
  const auto board_rho = rank_correlation(cohort.boards);
  if (!board_rho) return std::unexpected(board_rho.error());
  figures.push_back({"8", "H200 against H100", "Spearman rho", *board_rho});
  add_pairs(figures, "9", cohort.grids, "six caps", "four caps");
  const auto grid_rho = rank_correlation(cohort.grids);
  if (!grid_rho) return std::unexpected(grid_rho.error());
  figures.push_back({"9", "six against four caps", "Spearman rho", *grid_rho});
  if (const auto added = add_group_tests(figures, cohort.headline); !added)
    return std::unexpected(added.error());
  return figures;
}

}  // namespace wattflex::study
