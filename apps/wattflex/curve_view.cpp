#include "apps/wattflex/curve_view.h"

#include <fmt/core.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace wattflex::app {
namespace {

using namespace wattflex::elasticity;
using nlohmann::json;
using report::Align;
using report::TextTable;

json ci95(const Ranged& ranged) {
  return {ranged.low, ranged.high};
}

std::string percent(double share) {
  return fmt::format("{:.1f}", share * 100);
}

std::string percent(const Ranged& share) {
  return fmt::format("{:.1f} ({:.1f}..{:.1f})", share.value * 100, share.low * 100, share.high * 100);
}

std::string ranged(const Ranged& value) {
  return fmt::format("{:.4g} ({:.4g}..{:.4g})", value.value, value.low, value.high);
}

std::string watts(Power power) {
  return fmt::format("{:.{}f}", power.watts(), power.watts() < 1000 ? 1 : 0);
}
std::string whole_watts(Power power) {
  return fmt::format("{:g}", power.watts());
}

// The band at a fixed draw: how far the curve itself may be off there.
Ranged throughput_band(const PowerCurveFit& fit, Power draw) {
  return fit.estimate([&](const PowerCurve& c) { return c.throughput_at(draw); }, kNotNegative);
}

Ranged kept_at_cap(const PowerCurveFit& fit, Power cap) {
  return fit.estimate([&](const PowerCurve& c) { return c.kept_at(c.draw_at(cap)); }, kShare);
}

json curve_points(const PowerCurveFit& fit) {
  json points = json::array();
  for (const CurveResidual& residual : fit.residuals()) {
    const Power cap = residual.judged.point.cap;
    const Power draw = fit.curve().draw_at(cap);
    const Ranged throughput = throughput_band(fit, draw);
    const Ranged kept = kept_at_cap(fit, cap);
    points.push_back({{"cap_w", cap.watts()},
                      {"power_w", draw.watts()},
                      {"throughput", throughput.value},
                      {"throughput_ci95", ci95(throughput)},
                      {"throughput_kept", kept.value},
                      {"throughput_kept_ci95", ci95(kept)},
                      {"throughput_per_joule", fit.curve().efficiency_at(draw)}});
  }
  return points;
}

const CurveResidual* residual_at(const GroupCurve& curve, Power cap) {
  if (!curve.fit) return nullptr;
  for (const CurveResidual& residual : curve.fit->residuals()) {
    if (residual.judged.point.cap == cap) return &residual;
  }
  return nullptr;
}

json measured_points(const GroupCurve& curve) {
  json points = json::array();
  for (const JudgedPoint& judged : curve.flexibility.points) {
    const CurveResidual* const residual = residual_at(curve, judged.point.cap);
    points.push_back({{"cap_w", judged.point.cap.watts()},
                      {"power_w", judged.point.power.watts()},
                      {"throughput", judged.point.throughput},
                      {"verdict", to_string(judged.verdict)},
                      {"reason", judged.reason},
                      {"fitted", residual ? json(residual->fitted) : json()},
                      {"departure_sigma", residual ? json(residual->departure) : json()}});
  }
  return points;
}

json departures(const PowerCurveFit& fit) {
  json far = json::array();
  for (const CurveResidual& residual : fit.residuals()) {
    if (std::abs(residual.departure) <= 2) continue;
    far.push_back({{"cap_w", residual.judged.point.cap.watts()}, {"departure_sigma", residual.departure}});
  }
  return far;
}

json to_json(const CurveAtCut& at) {
  json cut = {{"cut", at.cut},
              {"power_w", nullptr},
              {"throughput_kept", nullptr},
              {"throughput_kept_ci95", nullptr},
              {"marginal_per_w", nullptr},
              {"marginal_per_w_ci95", nullptr},
              {"elasticity", nullptr},
              {"elasticity_ci95", nullptr}};
  if (!at.values) return cut;
  cut["power_w"] = at.values->draw.watts();
  cut["throughput_kept"] = at.values->kept.value;
  cut["throughput_kept_ci95"] = ci95(at.values->kept);
  cut["marginal_per_w"] = at.values->marginal.value;
  cut["marginal_per_w_ci95"] = ci95(at.values->marginal);
  cut["elasticity"] = at.values->elasticity.value;
  cut["elasticity_ci95"] = ci95(at.values->elasticity);
  return cut;
}

json to_json(const CapAdvice& advice, bool advised) {
  return {{"advised", advised},
          {"goal", advice.loss_limit ? "cheapest_within_loss" : "most_work_per_joule"},
          {"loss_limit", advice.loss_limit ? json(*advice.loss_limit) : json()},
          {"cap_w", advice.cap.watts()},
          {"power_w", advice.draw.watts()},
          {"power_cut", advice.power_cut.value},
          {"power_cut_ci95", ci95(advice.power_cut)},
          {"throughput_loss", advice.throughput_loss.value},
          {"throughput_loss_ci95", ci95(advice.throughput_loss)},
          {"energy_saved", advice.energy_saved.value},
          {"energy_saved_ci95", ci95(advice.energy_saved)},
          {"saves", advice.saves()},
          {"kwh_saved_per_day", advice.energy_saved_per_day.kilowatt_hours()},
          {"money_saved_per_day", advice.money_saved_per_day},
          {"break_even_gpu_hour", advice.break_even_gpu_hour ? json(*advice.break_even_gpu_hour) : json()},
          {"doubtful", advice.doubtful},
          {"at_lowest_cap", advice.at_lowest_cap}};
}

json all_advice(const Advice& advice) {
  json list = json::array({to_json(advice.most_efficient, false)});
  for (std::size_t i = 0; i < advice.within.size(); ++i)
    list.push_back(to_json(advice.within[i], advice.advised == i));
  return list;
}

std::string index_text(const Estimate& index) {
  if (!index.value) return "none";
  if (!index.ci95) return fmt::format("{:.2f}", *index.value);
  return fmt::format("{:.2f} ({:.2f}..{:.2f})", *index.value, index.ci95->low, index.ci95->high);
}

std::string goal_text(const CapAdvice& advice, bool advised) {
  if (!advice.loss_limit) return "most per joule";
  return fmt::format("within {:g} % loss{}", *advice.loss_limit * 100, advised ? " *" : "");
}

std::string break_even_text(const CapAdvice& advice) {
  return advice.break_even_gpu_hour ? fmt::format("{:.3f}", *advice.break_even_gpu_hour) : "";
}

std::string_view advice_text(const Advice& advice) {
  if (advice.advised) return "cap";
  return advice.measure_again ? "measure again" : "leave";
}

std::vector<std::string> cells_of(const CapAdvice& advice) {
  return {whole_watts(advice.cap), percent(advice.throughput_loss.value), percent(advice.energy_saved),
          break_even_text(advice)};
}

std::vector<std::string> advised_cells(const Advice& advice) {
  return advice.advised ? cells_of(advice.within[*advice.advised]) : std::vector<std::string>(4);
}

std::vector<std::string> job_cells(const GroupCurve& curve) {
  return {curve.group.id.group,
          curve.group.id.accelerator,
          std::to_string(curve.group.gpus),
          std::string(to_string(curve.classification.elasticity)),
          index_text(curve.flexibility.guarded),
          curve.fit ? watts(curve.fit->curve().uncapped_draw()) : ""};
}

std::string unbound_sentence(const GroupCurve& curve) {
  const PowerCurve& fitted = curve.fit->curve();
  return fmt::format(
      "No cap of this sweep, down to {:g} W, changes the draw ({:.1f} W per GPU) by more than noise: nothing "
      "to "
      "gain here.",
      fitted.lowest_cap().watts(), (fitted.uncapped_draw() / curve.group.gpus).watts());
}

}  // namespace

