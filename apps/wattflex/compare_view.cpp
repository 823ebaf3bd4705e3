#include "apps/wattflex/compare_view.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "apps/wattflex/output.h"
#include "base/counted.h"

namespace wattflex::app {
namespace {

using namespace wattflex::elasticity;
using nlohmann::json;
using report::Align;
using report::TextTable;

struct Count {
  std::size_t compared = 0;  // pairs
  std::size_t tests = 0;
  std::size_t significant = 0;
};

Count count_of(const TableComparison& comparison) {
  Count count;
  for (const GroupComparison& group : comparison.groups) {
    count.compared += group.reason.empty();
    for (const Difference& difference : group.differences) {
      count.tests += difference.tested.has_value();
      count.significant += difference.tested && difference.tested->significant();
    }
  }
  return count;
}

// What several groups share is said once.
std::vector<std::string> warnings_of(const TableComparison& comparison) {
  std::vector<std::pair<std::string, std::vector<std::string>>> groups_by_text;
  const auto add = [&](const std::string& text, const std::string& group) {
    const auto found = std::ranges::find(groups_by_text, text, &decltype(groups_by_text)::value_type::first);
    if (found == groups_by_text.end()) {
      groups_by_text.push_back({text, {group}});
    } else {
      found->second.push_back(group);
    }
  };
  for (const GroupComparison& group : comparison.groups) {
    for (const std::string& warning : group.warnings) add(warning, group.a.group);
    if (!group.reason.empty()) add("not compared: " + group.reason, group.a.group);
  }
  std::vector<std::string> warnings = comparison.table_warnings;
  for (const auto& [text, groups] : groups_by_text) warnings.push_back(some_of(groups) + ": " + text);
  if (!comparison.only_in_a.empty()) {
    warnings.push_back(fmt::format("only in A ({}): {}", comparison.a, some_of(comparison.only_in_a)));
  }
  if (!comparison.only_in_b.empty()) {
    warnings.push_back(fmt::format("only in B ({}): {}", comparison.b, some_of(comparison.only_in_b)));
  }
  return warnings;
}

json to_json(const Difference& difference) {
  json entry = {{"quantity", to_string(difference.quantity)},
                {"cap_w", difference.cap ? json(difference.cap->watts()) : json()},
                {"cut", or_null(difference.cut)},
                {"a", or_null(difference.a)},
                {"b", or_null(difference.b)},
                {"relative", is_relative(difference.quantity)},
                {"difference", nullptr},
                {"difference_ci95", nullptr},
                {"p", nullptr},
                {"p_holm", nullptr},
                {"significant", nullptr},
                {"reason", difference.reason.empty() ? json() : json(difference.reason)}};
  if (!difference.tested) return entry;
  entry["difference"] = difference.tested->difference;
  entry["difference_ci95"] = {difference.tested->ci95.low, difference.tested->ci95.high};
  entry["p"] = difference.tested->p_value;
  entry["p_holm"] = difference.tested->p_adjusted;
  entry["significant"] = difference.tested->significant();
  return entry;
}

json to_json(const GroupComparison& group) {
  json entry = {{"group_a", group.a.group},
                {"accelerator_a", group.a.accelerator},
                {"group_b", group.b.group},
                {"accelerator_b", group.b.accelerator},
                {"reference_cap_a_w", group.reference_cap_a.watts()},
                {"reference_cap_b_w", group.reference_cap_b.watts()},
                {"common_caps_w", json::array()},
                {"differences", json::array()},
                {"warnings", group.warnings},
                {"reason", nullptr}};
  for (const Power cap : group.common_caps) entry["common_caps_w"].push_back(cap.watts());
  for (const Difference& difference : group.differences) entry["differences"].push_back(to_json(difference));
  if (group.reason.empty()) return entry;
  entry["reason"] = group.reason;
  entry["reference_cap_a_w"] = entry["reference_cap_b_w"] = nullptr;
  return entry;
}

json to_json(const TableComparison& comparison) {
  const Count count = count_of(comparison);
  json document = {
      {"status", count.compared > 0 ? "done" : "no_data"},
      {"kind", "tables"},
      {"a", comparison.a},
      {"b", comparison.b},
      {"run_to_run",
       {{"power", comparison.run_to_run.power}, {"throughput", comparison.run_to_run.throughput}}},
      {"tests", count.tests},
      {"significant", count.significant},
      {"groups", json::array()},
      {"only_in_a", comparison.only_in_a},
      {"only_in_b", comparison.only_in_b},
      {"warnings", warnings_of(comparison)}};
  for (const GroupComparison& group : comparison.groups) document["groups"].push_back(to_json(group));
  return document;
}

std::string quantity_text(const Difference& difference) {
  switch (difference.quantity) {
    case Compared::reference_power:
      return "draw, W per GPU";
    case Compared::reference_throughput:
      return "throughput per GPU";
    case Compared::reference_efficiency:
      return "work per joule";
    case Compared::pfi_published:
      return "PFI";
    case Compared::pfi_guarded:
      return "PFI guarded";
    case Compared::kept_at_cap:
      assert(difference.cap);
      return fmt::format("kept at {:g} W", difference.cap->watts());
    case Compared::kept_at_cut:
      assert(difference.cut);
      return fmt::format("kept at a {:g} % cut", *difference.cut * 100);
  }
  return "";
}

// Relative changes and shares in percent and points, indices plain.
bool in_percent(Compared quantity) {
  return is_relative(quantity) || quantity == Compared::kept_at_cap || quantity == Compared::kept_at_cut;
}

std::string value_text(const Difference& difference, const std::optional<double>& value) {
  if (!value) return "none";
  if (in_percent(difference.quantity) && !is_relative(difference.quantity))
    return fmt::format("{:.1f} %", *value * 100);
  return fmt::format("{:.4g}", *value);
}

std::string change_text(const Difference& difference) {
  if (!difference.tested) return difference.reason;
  const auto& [value, ci95, p, adjusted] = *difference.tested;
  const double scale = in_percent(difference.quantity) ? 100 : 1;
  const std::string_view unit = !in_percent(difference.quantity)   ? ""
                                : is_relative(difference.quantity) ? " %"
                                                                   : " points";
  return fmt::format("{:+.2f}{} ({:+.2f}..{:+.2f})", value * scale, unit, ci95.low * scale,
                     ci95.high * scale);
}

std::string plain_p_text(double p) {
  return p < 0.0001 ? "< 0.0001" : fmt::format("{:.4f}", p);
}

TextTable differences_table(const TableComparison& comparison, bool all) {
  TextTable table({{"group", "group", Align::left},
                   {"quantity", "quantity", Align::left},
                   {"a", "A"},
                   {"b", "B"},
                   {"difference", "B against A (95 %)"},
                   {"p_holm", "p, Holm"},
                   {"significant", "significant", Align::left}});
  for (const GroupComparison& group : comparison.groups) {
    for (const Difference& difference : group.differences) {
      const bool significant = difference.tested && difference.tested->significant();
      if (!all && !significant) continue;
      table.add_row({group.a.group, quantity_text(difference), value_text(difference, difference.a),
                     value_text(difference, difference.b), change_text(difference),
                     difference.tested ? plain_p_text(difference.tested->p_adjusted) : "",
                     !difference.tested ? ""
                     : significant      ? "yes"
                                        : "no"});
    }
  }
  return table;
}

std::string summary_of(const TableComparison& comparison) {
  const Count count = count_of(comparison);
  return fmt::format("{} of {} compared, {} tested, {} significant after Holm's correction.", count.compared,
                     counted(comparison.groups.size(), "matched group"), counted(count.tests, "difference"),
                     count.significant);
}

std::string run_to_run_note(const RunToRun& run_to_run) {
  return fmt::format(
      "Draw, throughput and work per joule allow for {:g} % of draw and {:g} % of throughput between sweeps "
      "of one job (--run-to-run); the other rows are ratios within a sweep, where this cancels.",
      run_to_run.power * 100, run_to_run.throughput * 100);
}

json to_json(const PredictorComparison& comparison, const Predictor& a, const Predictor& b) {
  json document = {{"status", "done"},
                   {"kind", "models"},
                   {"a", a.table},
                   {"b", b.table},
                   {"coefficients", json::array()},
                   {"only_in_a", comparison.only_in_a},
                   {"only_in_b", comparison.only_in_b},
                   {"warnings", comparison.warnings}};
  for (const CoefficientDifference& c : comparison.coefficients) {
    document["coefficients"].push_back({{"name", c.name},
                                        {"a", c.a},
                                        {"b", c.b},
                                        {"difference", c.tested.difference},
                                        {"difference_ci95", {c.tested.ci95.low, c.tested.ci95.high}},
                                        {"p", c.tested.p_value},
                                        {"p_holm", c.tested.p_adjusted},
                                        {"significant", c.tested.significant()}});
  }
  return document;
}

}  // namespace

std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t kMostNamed = 5;
  const std::span<const std::string> named(names.data(), std::min(names.size(), kMostNamed));
  const std::string more =
      names.size() > kMostNamed ? fmt::format(" and {} more", names.size() - kMostNamed) : std::string();
  return fmt::format("{}{}", fmt::join(named, ", "), more);
}

