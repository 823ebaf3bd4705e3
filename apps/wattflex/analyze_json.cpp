#include <nlohmann/json.hpp>

#include "apps/wattflex/analyze_output.h"
#include "apps/wattflex/output.h"
#include "apps/wattflex/predictor_output.h"

namespace wattflex::app {
namespace {

using nlohmann::ordered_json;

// {"status": "done", ...part} or {"status": "not_available", "reason": ...}.
template <class T, class ToJson>
ordered_json part_json(const Result<T>& part, ToJson to_json_of) {
  if (!part) return {{"status", "not_available"}, {"reason", part.error().message}};
  ordered_json json = {{"status", "done"}};
  json.update(to_json_of(*part));
  return json;
}

ordered_json classes_json(const elasticity::ClassComparison& comparison) {
  ordered_json classes = ordered_json::array();
  for (const auto& entry : comparison.classes) {
    classes.push_back({{"class", entry.name}, {"n", entry.n}, {"median", entry.median}});
  }
  ordered_json pairs = ordered_json::array();
  for (const auto& pair : comparison.pairs) {
    pairs.push_back({{"first", comparison.classes[pair.first].name},
                     {"second", comparison.classes[pair.second].name},
                     {"z", pair.z},
                     {"p", pair.p_value},
                     {"p_holm", pair.p_holm}});
  }
  return {{"by", elasticity::to_string(comparison.by)},
          {"classes", std::move(classes)},
          {"kruskal_wallis",
           {{"h", comparison.kruskal_wallis.h},
            {"degrees_of_freedom", comparison.kruskal_wallis.degrees_of_freedom},
            {"p", comparison.kruskal_wallis.p_value}}},
          {"dunn", std::move(pairs)},
          {"left_out", left_out_json(comparison.left_out)}};
}

void add_association(ordered_json& json, const elasticity::Association& association) {
  const auto& correlation = association.correlation;
  json["n"] = association.n;
  json["rho"] = correlation ? ordered_json(correlation->rho) : ordered_json(nullptr);
  json["p"] = correlation ? ordered_json(correlation->p_value) : ordered_json(nullptr);
  json["p_method"] = nullptr;
  if (correlation) json["p_method"] = to_string(correlation->method);
  json["reason"] = association.reason;
}

ordered_json signals_json(const std::vector<elasticity::Signal>& signals) {
  ordered_json metrics = ordered_json::array();
  for (const auto& signal : signals) {
    ordered_json json = {{"metric", signal.metric}};
    add_association(json, signal.association);
    json["q"] = or_null(signal.q);
    metrics.push_back(std::move(json));
  }
  return {{"metrics", std::move(metrics)}};
}

ordered_json drops_json(const std::vector<elasticity::DropStep>& drops) {
  ordered_json steps = ordered_json::array();
  for (std::size_t i = 0; i < drops.size(); ++i) {
    const auto& step = drops[i];
    ordered_json json = {
        {"n_dropped", i},
        {"dropped", step.dropped ? ordered_json(step.dropped->group) : ordered_json(nullptr)},
        {"leverage", step.dropped ? ordered_json(step.leverage) : ordered_json(nullptr)}};
    add_association(json, step.association);
    steps.push_back(std::move(json));
  }
  return {{"steps", std::move(steps)}};
}

ordered_json subgroups_json(const std::vector<elasticity::Subgroup>& subgroups) {
  ordered_json rows = ordered_json::array();
  for (const auto& subgroup : subgroups) {
    ordered_json json = {{"subgroup", subgroup.name}};
    add_association(json, subgroup.association);
    rows.push_back(std::move(json));
  }
  return {{"rows", std::move(rows)}};
}

ordered_json grid_json(const elasticity::GridComparison& grid) {
  ordered_json groups = ordered_json::array();
  for (const auto& group : grid.groups) {
    groups.push_back({{"group", group.id.group}, {"full", group.full}, {"sub", group.sub}});
  }
  return {{"caps_w", grid.caps_w},
          {"n", grid.groups.size()},
          {"mean_shift", grid.mean_shift},
          {"median_ratio", grid.median_ratio},
          {"largest_shift", grid.largest_shift},
          {"rho", or_null(grid.rho)},
          {"groups", std::move(groups)}};
}

ordered_json grids_json(const elasticity::GridSummary& summary) {
  ordered_json sizes = ordered_json::array();
  for (const auto& size : summary.sizes) {
    sizes.push_back({{"caps", size.caps},
                     {"grids", size.grids},
                     {"least_ratio", size.least_ratio},
                     {"median_ratio", size.median_ratio},
                     {"largest_ratio", size.largest_ratio},
                     {"least_rho", or_null(size.least_rho)},
                     {"median_rho", or_null(size.median_rho)},
                     {"worst_caps_w", size.worst_caps_w}});
  }
  return {{"full_caps_w", summary.full_caps_w},
          {"n", summary.n},
          {"sizes", std::move(sizes)},
          {"note", summary.note}};
}

ordered_json analysis_json(const Analysis& analysis) {
  return {{"accelerator", analysis.accelerator},
          {"pedigree", to_string(analysis.indexed.pedigree)},
          {"n_groups", analysis.n_groups},
          {"n_used", analysis.indexed.groups.size()},
          {"left_out", left_out_json(analysis.indexed.left_out)},
          {"classes", part_json(analysis.classes, classes_json)},
          {"correlations", part_json(analysis.signals, signals_json)},
          {"leverage_drop", part_json(analysis.drops, drops_json)},
          {"subgroups", part_json(analysis.subgroups, subgroups_json)},
          {"grid", part_json(analysis.grid, grid_json)},
          {"sub_grids", part_json(analysis.grids, grids_json)}};
}

constexpr JsonField kFields[] = {
    {"status", "", "done"},
    {"table", "", "name of the sweep table"},
    {"target", "", "the index that is explained: pfi, guarded or pooled"},
    {"target_definition", "", "its definition"},
    {"metric", "", "the metric of leverage_drop and subgroups"},
    {"analyses[].accelerator", "",
     "an index is comparable on one accelerator only, so each is analysed alone"},
    {"analyses[].pedigree", "", "measured, simulated or predicted: its groups"},
    {"analyses[].n_groups", "1", "groups on this accelerator"},
    {"analyses[].n_used", "1", "those with an index"},
    {"analyses[].left_out[].group", "", "a group without an index"},
    {"analyses[].left_out[].reason", "", "why it has none"},
    {"analyses[].classes.status", "", "done or not_available"},
    {"analyses[].classes.reason", "", "why it is not available"},
    {"analyses[].classes.by", "", "what makes a class: class (dense, MoE by task), arch-task, arch or task"},
    {"analyses[].classes.classes[].class", "", "a class"},
    {"analyses[].classes.classes[].n", "1", "its groups"},
    {"analyses[].classes.classes[].median", "1", "median of their index"},
    {"analyses[].classes.kruskal_wallis.h", "1", "statistic with tie correction"},
    {"analyses[].classes.kruskal_wallis.degrees_of_freedom", "1", "classes less one"},
    {"analyses[].classes.kruskal_wallis.p", "1", "p value that no class differs, from chi-squared"},
    {"analyses[].classes.dunn[].first", "", "a class"},
    {"analyses[].classes.dunn[].second", "", "another class"},
    {"analyses[].classes.dunn[].z", "1", "negative: the first has the lower ranks"},
    {"analyses[].classes.dunn[].p", "1", "two-sided p value"},
    {"analyses[].classes.dunn[].p_holm", "1", "the same after Holm's correction for all pairs"},
    {"analyses[].classes.left_out[].group", "", "a group that does not state its class"},
    {"analyses[].classes.left_out[].reason", "", "what it does not state"},
    {"analyses[].correlations.status", "", "done or not_available"},
    {"analyses[].correlations.reason", "", "why it is not available"},
    {"analyses[].correlations.metrics[].metric", "", "telemetry column or composite, of the uncapped row"},
    {"analyses[].correlations.metrics[].n", "1", "groups that have it and an index"},
    {"analyses[].correlations.metrics[].rho", "1", "Spearman rank correlation with the index; null: none"},
    {"analyses[].correlations.metrics[].p", "1", "two-sided p value of no association"},
    {"analyses[].correlations.metrics[].p_method", "",
     "exact_permutation (up to 9 groups) or t_approximation"},
    {"analyses[].correlations.metrics[].reason", "", "why there is no rho"},
    {"analyses[].correlations.metrics[].q", "1", "Benjamini-Hochberg over all metrics"},
    {"analyses[].leverage_drop.status", "", "done or not_available"},
    {"analyses[].leverage_drop.reason", "", "why it is not available"},
    {"analyses[].leverage_drop.steps[].n_dropped", "1", "groups dropped so far"},
    {"analyses[].leverage_drop.steps[].dropped", "", "the one dropped in this step; null in the first"},
    {"analyses[].leverage_drop.steps[].leverage", "1", "its leverage before"},
    {"analyses[].leverage_drop.steps[].n", "1", "groups left"},
    {"analyses[].leverage_drop.steps[].rho", "1", "rank correlation of the metric and the index among them"},
    {"analyses[].leverage_drop.steps[].p", "1", "its p value"},
    {"analyses[].leverage_drop.steps[].p_method", "", "exact_permutation or t_approximation"},
    {"analyses[].leverage_drop.steps[].reason", "", "why there is no rho"},
    {"analyses[].subgroups.status", "", "done or not_available"},
    {"analyses[].subgroups.reason", "", "why it is not available"},
    {"analyses[].subgroups.rows[].subgroup", "", "dense, moe, all but moe fine-tuning, or all"},
    {"analyses[].subgroups.rows[].n", "1", "its groups"},
    {"analyses[].subgroups.rows[].rho", "1", "rank correlation of the metric and the index among them"},
    {"analyses[].subgroups.rows[].p", "1", "its p value"},
    {"analyses[].subgroups.rows[].p_method", "", "exact_permutation or t_approximation"},
    {"analyses[].subgroups.rows[].reason", "", "why there is no rho"},
    {"analyses[].grid.status", "",
     "done or not_available: the sub-grid given by --grid against the full one"},
    {"analyses[].grid.reason", "", "why it is not available"},
    {"analyses[].grid.caps_w[]", "W", "caps of the sub-grid"},
    {"analyses[].grid.n", "1", "groups measured at these caps and more"},
    {"analyses[].grid.mean_shift", "1", "mean of sub-grid less full-grid index"},
    {"analyses[].grid.median_ratio", "1", "median over groups of sub-grid over full-grid index"},
    {"analyses[].grid.largest_shift", "1", "largest change of one group's index"},
    {"analyses[].grid.rho", "1", "Spearman rank correlation of the two; null: fewer than three groups"},
    {"analyses[].grid.groups[].group", "", "a group"},
    {"analyses[].grid.groups[].full", "1", "index on all its caps"},
    {"analyses[].grid.groups[].sub", "1", "index on the sub-grid"},
    {"analyses[].sub_grids.status", "", "done or not_available: all sub-grids of the commonest grid"},
    {"analyses[].sub_grids.reason", "", "why it is not available"},
    {"analyses[].sub_grids.full_caps_w[]", "W", "the grid that most groups share"},
    {"analyses[].sub_grids.n", "1", "groups on it"},
    {"analyses[].sub_grids.sizes[].caps", "1", "caps of the sub-grids, the uncapped one included"},
    {"analyses[].sub_grids.sizes[].grids", "1", "number of such sub-grids"},
    {"analyses[].sub_grids.sizes[].least_ratio", "1", "smallest median_ratio among these sub-grids"},
    {"analyses[].sub_grids.sizes[].median_ratio", "1", "median of it"},
    {"analyses[].sub_grids.sizes[].largest_ratio", "1", "largest of it"},
    {"analyses[].sub_grids.sizes[].least_rho", "1", "smallest rank correlation with the full grid"},
    {"analyses[].sub_grids.sizes[].median_rho", "1", "median rank correlation"},
    {"analyses[].sub_grids.sizes[].worst_caps_w[]", "W", "the sub-grid that ranks the groups least alike"},
    {"analyses[].sub_grids.note", "", "which sub-grids were not tried"},
    {"warnings[]", "", "what the reader of the table should know"}};

}  // namespace

ordered_json to_json(const AnalysisReport& report) {
  ordered_json analyses = ordered_json::array();
  for (const Analysis& analysis : report.analyses) analyses.push_back(analysis_json(analysis));
  return {{"status", "done"},
          {"table", report.table},
          {"target", elasticity::to_string(report.target)},
          {"target_definition", elasticity::definition_of(report.target)},
          {"metric", report.metric},
          {"analyses", std::move(analyses)},
          {"warnings", report.warnings}};
}

std::vector<JsonField> analysis_json_fields() {
  return {std::begin(kFields), std::end(kFields)};
}

}  // namespace wattflex::app
