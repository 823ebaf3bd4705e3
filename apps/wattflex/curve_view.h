// How `wattflex curve` shows one group's power curve: as rows of a table, as detail tables and as JSON.
// Computes nothing but what it prints.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "elasticity/advice.h"
#include "elasticity/elasticity_class.h"
#include "elasticity/flexibility.h"
#include "elasticity/power_curve.h"
#include "report/text_table.h"

namespace wattflex::app {

// The curve at one cut of the uncapped draw; without values where the sweep did not reach.
struct CurveAtCut {
  struct Values {
    Power draw;
    elasticity::Ranged kept;        // share of uncapped throughput
    elasticity::Ranged marginal;    // throughput lost with the next watt
    elasticity::Ranged elasticity;  // percent of throughput per percent of draw, here
  };
  double cut = 0;
  std::optional<Values> values;
};

struct GroupCurve {
  SweepGroup group;
  elasticity::Flexibility flexibility;
  elasticity::Classification classification;
  Result<elasticity::PowerCurveFit> fit;
  std::vector<CurveAtCut> cuts;              // with a fit only
  std::optional<elasticity::Advice> advice;  // with a fit and a cap that binds only
  std::vector<std::string> warnings;
};

nlohmann::json to_json(const GroupCurve& curve);

// One row a group, for CSV.
report::TextTable summary_table(std::span<const GroupCurve> curves);
// The same for reading: the jobs, the caps within a loss, and those with the most work per joule.
report::TextTable jobs_table(std::span<const GroupCurve> curves);
report::TextTable caps_table(std::span<const GroupCurve> curves);
report::TextTable efficient_table(std::span<const GroupCurve> curves);
// For a single group: the curve at every sound measured cap, at the cuts asked for, and the advice in full.
report::TextTable points_table(const GroupCurve& curve);
report::TextTable cuts_table(const GroupCurve& curve);
report::TextTable advice_table(const GroupCurve& curve);
// The advice in words, or why there is none; with what the reader must know to believe it.
std::string sentence_of(const GroupCurve& curve);

}  // namespace wattflex::app
