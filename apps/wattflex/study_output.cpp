#include "apps/wattflex/study_output.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "apps/wattflex/output.h"
#include "base/counted.h"
#include "report/text_table.h"

namespace wattflex::app {
namespace {

using nlohmann::json;
using report::Align;
using report::TextTable;
using study::AllocationStudy;
using study::IndexSource;
using study::Mix;
using study::StudyCell;
using study::StudyRow;

std::string pedigree_of(const SweepTable& table) {
  std::set<std::string_view> kinds;
  for (const SweepGroup& group : table.groups) kinds.insert(to_string(group.pedigree));
  return kinds.size() == 1 ? std::string(*kinds.begin()) : "mixed";
}

// "pfi", or "pfi (predicted)" where the index was not measured.
std::string name_of(allocate::Policy policy, IndexSource index) {
  const std::string name(to_string(policy));
  return index == IndexSource::predicted ? name + " (predicted)" : name;
}

json cell_json(const StudyReport& report, const AllocationStudy& study, const StudyRow& row, std::size_t c) {
  json cell = {{"cut", report.options.cuts[c]},
               {"infeasible_workloads", study.infeasible[c]},
               {"status", row.cells[c] ? "met" : "infeasible"}};
  const auto& kept = row.cells[c];
  if (!kept) return cell;
  const StudyCell& values = *kept;
  cell.update({{"kept", values.kept},
               {"kept_ci95", {values.kept_ci95.low, values.kept_ci95.high}},
               {"kept_middle95", {values.kept_middle95.low, values.kept_middle95.high}},
               {"tokens_per_job", values.throughput_per_job},
               {"tokens_per_job_behind_oracle", values.throughput_per_job_behind_oracle},
               {"gap_recovered", or_null(values.gap_recovered)}});
  return cell;
}

json study_json(const StudyReport& report, Mix mix, const AllocationStudy& study) {
  json policies = json::array();
  for (const StudyRow& row : study.rows) {
    json cells = json::array();
    for (std::size_t c = 0; c < row.cells.size(); ++c) cells.push_back(cell_json(report, study, row, c));
    policies.push_back(
        {{"policy", to_string(row.policy)}, {"pfi", to_string(row.index)}, {"cells", std::move(cells)}});
  }
  json refused = json::array();
  for (const study::StudyRefusal& refusal : study.refused) {
    refused.push_back({{"policy", to_string(refusal.policy)},
                       {"pfi", to_string(refusal.index)},
                       {"message", refusal.error.message},
                       {"remedy", refusal.error.remedy}});
  }
  return {
      {"mix", to_string(mix)},
      {"fine_tuning_share", mix == Mix::production ? json(report.options.fine_tuning_share) : json(nullptr)},
      {"groups", study.groups},
      {"largest_oracle_gap", study.largest_oracle_gap},
      {"policies", std::move(policies)},
      {"refused", std::move(refused)}};
}

std::string short_percent(double share) {
  return fmt::format("{:.3g} %", 100 * share);
}

std::string kept_text(const StudyCell& cell) {
  return fmt::format("{:.2f} ±{:.2f}", 100 * cell.kept, 50 * (cell.kept_ci95.high - cell.kept_ci95.low));
}

std::string gap_text(const StudyCell& cell) {
  return cell.gap_recovered ? fmt::format("{:.0f} %", 100 * *cell.gap_recovered) : "-";
}

std::string behind_text(const StudyCell& cell) {
  return fmt::format("{:.4g}", cell.throughput_per_job_behind_oracle);
}

void print_by_cut(const StudyReport& report, const AllocationStudy& study,
                  std::string (*text)(const StudyCell&), Console& console) {
  std::vector<report::Column> columns = {{"cut", "cut"}};
  for (const StudyRow& row : study.rows) {
    const std::string name = name_of(row.policy, row.index);
    columns.push_back({name, name});
  }
  TextTable table(std::move(columns));
  for (std::size_t c = 0; c < report.options.cuts.size(); ++c) {
    std::vector<std::string> cells = {short_percent(report.options.cuts[c])};
    for (const StudyRow& row : study.rows) {
      const auto& cell = row.cells[c];
      cells.push_back(!cell ? "infeasible" : text(*cell) + (study.infeasible[c] > 0 ? " !" : ""));
    }
    table.add_row(std::move(cells));
  }
  console.print(table);
}

void print_study(const StudyReport& report, Mix mix, const AllocationStudy& study, Console& console) {
  const std::string share =
      mix == Mix::production
          ? fmt::format(", {} of jobs fine-tuning", short_percent(report.options.fine_tuning_share))
          : "";
  console.say(fmt::format("{} mix of {}{}: {} of {}, value {}, objective {}, seed {} ({})\n", to_string(mix),
                          counted(study.groups, "group"), share,
                          counted(report.options.workloads, "workload"), counted(report.options.jobs, "job"),
                          to_string(report.options.values), to_string(report.options.objective),
                          report.options.seed, pedigree_of(report.table)));
  console.say("Throughput kept, %, mean over workloads and 95 % interval of that mean");
  print_by_cut(report, study, kept_text, console);
  console.say("\nShare of the gap between equal sharing and the optimum that is recovered");
  print_by_cut(report, study, gap_text, console);
  console.say("\nThroughput per job behind the optimum, in the table's unit");
  print_by_cut(report, study, behind_text, console);
  console.say(fmt::format("\nEvery allocation was checked; the oracle is within {:.1e} of the optimum.",
                          study.largest_oracle_gap));
  for (std::size_t c = 0; c < study.infeasible.size(); ++c) {
    if (study.infeasible[c] == 0 || study.infeasible[c] == report.options.workloads) continue;
    console.say(fmt::format("!  at {} {} left out, which cannot be cut so far.",
                            short_percent(report.options.cuts[c]), counted(study.infeasible[c], "workload")));
  }
  for (const study::StudyRefusal& refusal : study.refused) {
    console.say(
        fmt::format("{} is left out: {}", name_of(refusal.policy, refusal.index), refusal.error.message));
  }
  console.say("");
}

void add_csv_rows(const StudyReport& report, Mix mix, const AllocationStudy& study, TextTable& table) {
  for (const StudyRow& row : study.rows) {
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      std::vector<std::string> cells = {
          std::string(to_string(mix)),         std::string(to_string(row.policy)),
          std::string(to_string(row.index)),   fmt::format("{}", report.options.cuts[c]),
          std::to_string(study.infeasible[c]), row.cells[c] ? "met" : "infeasible"};
      if (const auto& kept = row.cells[c]) {
        const StudyCell& cell = *kept;
        for (const double value :
             {cell.kept, cell.kept_ci95.low, cell.kept_ci95.high, cell.kept_middle95.low,
              cell.kept_middle95.high, cell.throughput_per_job, cell.throughput_per_job_behind_oracle}) {
          cells.push_back(fmt::format("{}", value));
        }
        cells.push_back(cell.gap_recovered ? fmt::format("{}", *cell.gap_recovered) : "");
      }
      table.add_row(std::move(cells));
    }
  }
}

}  // namespace

