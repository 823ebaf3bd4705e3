#include "apps/wattflex/cohort_output.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "elasticity/flexibility.h"
#include "study/cohort_figures.h"
#include "study/published_tables.h"
#include "twin/assumptions.h"

namespace wattflex::app {
namespace {

using report::Align;
using report::TextTable;

std::optional<double> index_of(const SweepGroup& group) {
  return elasticity::measure_flexibility(group, {.resamples = 0}).published.value;
}

// The paper's index of the same group.
std::optional<double> published_index_of(const SweepGroup& group) {
  if (group.id.accelerator == "H100") {
    for (const study::PublishedBoardPair& pair : study::published_board_pairs()) {
      const bool same =
          pair.model == group.model && pair.task == group.task && pair.architecture == group.architecture;
      if (same) return pair.pfi_h100;
    }
    return std::nullopt;
  }
  static const study::IndexedCohort kPublished = study::published_cohort();
  for (const auto* const groups : {&kPublished.headline, &kPublished.validation}) {
    const auto found = std::ranges::find(*groups, group.id.group, &study::IndexedGroup::name);
    if (found != groups->end()) return found->pfi;
  }
  return std::nullopt;
}

std::optional<double> uncapped_reading(const SweepTable& table, const SweepGroup& group,
                                       std::string_view column) {
  const auto found = std::ranges::find(table.telemetry_columns, column);
  if (found == table.telemetry_columns.end()) return std::nullopt;
  return group.uncapped().telemetry[static_cast<std::size_t>(found - table.telemetry_columns.begin())];
}

std::string text_of(const std::optional<double>& value, int digits) {
  return value ? fmt::format("{:.{}f}", *value, digits) : "-";
}

nlohmann::json json_of(const std::optional<double>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json();
}

nlohmann::json json_of_point(const SweepTable& table, const SweepPoint& point) {
  nlohmann::json json = {
      {"cap_w", point.cap.watts()},
      {"power_w", point.power.watts()},
      {"throughput", point.throughput},
      {"power_stderr", point.power_stderr ? nlohmann::json(point.power_stderr->watts()) : nlohmann::json()},
      {"throughput_stderr", json_of(point.throughput_stderr)},
      {"limited_by", to_string(point.limited_by)},
      {"telemetry", nlohmann::json::object()}};
  for (std::size_t i = 0; i < table.telemetry_columns.size(); ++i) {
    json["telemetry"][table.telemetry_columns[i]] = json_of(point.telemetry[i]);
  }
  return json;
}

}  // namespace

TextTable summary_of_cohort(const SweepTable& table) {
  TextTable text({{"group", "group", Align::left},
                  {"accelerator", "board", Align::left},
                  {"gpus", "GPUs"},
                  {"caps", "caps"},
                  {"power_w", "uncapped W"},
                  {"throughput", "tokens/s"},
                  {"pfi", "PFI"},
                  {"pfi_published", "paper"},
                  {"sm_clock_mhz", "SM MHz"},
                  {"dram_active", "DRAM"},
                  {"mem_copy_util", "copy"},
                  {"tensor_active", "tensor"},
                  {"pedigree", "", Align::left}});
  for (const SweepGroup& group : table.groups) {
    const auto reading = [&](std::string_view column, int digits) {
      return text_of(uncapped_reading(table, group, column), digits);
    };
    text.add_row({group.id.group, group.id.accelerator, std::to_string(group.gpus),
                  std::to_string(group.points.size()), fmt::format("{:.0f}", group.uncapped().power.watts()),
                  fmt::format("{:.0f}", group.uncapped().throughput), text_of(index_of(group), 2),
                  text_of(published_index_of(group), 2), reading("sm_clock_mhz", 0),
                  reading("dram_active", 2), reading("mem_copy_util", 2), reading("tensor_active", 2),
                  std::string(to_string(group.pedigree))});
  }
  return text;
}

nlohmann::json json_of_cohort(const SweepTable& table) {
  nlohmann::json groups = nlohmann::json::array();
  for (const SweepGroup& group : table.groups) {
    nlohmann::json points = nlohmann::json::array();
    for (const SweepPoint& point : group.points) points.push_back(json_of_point(table, point));
    groups.push_back({{"group", group.id.group},
                      {"accelerator", group.id.accelerator},
                      {"arch", to_string(group.architecture)},
                      {"task", to_string(group.task)},
                      {"model", group.model},
                      {"gpus", group.gpus},
                      {"pedigree", to_string(group.pedigree)},
                      {"pfi", json_of(index_of(group))},
                      {"pfi_published", json_of(published_index_of(group))},
                      {"points", std::move(points)}});
  }
  return groups;
}

TextTable assumptions_table(std::span<const twin::SimulatedJob* const> jobs) {
  TextTable text({{"group", "group", Align::left},
                  {"accelerator", "board", Align::left},
                  {"gpus", "GPUs"},
                  {"active_parameters_b", "active B"},
                  {"utilization", "MFU"},
                  {"tokens_per_s", "tokens/s"},
                  {"step_time_s", "step s"},
                  {"max_power_w", "Pmax W"},
                  {"pedigree", "", Align::left}});
  for (const twin::SimulatedJob* const job : jobs) {
    const twin::WorkAssumption work = assume_work(*job);
    text.add_row({std::string(job->group), std::string(job->accelerator), std::to_string(job->gpus),
                  fmt::format("{:.1f}", work.active_parameters_b), fmt::format("{:.3f}", work.utilization),
                  fmt::format("{:.0f}", work.tokens_per_s), fmt::format("{:.2f}", work.step_time.count()),
                  fmt::format("{:.0f}", work.max_power.watts()), "assumption"});
  }
  return text;
}

nlohmann::json json_of_assumptions(std::span<const twin::SimulatedJob* const> jobs) {
  nlohmann::json rows = nlohmann::json::array();
  for (const twin::SimulatedJob* const job : jobs) {
    const twin::WorkAssumption work = assume_work(*job);
    rows.push_back({{"group", job->group},
                    {"accelerator", job->accelerator},
                    {"gpus", job->gpus},
                    {"active_parameters_b", work.active_parameters_b},
                    {"utilization", work.utilization},
                    {"tokens_per_s", work.tokens_per_s},
                    {"step_time_s", work.step_time.count()},
                    {"max_power_w", work.max_power.watts()},
                    {"pedigree", "assumption"}});
  }
  return rows;
}

TextTable bias_table(std::span<const BiasRow> rows) {
  TextTable text({{"group", "group", Align::left},
                  {"accelerator", "board", Align::left},
                  {"pfi_noise_free", "PFI, no noise"},
                  {"bias_top_tenth", "top-10 % bias"},
                  {"bias_mean", "plain-mean bias"},
                  {"pedigree", "", Align::left}});
  for (const BiasRow& row : rows) {
    text.add_row({std::string(row.job->group), std::string(row.job->accelerator),
                  fmt::format("{:.3f}", row.bias.noise_free), fmt::format("{:+.3f}", row.bias.top_tenth),
                  fmt::format("{:+.3f}", row.bias.whole_phase), "simulated"});
  }
  return text;
}

nlohmann::json json_of_bias(std::span<const BiasRow> rows) {
  nlohmann::json json = nlohmann::json::array();
  for (const BiasRow& row : rows) {
    json.push_back({{"group", row.job->group},
                    {"accelerator", row.job->accelerator},
                    {"pfi_noise_free", row.bias.noise_free},
                    {"bias_top_tenth", row.bias.top_tenth},
                    {"bias_mean", row.bias.whole_phase},
                    {"pedigree", "simulated"}});
  }
  return json;
}

}  // namespace wattflex::app
