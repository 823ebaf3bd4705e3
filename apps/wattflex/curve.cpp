// `wattflex curve`: the smoothed power curve of each group of a sweep table, and which cap it advises.
#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>

#include "apps/wattflex/arguments.h"
#include "apps/wattflex/console.h"
#include "apps/wattflex/curve_view.h"
#include "apps/wattflex/dropped_groups.h"
#include "apps/wattflex/noise_option.h"
#include "apps/wattflex/output.h"
#include "apps/wattflex/resamples_option.h"
#include "apps/wattflex/verbs.h"
#include "ingest/sweep_table.h"

namespace wattflex::app {
namespace {

using namespace wattflex::elasticity;

constexpr double kMostPrice = 1'000'000;  // above a kWh in any currency
// Every resample keeps its curves: 100,000 of the longest sweeps take 100 MB.
constexpr ResamplesRule kCurveResamples = {
    .fallback = "1000", .help = "resamples behind every interval, 100..100000", .most = 100'000};

struct CurveSettings {
  std::vector<double> cuts;
  double price_per_kwh = 0;
  elasticity::FlexibilityOptions intervals;
};

Result<CurveSettings> curve_settings_from(const Arguments& arguments) {
  const auto cuts = arguments.percent_range("at");
  if (!cuts) return std::unexpected(cuts.error());
  if (std::ranges::any_of(*cuts, [](double cut) { return cut < 0 || cut >= 1; })) {
    return fail(ErrorKind::usage, "--at: a cut is at least 0% and less than 100%", "as in --at 5%,10%,20%");
  }
  const auto price = arguments.number("price");
  if (!price) return std::unexpected(price.error());
  if (*price < 0 || *price > kMostPrice) {
    return fail(ErrorKind::usage,
                fmt::format("--price: {} is not between 0 and {:.0f}", arguments.text("price"), kMostPrice),
                "as in --price 0.12");
  }
  const auto intervals = interval_options_from(arguments, kCurveResamples);
  if (!intervals) return std::unexpected(intervals.error());
  return CurveSettings{*cuts, *price, *intervals};
}

CurveAtCut at_cut(const PowerCurveFit& fit, double cut) {
  const PowerCurve& curve = fit.curve();
  const Power draw = curve.uncapped_draw() * (1 - cut);
  if (draw < curve.lowest_draw()) return {cut, std::nullopt};
  const auto estimate = [&](auto quantity, const Bounds& bounds) {
    return fit.estimate([&](const PowerCurve& c) { return quantity(c, c.uncapped_draw() * (1 - cut)); },
                        bounds);
  };
  const auto kept = [](const PowerCurve& c, Power d) { return c.kept_at(d); };
  const auto marginal = [](const PowerCurve& c, Power d) { return c.marginal_at(d); };
  const auto elasticity = [](const PowerCurve& c, Power d) { return c.marginal_at(d) / c.efficiency_at(d); };
  return {cut, CurveAtCut::Values{draw, estimate(kept, kShare), estimate(marginal, kNotNegative),
                                  estimate(elasticity, kNotNegative)}};
}

std::vector<std::string> warnings_about(const GroupCurve& curve) {
  std::vector<std::string> warnings = curve.flexibility.warnings;
  if (!curve.fit) {
    warnings.push_back("no power curve: " + curve.fit.error().message);
    return warnings;
  }
  if (curve.fit->residuals().size() == 2)
    warnings.push_back("two sound points: the curve is a straight line");
  return warnings;
}

GroupCurve curve_of(const SweepGroup& group, const CurveSettings& settings) {
  GroupCurve curve{.group = group,
                   .flexibility = measure_flexibility(group, settings.intervals),
                   .fit = fail(ErrorKind::no_data, "", "")};
  curve.fit =
      PowerCurveFit::fit(group.id, curve.flexibility.points,
                         {.resamples = settings.intervals.resamples, .seed = settings.intervals.seed});
  curve.classification = classify(curve.flexibility);
  if (curve.fit) {
    if (curve.classification.elasticity != ElasticityClass::unbound)
      curve.advice = advise(*curve.fit, {.gpus = group.gpus, .price_per_kwh = settings.price_per_kwh});
    for (const double cut : settings.cuts) curve.cuts.push_back(at_cut(*curve.fit, cut));
  }
  curve.warnings = warnings_about(curve);
  return curve;
}

Result<std::vector<GroupCurve>> curves_of(const SweepTable& table, const Arguments& arguments,
                                          const CurveSettings& settings, Console& console) {
  const std::string_view wanted = arguments.text("group");
  std::vector<GroupCurve> curves;
  for (std::size_t i = 0; i < table.groups.size(); ++i) {
    console.progress("fitting", static_cast<double>(i) / static_cast<double>(table.groups.size()));
    if (wanted.empty() || table.groups[i].id.group == wanted)
      curves.push_back(curve_of(table.groups[i], settings));
  }
  console.end_progress();
  if (curves.empty() && !table.dropped.empty()) {
    return fail(ErrorKind::no_data,
                fmt::format("{}: {}: {}", table.name, wanted, table.dropped.front().reason),
                "run the missing points again");
  }
  if (curves.empty()) {
    return fail(
        ErrorKind::usage, fmt::format("--group: {} has no group '{}'", table.name, wanted),
        fmt::format("its first group is '{}'; 'wattflex check' lists all", table.groups.front().id.group));
  }
  if (std::ranges::none_of(curves, [](const GroupCurve& c) { return c.fit.has_value(); })) {
    return std::unexpected(curves.front().fit.error());
  }
  return curves;
}

// Those of each group, or one line for all when many groups have some.
std::vector<std::string> group_warnings(std::span<const GroupCurve> curves) {
  constexpr std::ptrdiff_t kMostNamed = 3;
  std::vector<std::string> lines;
  for (const GroupCurve& curve : curves) {
    for (const std::string& warning : curve.warnings) lines.push_back(curve.group.id.group + ": " + warning);
  }
  const auto warned = std::ranges::count_if(curves, [](const GroupCurve& c) { return !c.warnings.empty(); });
  if (warned <= kMostNamed) return lines;
  return {fmt::format("{} of {} groups have warnings (--group or -o json shows each), the first: {}", warned,
                      curves.size(), lines.front())};
}

nlohmann::json to_json(const SweepTable& table, const CurveSettings& settings,
                       std::span<const GroupCurve> curves, std::span<const std::string> warnings) {
  nlohmann::json document = {{"status", table.dropped.empty() ? "done" : "partial"},
                             {"left_out", dropped_json(table.dropped)},
                             {"table", table.name},
                             {"price_per_kwh", settings.price_per_kwh},
                             {"resamples", settings.intervals.resamples},
                             {"seed", settings.intervals.seed},
                             {"warnings", warnings},
                             {"groups", nlohmann::json::array()}};
  for (const GroupCurve& curve : curves) document["groups"].push_back(to_json(curve));
  return document;
}

constexpr const char* kPaysBelow =
    "pays below: the worth of a GPU hour above which the longer run costs more than the energy saved";

void print_details(const GroupCurve& curve, Console& console) {
  console.say(fmt::format("{}: {}; {}", curve.group.id.group, to_string(curve.classification.elasticity),
                          curve.classification.reason));
  if (curve.fit) {
    console.say("\nPower curve at the measured caps (intervals 95 %; sigma: how far a point lies from it)");
    console.print(points_table(curve));
    console.say("\nAt cuts of the uncapped draw");
    console.print(cuts_table(curve));
  }
  if (curve.advice) {
    console.say("\nCheapest caps (savings on the work of an uncapped day; *: advised)");
    console.print(advice_table(curve));
    console.say(kPaysBelow);
  }
  console.say("\n" + sentence_of(curve));
}

void print_tables(std::span<const GroupCurve> curves, bool one_group, Console& console) {
  if (console.format() == Format::csv) {
    console.print(one_group ? points_table(curves.front()) : summary_table(curves));
    return;
  }
  if (one_group) {
    for (const GroupCurve& curve : curves) print_details(curve, console);
    return;
  }
  console.print(jobs_table(curves));
  if (std::ranges::any_of(curves, [](const GroupCurve& curve) { return curve.advice.has_value(); })) {
    console.say("\nCheapest caps within a loss of throughput; cap W and what follows it: the advised one");
    console.print(caps_table(curves));
    console.say("\nMost work per joule");
    console.print(efficient_table(curves));
    console.say(kPaysBelow);
  }
  console.say("");
  for (const GroupCurve& curve : curves) {
    console.say(fmt::format("{}: {}", curve.group.id.group, sentence_of(curve)));
  }
}

Result<Outcome> run_curve(const Arguments& arguments, Console& console) {
  const auto settings = curve_settings_from(arguments);
  if (!settings) return std::unexpected(settings.error());
  auto table = read_sweep_table(std::string(arguments.text("TABLE")));
  if (!table) return std::unexpected(table.error());
  const std::string_view wanted = arguments.text("group");
  if (!wanted.empty()) {
    std::erase_if(table->dropped, [&](const DroppedGroup& group) { return group.id.group != wanted; });
  }
  const auto curves = curves_of(*table, arguments, *settings, console);
  if (!curves) return std::unexpected(curves.error());

  std::vector<std::string> warnings = table->warnings;
  std::ranges::copy(group_warnings(*curves), std::back_inserter(warnings));
  for (const std::string& warning : warnings) console.warn(warning);
  if (console.format() == Format::json) {
    print_json(to_json(*table, *settings, *curves, warnings), console);
  } else {
    print_tables(*curves, arguments.has("group"), console);
    say_dropped(table->dropped, console);
  }
  return table->dropped.empty() ? Outcome::done : Outcome::partial;
}

constexpr JsonField kJsonFields[] = {
    {"status", "", "done, or partial when groups were left out"},
    {"table", "", "name of the sweep table"},
    {"price_per_kwh", "money", "as given by --price"},
    {"resamples", "1", "behind every interval"},
    {"seed", "1", "of the resamples"},
    {"warnings[]", "", "what the reader should know"},
    {"groups[].group", "", "name of the job configuration"},
    {"groups[].accelerator", "", "accelerator model"},
    {"groups[].task", "", "pretraining, fine-tuning, training, inference or unknown"},
    {"groups[].gpus", "1", "GPUs of the job"},
    {"groups[].pedigree", "", "measured, simulated or predicted"},
    {"groups[].class", "",
     "unaffected, flexible, proportional, inflexible, undetermined, unbound or unknown"},
    {"groups[].class_reason", "", "the numbers the class rests on"},
    {"groups[].pfi_guarded", "1", "guarded index, null when too few points are resolved"},
    {"groups[].pfi_guarded_ci95[]", "1", "its interval"},
    {"groups[].ci_source", "", "where the errors of the points come from"},
    {"groups[].reason", "", "why there is no curve; null when there is one"},
    {"groups[].scatter", "1", "spread of the points about the curve in units of their errors"},
    {"groups[].widened", "", "whether the intervals are widened by the scatter"},
    {"groups[].uncapped.cap_w", "W", "largest cap, per GPU"},
    {"groups[].uncapped.power_w", "W", "draw of the job there, from the fit"},
    {"groups[].uncapped.throughput", "table unit", "throughput there, from the fit"},
    {"groups[].uncapped.throughput_per_joule", "table unit/W", "work per joule there"},
    {"groups[].curve[].cap_w", "W", "a sound measured cap, per GPU"},
    {"groups[].curve[].power_w", "W", "draw of the job at that cap, from the fit"},
    {"groups[].curve[].throughput", "table unit", "throughput of the curve"},
    {"groups[].curve[].throughput_ci95[]", "table unit", "its interval at that draw"},
    {"groups[].curve[].throughput_kept", "1", "share of the uncapped throughput"},
    {"groups[].curve[].throughput_kept_ci95[]", "1", "its interval at that cap"},
    {"groups[].curve[].throughput_per_joule", "table unit/W", "work per joule"},
    {"groups[].points[].cap_w", "W", "measured cap, per GPU"},
    {"groups[].points[].power_w", "W", "measured draw of the job"},
    {"groups[].points[].throughput", "table unit", "measured throughput"},
    {"groups[].points[].verdict", "", "what the point is worth, as in wattflex pfi"},
    {"groups[].points[].reason", "", "why"},
    {"groups[].points[].fitted", "table unit", "throughput of the curve at this draw; null when left out"},
    {"groups[].points[].departure_sigma", "1",
     "measured minus fitted, in the point's errors; null when left out"},
    {"groups[].departures[].cap_w", "W", "cap of a point more than two errors from the curve"},
    {"groups[].departures[].departure_sigma", "1", "how far"},
    {"groups[].cuts[].cut", "1", "share of the uncapped draw taken away"},
    {"groups[].cuts[].power_w", "W", "draw left; null beyond the measured range, like all below"},
    {"groups[].cuts[].throughput_kept", "1", "share of the uncapped throughput"},
    {"groups[].cuts[].throughput_kept_ci95[]", "1", "its interval"},
    {"groups[].cuts[].marginal_per_w", "table unit/W", "throughput lost with the next watt"},
    {"groups[].cuts[].marginal_per_w_ci95[]", "table unit/W", "its interval"},
    {"groups[].cuts[].elasticity", "1", "percent of throughput lost per percent of draw, at this draw"},
    {"groups[].cuts[].elasticity_ci95[]", "1", "its interval"},
    {"groups[].advice[].advised", "", "whether the sentence leads with it; one of a group at most"},
    {"groups[].advice[].goal", "", "most_work_per_joule or cheapest_within_loss"},
    {"groups[].advice[].loss_limit", "1", "largest loss of throughput allowed; null for the first goal"},
    {"groups[].advice[].cap_w", "W",
     "whole-watt cap per GPU; the uncapped one when no cap meets the goal better"},
    {"groups[].advice[].power_w", "W", "draw of the job at that cap"},
    {"groups[].advice[].power_cut", "1", "share of the uncapped draw saved"},
    {"groups[].advice[].power_cut_ci95[]", "1", "its interval"},
    {"groups[].advice[].throughput_loss", "1", "share of the uncapped throughput lost"},
    {"groups[].advice[].throughput_loss_ci95[]", "1", "its interval"},
    {"groups[].advice[].energy_saved", "1", "per unit of work; negative: the cap costs energy"},
    {"groups[].advice[].energy_saved_ci95[]", "1", "its interval"},
    {"groups[].advice[].saves", "", "whether the interval excludes no saving"},
    {"groups[].advice[].kwh_saved_per_day", "kWh", "at equal work: on what an uncapped day does"},
    {"groups[].advice[].money_saved_per_day", "money", "the same at --price"},
    {"groups[].advice[].break_even_gpu_hour", "money",
     "worth of a GPU hour above which the longer run costs more than the cap saves; null when no "
     "time is lost"},
    {"groups[].advice[].doubtful", "",
     "the mean draw stays far below the cap, so the cap can have acted on peaks at most"},
    {"groups[].advice[].at_lowest_cap", "", "a lower cap might do better and was not measured"},
    {"groups[].sentence", "", "the advice in words"},
    {"groups[].warnings[]", "", "about this group"},
};

}  // namespace

const Verb& curve_verb() {
  static const Verb kVerb = {
      .name = "curve",
      .summary = "Power curve of each job, and the cap to set",
      .details =
          "Fits a non-decreasing, concave curve of throughput over draw to each group of a sweep table, with "
          "95 % "
          "intervals, and advises caps: the cheapest within 2, 5 and 10 % loss of throughput, and the one "
          "with the most work per joule. Savings are stated at equal work, so the longer run is paid for; "
          "nothing "
          "outside the "
          "measured caps is considered.",
      .options = {{"TABLE", "TABLE", "", "sweep table; - for standard input", Takes::value, true},
                  {"--group", "GROUP", "", "this group only, in full"},
                  {"--at", "CUTS", "5%,10%,20%", "cuts of the uncapped draw to state the curve at"},
                  {"--price", "PRICE", "0.12", "of a kWh, in your currency, 0..1000000"},
                  resamples_option(kCurveResamples),
                  {"--seed", "S", "1", "of the resamples"},
                  noise_option()},
      .examples = {{"wattflex curve sweep.csv", "one line and one sentence of advice per job"},
                   {"wattflex curve sweep.csv --group sft-70b --at 0%:40%:5%", "one job in full"},
                   {"wattflex curve sweep.csv --price 0.31 -o json", "everything, for programs"}},
      .json_fields = with_dropped_fields({std::begin(kJsonFields), std::end(kJsonFields)}),
      .run = run_curve,
      .check = can_read<curve_settings_from>};
  return kVerb;
}

}  // namespace wattflex::app