json to_json(const GroupCurve& curve) {
  const GroupId& id = curve.group.id;
  const Estimate& index = curve.flexibility.guarded;
  json group = {{"group", id.group},
                {"accelerator", id.accelerator},
                {"task", to_string(curve.group.task)},
                {"gpus", curve.group.gpus},
                {"pedigree", to_string(curve.group.pedigree)},
                {"class", to_string(curve.classification.elasticity)},
                {"class_reason", curve.classification.reason},
                {"pfi_guarded", index.value ? json(*index.value) : json()},
                {"pfi_guarded_ci95", index.ci95 ? json({index.ci95->low, index.ci95->high}) : json()},
                {"ci_source", curve.flexibility.ci_source},
                {"reason", curve.fit ? json() : json(curve.fit.error().message)},
                {"points", measured_points(curve)},
                {"sentence", sentence_of(curve)},
                {"warnings", curve.warnings}};
  if (!curve.fit) return group;
  const PowerCurve& fitted = curve.fit->curve();
  group["scatter"] = curve.fit->scatter();
  group["widened"] = curve.fit->widened();
  group["uncapped"] = {{"cap_w", fitted.uncapped_cap().watts()},
                       {"power_w", fitted.uncapped_draw().watts()},
                       {"throughput", fitted.uncapped_throughput()},
                       {"throughput_per_joule", fitted.efficiency_at(fitted.uncapped_draw())}};
  group["curve"] = curve_points(*curve.fit);
  group["departures"] = departures(*curve.fit);
  group["cuts"] = json::array();
  for (const CurveAtCut& cut : curve.cuts) group["cuts"].push_back(to_json(cut));
  group["advice"] = curve.advice ? all_advice(*curve.advice) : json::array();
  return group;
}