bool any_met(const StudyReport& report) {
  return std::ranges::any_of(report.studies, [&](const auto& entry) {
    return std::ranges::any_of(entry.second.infeasible,
                               [&](int infeasible) { return infeasible < report.options.workloads; });
  });
}

json to_json(const StudyReport& report) {
  json studies = json::array();
  for (const auto& [mix, study] : report.studies) studies.push_back(study_json(report, mix, study));
  return {{"status", any_met(report) ? "done" : "infeasible"},
          {"table", report.table.name},
          {"pedigree", pedigree_of(report.table)},
          {"workloads", report.options.workloads},
          {"jobs", report.options.jobs},
          {"objective", to_string(report.options.objective)},
          {"values", to_string(report.options.values)},
          {"seed", report.options.seed},
          {"cuts", report.options.cuts},
          {"mixes", std::move(studies)},
          {"warnings", report.warnings}};
}

void print_csv(const StudyReport& report, Console& console) {
  TextTable table({{"mix", ""},
                   {"policy", ""},
                   {"pfi", ""},
                   {"cut", ""},
                   {"infeasible_workloads", ""},
                   {"status", ""},
                   {"kept", ""},
                   {"kept_ci95_low", ""},
                   {"kept_ci95_high", ""},
                   {"kept_middle95_low", ""},
                   {"kept_middle95_high", ""},
                   {"tokens_per_job", ""},
                   {"tokens_per_job_behind_oracle", ""},
                   {"gap_recovered", ""}});
  for (const auto& [mix, study] : report.studies) add_csv_rows(report, mix, study, table);
  console.print(table);
}

void print_tables(const StudyReport& report, Console& console) {
  for (const auto& [mix, study] : report.studies) print_study(report, mix, study, console);
}

}  // namespace wattflex::app
