#include "apps/wattflex/predictor_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <nlohmann/json.hpp>

#include "apps/wattflex/arguments.h"
#include "apps/wattflex/console.h"
#include "base/counted.h"

namespace wattflex::app {

using nlohmann::ordered_json;

Result<elasticity::Target> target_from(const Arguments& arguments) {
  const auto target = elasticity::parse_target(arguments.text("target"));
  if (target) return *target;
  return fail(ErrorKind::usage, fmt::format("--target: '{}' is not an index", arguments.text("target")),
              "use pfi, guarded or pooled");
}

ordered_json scores_json(const std::optional<stats::FitScores>& scores) {
  if (!scores) return nullptr;
  return {{"r_squared", scores->r_squared},
          {"rmse", scores->rmse},
          {"rho", scores->rho ? ordered_json(*scores->rho) : ordered_json(nullptr)}};
}

ordered_json scores_json(const elasticity::PredictorScores& scores) {
  return {{"in_sample", scores_json(std::optional(scores.in_sample))},
          {"leave_one_out", scores_json(scores.leave_one_out)},
          {"leave_one_cluster_out", scores_json(scores.leave_one_cluster_out)},
          {"clusters", scores.clusters},
          {"no_clusters_reason", scores.no_clusters},
          {"underdetermined_folds", scores.underdetermined}};
}

void add_score_fields(std::vector<JsonField>& fields, const std::string& prefix) {
  static std::deque<std::string> paths;  // the fields view into it
  const auto add = [&](std::string path, std::string_view unit, std::string_view meaning) {
    paths.push_back(prefix + "scores." + std::move(path));
    fields.push_back({paths.back(), unit, meaning});
  };
  for (const std::string kind : {"in_sample", "leave_one_out", "leave_one_cluster_out"}) {
    add(kind, "", "null: not available");
    add(kind + ".r_squared", "1", "1 - SSE / SST; below 0: worse than the mean of all groups");
    add(kind + ".rmse", "1", "root mean squared error of the index");
    add(kind + ".rho", "1", "Spearman rank correlation of measured and predicted; null: constant");
  }
  add("clusters", "1", "number of clusters, arch x task");
  add("no_clusters_reason", "", "why there is no leave-one-cluster-out score");
  add("underdetermined_folds", "1",
      "folds with fewer groups than coefficients; the smallest solution is used");
}

std::vector<std::string> score_cells(const std::optional<stats::FitScores>& scores) {
  if (!scores) return {"", "", ""};
  return {fmt::format("{:.3f}", scores->r_squared), fmt::format("{:.3f}", scores->rmse),
          scores->rho ? fmt::format("{:.3f}", *scores->rho) : ""};
}

ordered_json left_out_json(const std::vector<elasticity::LeftOut>& left_out) {
  ordered_json entries = ordered_json::array();
  for (const auto& entry : left_out) entries.push_back({{"group", entry.id.group}, {"reason", entry.reason}});
  return entries;
}

void say_left_out(const std::vector<elasticity::LeftOut>& left_out, Console& console) {
  constexpr std::size_t kShown = 3;
  if (left_out.empty()) return;
  std::string line = counted(left_out.size(), "group") + " left out: ";
  for (std::size_t i = 0; i < std::min(kShown, left_out.size()); ++i) {
    line += fmt::format("{}{} ({})", i == 0 ? "" : ", ", left_out[i].id.group, left_out[i].reason);
  }
  if (left_out.size() > kShown) line += ", ...";
  console.say(line);
}

Error explained(Error error, const std::vector<elasticity::LeftOut>& left_out) {
  if (!left_out.empty()) {
    error.message += fmt::format("; {} left out, e.g. {}: {}", left_out.size(), left_out.front().id.group,
                                 left_out.front().reason);
  }
  return error;
}

}  // namespace wattflex::app