void print(const TableComparison& comparison, bool all, Console& console) {
  for (const std::string& warning : warnings_of(comparison)) console.warn(warning);
  if (console.format() == Format::json) return print_json(to_json(comparison), console);
  if (console.format() == Format::csv) return console.print(differences_table(comparison, true));
  const TextTable table = differences_table(comparison, all);
  if (table.size() > 0) {
    console.print(table);
    console.say("");
  }
  console.say(summary_of(comparison));
  console.say(run_to_run_note(comparison.run_to_run));
  if (!all) console.say("--all shows every difference.");
}

void print(const PredictorComparison& comparison, const Predictor& a, const Predictor& b, Console& console) {
  for (const std::string& warning : comparison.warnings) console.warn(warning);
  if (console.format() == Format::json) return print_json(to_json(comparison, a, b), console);
  TextTable table({{"coefficient", "coefficient", Align::left},
                   {"a", "A"},
                   {"b", "B"},
                   {"difference", "B against A (95 %)"},
                   {"p_holm", "p, Holm"},
                   {"significant", "significant", Align::left}});
  for (const CoefficientDifference& c : comparison.coefficients) {
    table.add_row({c.name, fmt::format("{:.4g}", c.a), fmt::format("{:.4g}", c.b),
                   fmt::format("{:+.4g} ({:+.4g}..{:+.4g})", c.tested.difference, c.tested.ci95.low,
                               c.tested.ci95.high),
                   plain_p_text(c.tested.p_adjusted), c.tested.significant() ? "yes" : "no"});
  }
  console.print(table);
  if (!comparison.only_in_a.empty())
    console.say(fmt::format("only in A: {}", fmt::join(comparison.only_in_a, ", ")));
  if (!comparison.only_in_b.empty())
    console.say(fmt::format("only in B: {}", fmt::join(comparison.only_in_b, ", ")));
}