TextTable summary_table(std::span<const GroupCurve> curves) {
  TextTable table({{"group", "", Align::left},
                   {"accelerator", "", Align::left},
                   {"gpus", ""},
                   {"class", "", Align::left},
                   {"pfi_guarded", ""},
                   {"power_w", ""},
                   {"advice", "", Align::left},
                   {"advised_cap_w", ""},
                   {"advised_loss_percent", ""},
                   {"advised_energy_saved_percent", ""},
                   {"advised_break_even_gpu_hour", ""},
                   {"best_cap_w", ""},
                   {"loss_percent", ""},
                   {"energy_saved_percent", ""},
                   {"break_even_gpu_hour", ""},
                   {"cap_within_2_percent_w", ""},
                   {"cap_within_5_percent_w", ""},
                   {"cap_within_10_percent_w", ""}});
  for (const GroupCurve& curve : curves) {
    std::vector<std::string> row = job_cells(curve);
    if (curve.advice) {
      row.emplace_back(advice_text(*curve.advice));
      std::ranges::move(advised_cells(*curve.advice), std::back_inserter(row));
      std::ranges::move(cells_of(curve.advice->most_efficient), std::back_inserter(row));
      for (const CapAdvice& within : curve.advice->within) row.push_back(whole_watts(within.cap));
    }
    table.add_row(std::move(row));
  }
  return table;
}

TextTable jobs_table(std::span<const GroupCurve> curves) {
  TextTable table({{"group", "group", Align::left},
                   {"accelerator", "accelerator", Align::left},
                   {"gpus", "GPUs"},
                   {"class", "class", Align::left},
                   {"pfi_guarded", "PFI guarded"},
                   {"power_w", "draw W"}});
  for (const GroupCurve& curve : curves) table.add_row(job_cells(curve));
  return table;
}

TextTable caps_table(std::span<const GroupCurve> curves) {
  TextTable table({{"group", "group", Align::left},
                   {"advice", "advice", Align::left},
                   {"advised_cap_w", "cap W"},
                   {"advised_loss_percent", "loss %"},
                   {"advised_energy_saved_percent", "energy saved %"},
                   {"advised_break_even_gpu_hour", "pays below"},
                   {"cap_within_2_percent_w", "cap for 2 %"},
                   {"cap_within_5_percent_w", "cap for 5 %"},
                   {"cap_within_10_percent_w", "cap for 10 %"}});
  for (const GroupCurve& curve : curves) {
    if (!curve.advice) continue;
    std::vector<std::string> row = {curve.group.id.group, std::string(advice_text(*curve.advice))};
    std::ranges::move(advised_cells(*curve.advice), std::back_inserter(row));
    for (const CapAdvice& within : curve.advice->within) row.push_back(whole_watts(within.cap));
    table.add_row(std::move(row));
  }
  return table;
}

TextTable efficient_table(std::span<const GroupCurve> curves) {
  TextTable table({{"group", "group", Align::left},
                   {"best_cap_w", "cap W"},
                   {"loss_percent", "loss %"},
                   {"energy_saved_percent", "energy saved %"},
                   {"break_even_gpu_hour", "pays below"}});
  for (const GroupCurve& curve : curves) {
    if (!curve.advice) continue;
    std::vector<std::string> row = {curve.group.id.group};
    std::ranges::move(cells_of(curve.advice->most_efficient), std::back_inserter(row));
    table.add_row(std::move(row));
  }
  return table;
}

