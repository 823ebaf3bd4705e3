// `wattflex compare`: two sweep tables, or two fitted models, of the same jobs.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "apps/wattflex/arguments.h"
#include "apps/wattflex/compare_view.h"
#include "apps/wattflex/console.h"
#include "apps/wattflex/grammar.h"
#include "apps/wattflex/noise_option.h"
#include "apps/wattflex/resamples_option.h"
#include "apps/wattflex/verbs.h"
#include "base/parse.h"
#include "elasticity/predictor_file.h"
#include "ingest/sweep_table.h"

namespace wattflex::app {
namespace {

using namespace wattflex::elasticity;
using Renames = std::map<std::string, std::string, std::less<>>;  // group of A -> group of B

constexpr ResamplesRule kCompareResamples = {
    .fallback = "10000",
    .help = "resamples behind the intervals of the indices, 100..1000000",
    .most = 1'000'000};

// Groups of the two sides that are the same job.
struct Pairing {
  std::vector<std::pair<const SweepGroup*, const SweepGroup*>> pairs;
  std::vector<std::string> only_in_a;
  std::vector<std::string> only_in_b;
};

std::string label(const GroupId& id) {
  return id.accelerator.empty() ? id.group : fmt::format("{} on {}", id.group, id.accelerator);
}

// The group of the same name: on the same accelerator where there is one, else the only one there is.
const SweepGroup* partner(const SweepGroup& group, const SweepTable& table, const std::string& name) {
  const SweepGroup* only = nullptr;
  int named_so = 0;
  for (const SweepGroup& other : table.groups) {
    if (other.id.group != name) continue;
    if (other.id.accelerator == group.id.accelerator) return &other;
    only = &other;
    ++named_so;
  }
  return named_so == 1 ? only : nullptr;
}

Pairing pair_up(const SweepTable& a, const SweepTable& b, const Renames& renamed) {
  Pairing pairing;
  std::vector<const SweepGroup*> used;
  for (const SweepGroup& group : a.groups) {
    const auto rename = renamed.find(group.id.group);
    const SweepGroup* const other =
        partner(group, b, rename == renamed.end() ? group.id.group : rename->second);
    if (other == nullptr || std::ranges::find(used, other) != used.end()) {
      pairing.only_in_a.push_back(label(group.id));
      continue;
    }
    used.push_back(other);
    pairing.pairs.emplace_back(&group, other);
  }
  for (const SweepGroup& group : b.groups) {
    if (std::ranges::find(used, &group) == used.end()) pairing.only_in_b.push_back(label(group.id));
  }
  return pairing;
}

// A group that one side's reading left out is a group nothing was compared of, and none that only the other
// has.
void add_dropped(const SweepTable& table, std::string_view side, std::vector<std::string>& only_in_other,
                 TableComparison& result) {
  for (const DroppedGroup& group : table.dropped) {
    std::erase(only_in_other, label(group.id));
    const bool told = std::ranges::any_of(
        result.groups, [&](const GroupComparison& g) { return g.a == group.id || g.b == group.id; });
    if (told) continue;
    GroupComparison none;
    none.a = none.b = group.id;
    none.reason = fmt::format("{}: {}", side, group.reason);
    result.groups.push_back(std::move(none));
  }
}

Result<void> check_named(std::string_view name, const SweepTable& table) {
  std::vector<std::string> names;
  names.reserve(table.groups.size());
  for (const SweepGroup& group : table.groups) names.push_back(group.id.group);
  if (std::ranges::find(names, name) != names.end()) return {};
  return fail(ErrorKind::usage, fmt::format("--match: {} has no group '{}'", table.name, name),
              suggestion(name, names, "its groups are " + some_of(names)));
}

Result<std::pair<std::string, std::string>> matched_names(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    return fail(ErrorKind::usage, fmt::format("--match: '{}' is not GROUP_OF_A=GROUP_OF_B", text),
                "as in --match 'llama old=llama new'");
  }
  return std::pair(text.substr(0, equals), text.substr(equals + 1));
}

Result<Renames> renames_from(const Arguments& arguments, const SweepTable& a, const SweepTable& b) {
  Renames renamed;
  for (const std::string& text : arguments.list("match")) {
    const auto names = matched_names(text);
    if (!names) return std::unexpected(names.error());
    const std::string& of_a = names->first;
    const std::string& of_b = names->second;
    if (auto known = check_named(of_a, a); !known) return std::unexpected(known.error());
    if (auto known = check_named(of_b, b); !known) return std::unexpected(known.error());
    const bool twice = std::ranges::any_of(
        renamed, [&](const auto& pair) { return pair.first == of_a || pair.second == of_b; });
    if (twice) {
      return fail(ErrorKind::usage, fmt::format("--match: '{}' names a group that is matched already", text),
                  "match every group once");
    }
    renamed[of_a] = of_b;
  }
  return renamed;
}

// "0.8%,0.5%" of draw and of throughput, or one share for both.
Result<RunToRun> run_to_run_from(const Arguments& arguments) {
  constexpr double kMost = 0.5;
  const std::string_view text = arguments.text("run-to-run");
  const auto wrong = [&] {
    return fail(
        ErrorKind::usage,
        fmt::format("--run-to-run: '{}' is not one or two shares between 0% and {:g}%", text, kMost * 100),
        "as in --run-to-run 0.4%,0.5% (draw, throughput) or --run-to-run 0%");
  };
  const auto words = split(text, ',');  // no list: both may be the same
  if (words.size() > 2) return wrong();
  std::vector<double> shares;
  for (const std::string_view word : words) {
    const auto share = parse_percent(word);
    if (!share || *share < 0 || *share > kMost) return wrong();
    shares.push_back(*share);
  }
  return RunToRun{.power = shares.front(), .throughput = shares.back()};
}

// "H100,H200".
Result<std::pair<std::string, std::string>> boards_from(const Arguments& arguments) {
  const std::string_view boards = arguments.text("boards");
  const auto names = parse_list(boards);
  if (!names) return fail(ErrorKind::usage, "--boards: " + names.error().message, names.error().remedy);
  if (names->size() != 2) {
    return fail(ErrorKind::usage, fmt::format("--boards: '{}' is not two accelerators", boards),
                "as in --boards H100,H200");
  }
  return std::pair(std::string(names->front()), std::string(names->back()));
}

// A keeps its groups on the first board, B on the second.
Result<void> keep_boards(const Arguments& arguments, SweepTable& a, SweepTable& b) {
  if (!arguments.has("boards")) return {};
  const auto boards = boards_from(arguments);
  if (!boards) return std::unexpected(boards.error());
  const auto keep = [](SweepTable& table, std::string_view accelerator) {
    const auto elsewhere = [&](const auto& group) { return group.id.accelerator != accelerator; };
    std::erase_if(table.groups, elsewhere);
    std::erase_if(table.dropped, elsewhere);
  };
  keep(a, boards->first);
  keep(b, boards->second);
  if (!a.groups.empty() && !b.groups.empty()) return {};
  return fail(ErrorKind::usage, fmt::format("--boards: no group on one of '{}'", arguments.text("boards")),
              "write the accelerators as in the table's accelerator column");
}

Result<ComparisonOptions> compare_options_from(const Arguments& arguments) {
  const auto intervals = interval_options_from(arguments, kCompareResamples);
  if (!intervals) return std::unexpected(intervals.error());
  const auto run_to_run = run_to_run_from(arguments);
  if (!run_to_run) return std::unexpected(run_to_run.error());
  return ComparisonOptions{.flexibility = *intervals, .run_to_run = *run_to_run};
}

// What no table makes right.
Result<void> check_compare_options(const Arguments& arguments) {
  if (const auto options = compare_options_from(arguments); !options) return std::unexpected(options.error());
  for (const std::string& text : arguments.list("match")) {
    if (const auto names = matched_names(text); !names) return std::unexpected(names.error());
  }
  if (!arguments.has("boards")) return {};
  const auto boards = boards_from(arguments);
  return boards ? Result<void>() : std::unexpected(boards.error());
}

Result<Outcome> compare_tables(const Arguments& arguments, Console& console) {
  auto a = read_sweep_table(std::string(arguments.text("A")));
  if (!a) return std::unexpected(a.error());
  auto b = read_sweep_table(std::string(arguments.text("B")));
  if (!b) return std::unexpected(b.error());
  if (const auto kept = keep_boards(arguments, *a, *b); !kept) return std::unexpected(kept.error());
  const auto renamed = renames_from(arguments, *a, *b);
  if (!renamed) return std::unexpected(renamed.error());
  const auto options = compare_options_from(arguments);
  if (!options) return std::unexpected(options.error());
  const Pairing pairing = pair_up(*a, *b, *renamed);
  if (pairing.pairs.empty()) {
    return fail(ErrorKind::no_data, fmt::format("{} and {} have no group in common", a->name, b->name),
                "groups are matched by name and accelerator; --match 'NAME_IN_A=NAME_IN_B' pairs others");
  }
  TableComparison result{.a = a->name,
                         .b = b->name,
                         .run_to_run = options->run_to_run,
                         .only_in_a = pairing.only_in_a,
                         .only_in_b = pairing.only_in_b,
                         .table_warnings = a->warnings};
  std::ranges::copy(b->warnings, std::back_inserter(result.table_warnings));
  for (const auto& [left, right] : pairing.pairs) {
    console.progress("comparing",
                     static_cast<double>(result.groups.size()) / static_cast<double>(pairing.pairs.size()));
    result.groups.push_back(compare(*left, *right, *options));
  }
  console.end_progress();
  add_dropped(*a, "A", result.only_in_b, result);
  add_dropped(*b, "B", result.only_in_a, result);
  adjust(result.groups);
  print(result, arguments.flag("all"), console);
  const bool some =
      std::ranges::any_of(result.groups, [](const GroupComparison& g) { return g.reason.empty(); });
  return some ? Outcome::done : Outcome::partial;
}

Result<Outcome> compare_models(const Arguments& arguments, Console& console) {
  const auto a = load_predictor(std::string(arguments.text("A")));
  if (!a) return std::unexpected(a.error());
  const auto b = load_predictor(std::string(arguments.text("B")));
  if (!b) return std::unexpected(b.error());
  print(compare(*a, *b), *a, *b, console);
  return Outcome::done;
}

Result<Outcome> run_compare(const Arguments& arguments, Console& console) {
  const auto is_model = [&](std::string_view name) { return arguments.text(name).ends_with(".json"); };
  if (is_model("A") != is_model("B")) {
    return fail(ErrorKind::usage, "a sweep table cannot be compared with a model",
                "give two tables or two models");
  }
  for (const std::string_view option : {"match", "boards", "all"}) {
    if (is_model("A") && arguments.is_written(option)) {
      return fail(ErrorKind::usage, fmt::format("--{}: models have no groups to choose from", option),
                  "leave it out, or compare two sweep tables");
    }
  }
  return is_model("A") ? compare_models(arguments, console) : compare_tables(arguments, console);
}

}  // namespace