std::vector<JsonField> compare_json_fields() {
  return {
      {"status", "", "done, or no_data when no matched group could be compared"},
      {"kind", "", "tables or models"},
      {"a", "", "name of the first table, or of the table the first model was fitted to"},
      {"b", "", "the same of the second"},
      {"run_to_run.power", "1", "standard deviation allowed for between sweeps of one job: of draw"},
      {"run_to_run.throughput", "1", "the same of throughput"},
      {"tests", "1", "differences tested"},
      {"significant", "1", "differences that stand after Holm's correction"},
      {"groups[].group_a", "", "name of the group in A"},
      {"groups[].accelerator_a", "", "its accelerator"},
      {"groups[].group_b", "", "name of the group in B"},
      {"groups[].accelerator_b", "", "its accelerator"},
      {"groups[].reference_cap_a_w", "W", "cap all shares of A refer to; null when nothing was compared"},
      {"groups[].reference_cap_b_w", "W", "cap all shares of B refer to"},
      {"groups[].common_caps_w[]", "W", "caps both measured; empty on two accelerators"},
      {"groups[].differences[].quantity", "",
       "reference_power (W per GPU), reference_throughput (per GPU), reference_throughput_per_joule, pfi, "
       "pfi_guarded, throughput_kept_at_cap or throughput_kept_at_cut"},
      {"groups[].differences[].cap_w", "W", "cap, for throughput_kept_at_cap"},
      {"groups[].differences[].cut", "1", "cut, for throughput_kept_at_cut"},
      {"groups[].differences[].a", "", "value of A; null when there is none"},
      {"groups[].differences[].b", "", "value of B"},
      {"groups[].differences[].relative", "", "whether the difference is B/A - 1 rather than B - A"},
      {"groups[].differences[].difference", "", "B against A; null when a side has no value, like all below"},
      {"groups[].differences[].difference_ci95[]", "", "its interval, not corrected"},
      {"groups[].differences[].p", "1", "two-sided p value"},
      {"groups[].differences[].p_holm", "1", "corrected over all tests of the run"},
      {"groups[].differences[].significant", "", "p_holm below 0.05"},
      {"groups[].differences[].reason", "", "why there is no difference"},
      {"groups[].warnings[]", "", "about this pair"},
      {"groups[].reason", "", "why nothing was compared; null when something was"},
      {"coefficients[].name", "", "intercept or feature, of two models"},
      {"coefficients[].a", "", "coefficient of A"},
      {"coefficients[].b", "", "coefficient of B"},
      {"coefficients[].difference", "", "B - A"},
      {"coefficients[].difference_ci95[]", "", "its interval, not corrected"},
      {"coefficients[].p", "1", "two-sided p value"},
      {"coefficients[].p_holm", "1", "corrected over all coefficients"},
      {"coefficients[].significant", "", "p_holm below 0.05"},
      {"only_in_a[]", "", "groups or features without partner"},
      {"only_in_b[]", "", "the same of B"},
      {"warnings[]", "", "what the reader should know"},
  };
}

}  // namespace wattflex::app