TextTable points_table(const GroupCurve& curve) {
  TextTable table({{"cap_w", "cap W"},
                   {"power_w", "draw W"},
                   {"throughput", "throughput"},
                   {"fitted", "curve (95 %)"},
                   {"departure_sigma", "sigma"},
                   {"kept_percent", "kept %"},
                   {"throughput_per_joule", "per joule"},
                   {"verdict", "verdict", Align::left}});
  for (const JudgedPoint& judged : curve.flexibility.points) {
    std::vector<std::string> row = {whole_watts(judged.point.cap), watts(judged.point.power),
                                    fmt::format("{:.5g}", judged.point.throughput)};
    if (const CurveResidual* const residual = residual_at(curve, judged.point.cap)) {
      const Power draw = curve.fit->curve().draw_at(judged.point.cap);
      row.push_back(ranged(throughput_band(*curve.fit, draw)));
      row.push_back(fmt::format("{:+.1f}", residual->departure));
      row.push_back(percent(kept_at_cap(*curve.fit, judged.point.cap)));
      row.push_back(fmt::format("{:.4g}", curve.fit->curve().efficiency_at(draw)));
    }
    row.resize(7);
    row.emplace_back(to_string(judged.verdict));
    table.add_row(std::move(row));
  }
  return table;
}

TextTable cuts_table(const GroupCurve& curve) {
  TextTable table({{"cut_percent", "cut %"},
                   {"power_w", "draw W"},
                   {"kept_percent", "kept %"},
                   {"marginal_per_w", "lost per next watt"},
                   {"elasticity", "% lost per % of draw"}});
  for (const CurveAtCut& at : curve.cuts) {
    if (!at.values) {
      table.add_row({fmt::format("{:g}", at.cut * 100), "not reached by this sweep"});
      continue;
    }
    table.add_row({fmt::format("{:g}", at.cut * 100), watts(at.values->draw), percent(at.values->kept),
                   ranged(at.values->marginal),
                   fmt::format("{:.2f} ({:.2f}..{:.2f})", at.values->elasticity.value,
                               at.values->elasticity.low, at.values->elasticity.high)});
  }
  return table;
}

TextTable advice_table(const GroupCurve& curve) {
  TextTable table({{"goal", "goal", Align::left},
                   {"cap_w", "cap W"},
                   {"power_w", "draw W"},
                   {"loss_percent", "loss %"},
                   {"energy_saved_percent", "energy saved %"},
                   {"kwh_saved_per_day", "kWh/day"},
                   {"money_saved_per_day", "money/day"},
                   {"break_even_gpu_hour", "pays below"}});
  const auto add = [&](const CapAdvice& advice, bool advised) {
    table.add_row({goal_text(advice, advised), whole_watts(advice.cap), watts(advice.draw),
                   percent(advice.throughput_loss), percent(advice.energy_saved),
                   fmt::format("{:.2f}", advice.energy_saved_per_day.kilowatt_hours()),
                   fmt::format("{:.2f}", advice.money_saved_per_day), break_even_text(advice)});
  };
  if (!curve.advice) return table;
  const Advice& advice = *curve.advice;
  for (std::size_t i = 0; i < advice.within.size(); ++i) add(advice.within[i], advice.advised == i);
  add(advice.most_efficient, false);
  return table;
}

std::string sentence_of(const GroupCurve& curve) {
  if (!curve.fit) return "No advice: " + curve.fit.error().message + ".";
  std::string sentence = curve.advice ? curve.advice->sentence : unbound_sentence(curve);
  if (curve.group.pedigree != Pedigree::measured) {
    sentence += fmt::format(" ({}, not measured)", to_string(curve.group.pedigree));
  }
  const PowerKind kind = curve.group.points.front().power_kind;
  if (kind != PowerKind::mean) {
    sentence += fmt::format(" (draws are {}, not means: the energy is an estimate)", to_string(kind));
  }
  return sentence;
}

}  // namespace wattflex::app