const Verb& compare_verb() {
  static const Verb kVerb = {
      .name = "compare",
      .summary = "What differs between two sweeps or two models of the same jobs",
      .details =
          "Matches the groups of two sweep tables by name and accelerator and states how B differs from A: "
          "draw, "
          "throughput and work per joule at the reference cap, the index, and the throughput kept under each "
          "cap "
          "both measured, each with a 95 % interval. A difference is significant when it stands after Holm's "
          "correction over all tests of the run. Two models (files ending in .json) are compared by "
          "coefficient.",
      .options = {{"A", "A", "", "sweep table or model.json: before, or the first board", Takes::value, true},
                  {"B", "B", "", "sweep table or model.json: after, or the second board", Takes::value, true},
                  {"--match", "A=B", "", "group of A that is called otherwise in B; may be repeated",
                   Takes::list},
                  {"--boards", "X,Y", "",
                   "only groups of A on accelerator X and of B on Y; A and B may be one table"},
                  {"--run-to-run", "DRAW,THROUGHPUT", "0.8%,0.5%",
                   "how far whole sweeps of one job differ by themselves (one standard deviation; one value "
                   "for both); counts for draw, throughput and work per joule"},
                  {"--all", "", "", "print every difference, not only significant ones", Takes::flag},
                  resamples_option(kCompareResamples),
                  {"--seed", "S", "1", "of the resamples"},
                  noise_option()},
      .examples = {{"wattflex compare before.csv after.csv", "what a driver update changed"},
                   {"wattflex compare lab.csv lab.csv --boards H100,H200", "two boards in one table"},
                   {"wattflex compare h100.json h200.json", "two predictors, coefficient by coefficient"}},
      .json_fields = compare_json_fields(),
      .run = run_compare,
      .check = check_compare_options};
  return kVerb;
}

}  // namespace wattflex::app
