#include "apps/wattflex/analyze_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/wattflex/console.h"
#include "apps/wattflex/predictor_output.h"
#include "base/counted.h"

namespace wattflex::app {
namespace {

using elasticity::Association;
using report::Align;
using report::TextTable;

std::string number(const std::optional<double>& value, int digits = 3) {
  return value ? fmt::format("{:.{}f}", *value, digits) : "";
}

// Small p values keep their size: "0.0019", "2.3e-07".
std::string p_text(double p) {
  return p >= 0.0001 ? fmt::format("{:.4f}", p) : fmt::format("{:.1e}", p);
}

std::string stars(double q) {
  if (q < 0.01) return "**";
  return q < 0.05 ? "*" : "";
}

std::vector<std::string> cells_of(const Association& association) {
  const auto& correlation = association.correlation;
  return {std::to_string(association.n), correlation ? fmt::format("{:+.3f}", correlation->rho) : "",
          correlation ? p_text(correlation->p_value) : ""};
}

// The reason in place of a part that is not available.
template <class T>
bool available(const Result<T>& part, std::string_view title, Console& console) {
  console.say("");
  console.say(part ? std::string(title) : fmt::format("{}: not available: {}", title, part.error().message));
  return part.has_value();
}

void print_classes(const Result<elasticity::ClassComparison>& part, Console& console) {
  if (!available(part, "Do classes differ?", console)) return;
  TextTable classes({{"class", "class", Align::left}, {"n", "n"}, {"median", "median"}});
  for (const auto& entry : part->classes) {
    classes.add_row({entry.name, std::to_string(entry.n), number(entry.median, 2)});
  }
  console.print(classes);
  const auto& test = part->kruskal_wallis;
  console.say(fmt::format("Kruskal-Wallis H = {:.3f}, {} of freedom, p = {}", test.h,
                          counted(test.degrees_of_freedom, "degree"), p_text(test.p_value)));
  TextTable pairs({{"pair", "pair (Dunn)", Align::left}, {"z", "z"}, {"p", "p"}, {"p_holm", "p Holm"}});
  for (const auto& pair : part->pairs) {
    pairs.add_row({part->classes[pair.first].name + " / " + part->classes[pair.second].name,
                   fmt::format("{:.3f}", pair.z), p_text(pair.p_value), p_text(pair.p_holm)});
  }
  console.print(pairs);
  say_left_out(part->left_out, console);
}

void print_signals(const Result<std::vector<elasticity::Signal>>& part, Console& console) {
  if (!available(part, "Which telemetry goes with the index?  (q < 0.05 *, < 0.01 **)", console)) return;
  TextTable table({{"metric", "metric", Align::left},
                   {"n", "n"},
                   {"rho", "rho"},
                   {"p", "p"},
                   {"q", "q"},
                   {"note", "", Align::left}});
  for (const auto& signal : *part) {
    std::vector<std::string> row{signal.metric};
    const auto cells = cells_of(signal.association);
    row.insert(row.end(), cells.begin(), cells.end());
    row.push_back(signal.q ? p_text(*signal.q) : "");
    row.push_back(signal.q ? stars(*signal.q) : signal.association.reason);
    table.add_row(std::move(row));
  }
  console.print(table);
}

void print_drops(const AnalysisReport& report, const Result<std::vector<elasticity::DropStep>>& part,
                 Console& console) {
  const std::string title = fmt::format(
      "Does {} rest on a few groups?  (the farthest from the mean dropped in turn)", report.metric);
  if (!available(part, title, console)) return;
  TextTable table({{"n", "n"}, {"rho", "rho"}, {"p", "p"}, {"dropped", "dropped", Align::left}});
  for (const auto& step : *part) {
    std::vector<std::string> row = cells_of(step.association);
    row.push_back(step.dropped ? step.dropped->group : "");
    table.add_row(std::move(row));
  }
  console.print(table);
}

void print_subgroups(const AnalysisReport& report, const Result<std::vector<elasticity::Subgroup>>& part,
                     Console& console) {
  if (!available(part, fmt::format("Does {} work within a class?", report.metric), console)) return;
  TextTable table({{"subgroup", "subgroup", Align::left},
                   {"n", "n"},
                   {"rho", "rho"},
                   {"p", "p"},
                   {"note", "", Align::left}});
  for (const auto& subgroup : *part) {
    std::vector<std::string> row{subgroup.name};
    const auto cells = cells_of(subgroup.association);
    row.insert(row.end(), cells.begin(), cells.end());
    row.push_back(subgroup.association.reason);
    table.add_row(std::move(row));
  }
  console.print(table);
}

void print_grid(const Result<elasticity::GridComparison>& part, Console& console) {
  if (!available(part, "What would these caps have said?", console)) return;
  const elasticity::GridComparison& grid = *part;
  console.say(
      fmt::format("Caps {:g} W instead of all, {}: median {:+.1f} %, mean {:+.3f}, largest change {:.3f}, "
                  "rank correlation {}",
                  fmt::join(grid.caps_w, ", "), counted(grid.groups.size(), "group"),
                  100 * (grid.median_ratio - 1), grid.mean_shift, grid.largest_shift, number(grid.rho)));
  TextTable table({{"group", "group", Align::left}, {"full", "all caps"}, {"sub", "these caps"}});
  for (const auto& group : grid.groups) {
    table.add_row({group.id.group, fmt::format("{:.2f}", group.full), fmt::format("{:.2f}", group.sub)});
  }
  console.print(table);
}

void print_grids(const Result<elasticity::GridSummary>& part, Console& console) {
  if (!available(part, "What would fewer caps have said?", console)) return;
  console.say(
      fmt::format("all sub-grids of {:g} W, {}; index relative to the full grid, median of the groups",
                  fmt::join(part->full_caps_w, ", "), counted(part->n, "group")));
  TextTable table({{"caps", "caps"},
                   {"grids", "sub-grids"},
                   {"least_ratio", "least"},
                   {"median_ratio", "median"},
                   {"largest_ratio", "largest"},
                   {"least_rho", "least rho"},
                   {"median_rho", "median rho"},
                   {"worst", "worst sub-grid (W)", Align::left}});
  for (const auto& size : part->sizes) {
    table.add_row({std::to_string(size.caps), std::to_string(size.grids),
                   fmt::format("{:.3f}", size.least_ratio), fmt::format("{:.3f}", size.median_ratio),
                   fmt::format("{:.3f}", size.largest_ratio), number(size.least_rho), number(size.median_rho),
                   fmt::format("{:g}", fmt::join(size.worst_caps_w, " "))});
  }
  console.print(table);
  if (!part->note.empty()) console.say(part->note);
}

// One row a statistic, and one with the reason for a part that is not available.
struct CsvRows {
  const Analysis& analysis;
  TextTable& table;

  void add(std::string part, std::vector<std::string> cells) {
    cells.insert(cells.begin(),
                 {analysis.accelerator, std::string(to_string(analysis.indexed.pedigree)), std::move(part)});
    table.add_row(std::move(cells));
  }

  template <class T>
  bool available(std::string part, const Result<T>& result) {
    if (!result) add(std::move(part), {"", "", "", "", "", "", result.error().message});
    return result.has_value();
  }

  void add_association(std::string part, std::string subject, const Association& association,
                       const std::optional<double>& adjusted = {}) {
    const auto& correlation = association.correlation;
    add(std::move(part), {std::move(subject), std::to_string(association.n), "rho",
                          correlation ? fmt::format("{}", correlation->rho) : "",
                          correlation ? fmt::format("{}", correlation->p_value) : "",
                          adjusted ? fmt::format("{}", *adjusted) : "", association.reason});
  }

  void add_classes() {
    if (!available("classes", analysis.classes)) return;
    const auto& comparison = *analysis.classes;
    add("classes", {"all", "", "H", fmt::format("{}", comparison.kruskal_wallis.h),
                    fmt::format("{}", comparison.kruskal_wallis.p_value)});
    for (const auto& pair : comparison.pairs) {
      const auto& first = comparison.classes[pair.first];
      const auto& second = comparison.classes[pair.second];
      add("classes",
          {first.name + "|" + second.name, std::to_string(first.n + second.n), "z", fmt::format("{}", pair.z),
           fmt::format("{}", pair.p_value), fmt::format("{}", pair.p_holm)});
    }
  }

  void add_associations() {
    if (available("correlations", analysis.signals)) {
      for (const auto& signal : *analysis.signals)
        add_association("correlations", signal.metric, signal.association, signal.q);
    }
    if (available("leverage_drop", analysis.drops)) {
      for (const auto& step : *analysis.drops)
        add_association("leverage_drop", step.dropped ? step.dropped->group : "", step.association);
    }
    if (available("subgroups", analysis.subgroups)) {
      for (const auto& subgroup : *analysis.subgroups)
        add_association("subgroups", subgroup.name, subgroup.association);
    }
  }

  void add_grid() {
    if (!available("grid", analysis.grid)) return;
    const auto& grid = *analysis.grid;
    const std::string caps = fmt::format("{:g}", fmt::join(grid.caps_w, " "));
    const std::string n = std::to_string(grid.groups.size());
    add("grid", {caps, n, "rho", grid.rho ? fmt::format("{}", *grid.rho) : ""});
    add("grid", {caps, n, "median_ratio", fmt::format("{}", grid.median_ratio)});
  }
};

}  // namespace

void print_csv(const AnalysisReport& report, Console& console) {
  TextTable table({{"accelerator", ""},
                   {"pedigree", ""},
                   {"part", ""},
                   {"subject", ""},
                   {"n", ""},
                   {"statistic", ""},
                   {"value", ""},
                   {"p", ""},
                   {"p_adjusted", ""},
                   {"reason", ""}});
  for (const Analysis& analysis : report.analyses) {
    CsvRows rows{analysis, table};
    rows.add_classes();
    rows.add_associations();
    if (report.grid_asked) rows.add_grid();
  }
  console.print(table);
}

void print_tables(const AnalysisReport& report, Console& console) {
  bool first = true;
  for (const Analysis& analysis : report.analyses) {
    if (!first) console.say("");
    first = false;
    console.say(fmt::format("{}{}{}: {} of {} with an index ({}), {}", report.table,
                            analysis.accelerator.empty() ? "" : " on ", analysis.accelerator,
                            analysis.indexed.groups.size(), counted(analysis.n_groups, "group"),
                            to_string(report.target), to_string(analysis.indexed.pedigree)));
    say_left_out(analysis.indexed.left_out, console);
    print_classes(analysis.classes, console);
    print_signals(analysis.signals, console);
    if (analysis.signals) {
      print_drops(report, analysis.drops, console);
      print_subgroups(report, analysis.subgroups, console);
    }
    if (report.grid_asked) print_grid(analysis.grid, console);
    print_grids(analysis.grids, console);
  }
}

}  // namespace wattflex::app
