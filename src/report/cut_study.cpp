#include "report/cut_study.h"

#include <fmt/core.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "allocate/allocation.h"
#include "base/counted.h"
#include "report/display_text.h"

namespace wattflex::report {
namespace {

using allocate::Policy;

constexpr double kStep = 0.01;
constexpr double kUsualDepth = 0.40;
constexpr double kNoDifference = 5e-5;

std::vector<double> cuts_for(double asked, double deepest) {
  const double most = std::min(deepest, std::max(kUsualDepth, asked + 0.05));
  std::vector<double> cuts;
  for (int i = 0; i * kStep <= most + 1e-12; ++i) cuts.push_back(i * kStep);
  return cuts;
}

Result<PolicyCost> cost_of(const allocate::FleetProblem& fleet, Policy policy,
                           const std::vector<double>& cuts) {
  PolicyCost cost{.policy = policy, .kept = {}};
  for (const double cut : cuts) {
    const auto division = allocate::divide_cut(fleet.problem, policy, fleet.problem.uncapped_draw() * cut);
    if (!division) return std::unexpected(division.error());
    cost.kept.push_back(division->objective);
  }
  return cost;
}

// The jobs under every policy that can serve them, at the cut asked for.
Result<void> add_plans(const allocate::FleetProblem& fleet, const SweepTable& table,
                       const CutQuestion& question, CutStudy& study) {
  for (std::size_t j = 0; j < fleet.problem.jobs.size(); ++j) {
    const allocate::Job& job = fleet.problem.jobs[j];
    const allocate::JobOrigin& origin = fleet.origins[j];
    study.job_plans.push_back({.job = job.name,
                               .group = table.groups[origin.group].id.group,
                               .gpus = job.gpus,
                               .tier = origin.tier,
                               .pfi = job.pfi,
                               .scaled = origin.scaled,
                               .planned = {}});
  }
  std::vector<allocate::FleetPlan> plans;
  for (const PolicyCost& cost : study.policies) {
    auto plan = allocate::plan_fleet(fleet, cost.policy, study.uncapped * study.asked);
    if (!plan) return std::unexpected(plan.error());
    for (std::size_t j = 0; j < plan->jobs.size(); ++j) study.job_plans[j].planned.push_back(plan->jobs[j]);
    plans.push_back(std::move(*plan));
  }
  std::vector<const allocate::FleetPlan*> pointers;
  pointers.reserve(plans.size());
  for (const allocate::FleetPlan& plan : plans) pointers.push_back(&plan);
  const auto certainties =
      allocate::plan_certainty(table, fleet, question.options, pointers, question.certainty);
  if (!certainties) return std::unexpected(certainties.error());
  for (std::size_t p = 0; p < plans.size(); ++p) {
    study.plans.push_back(
        {study.policies[p].policy, plans[p].normalized, plans[p].tokens, certainties->plans[p]});
  }
  return {};
}

std::string percent(double share, int decimals = 1) {
  return fmt::format("{:.{}f} %", 100 * share, decimals);
}

// How the one job is cut: "; cap each GPU at 287 W."
std::string cap_in_words(const CutStudy& study) {
  if (study.job_plans.empty() || study.job_plans.front().planned.empty()) return ".";
  const allocate::PlannedJob& planned = study.job_plans.front().planned.back();
  return fmt::format("; cap each GPU at {} W.", cap_text(planned.cap));
}

}  // namespace

std::optional<double> CutStudy::kept(const PolicyCost& cost, double cut) const {
  if (cuts.empty() || cut < 0 || cut > cuts.back() + 1e-9) return std::nullopt;
  const auto after = std::ranges::lower_bound(cuts, cut - 1e-9);
  const auto i = static_cast<std::size_t>(after - cuts.begin());
  if (i == 0) return cost.kept.front();
  const double share = (cut - cuts[i - 1]) / (cuts[i] - cuts[i - 1]);
  return std::lerp(cost.kept[i - 1], cost.kept[i], std::min(share, 1.0));
}

Result<CutStudy> study_cuts(const allocate::FleetProblem& fleet, const SweepTable& table,
                            CutQuestion question) {
  assert(fleet.problem.objective == allocate::Objective::normalized);
  const allocate::Problem& problem = fleet.problem;
  if (problem.jobs.empty())
    return fail(ErrorKind::no_data, question.name + ": no job has a usable power curve", "");
  CutStudy study{.name = std::move(question.name),
                 .pedigree = std::move(question.pedigree),
                 .jobs = static_cast<int>(problem.jobs.size()),
                 .predicted = question.predicted};
  for (const allocate::Job& job : problem.jobs) study.gpus += job.gpus;
  study.uncapped = problem.uncapped_draw();
  study.asked = question.cut;
  study.deepest = 1 - problem.least_draw() / problem.uncapped_draw();
  study.cuts = cuts_for(study.asked, study.deepest);
  for (const Policy policy : allocate::all_policies()) {
    auto cost = cost_of(fleet, policy, study.cuts);
    if (cost) {
      study.policies.push_back(std::move(*cost));
    } else if (cost.error().kind == ErrorKind::refused) {
      study.refused.push_back(fmt::format("{}: {}", label(policy), cost.error().message));
    } else {
      return std::unexpected(cost.error());
    }
  }
  if (study.asked <= study.deepest) {
    if (const auto added = add_plans(fleet, table, question, study); !added)
      return std::unexpected(added.error());
  }
  return study;
}

std::string against_equal(const CutStudy& study, const PolicyCost& cost) {
  double helps_to = 0, hurts_from = 0;
  bool mixed = false;
  for (std::size_t i = 1; i < study.cuts.size(); ++i) {
    const double gain = cost.kept[i] - study.equal().kept[i];
    if (gain > kNoDifference) {
      mixed = mixed || hurts_from > 0;
      helps_to = study.cuts[i];
    } else if (gain < -kNoDifference && hurts_from == 0) {
      hurts_from = study.cuts[i];
    }
  }
  if (helps_to == 0 && hurts_from == 0) return "is equal sharing here";
  if (hurts_from == 0) return "never does worse than equal sharing";
  if (helps_to == 0) return "never beats equal sharing";
  if (mixed)
    return fmt::format("beats equal sharing at some cuts and does worse at others, first at {}",
                       cut_text(hurts_from));
  return fmt::format("beats equal sharing up to a {} cut and does worse from {} on", cut_text(helps_to),
                     cut_text(hurts_from));
}

bool same_as_equal(const CutStudy& study, const PolicyCost& cost) {
  return std::ranges::equal(cost.kept, study.equal().kept,
                            [](double a, double b) { return std::abs(a - b) < kNoDifference; });
}

namespace {

std::string gain_in_words(const allocate::Expectation& gain) {
  return fmt::format("{:.1f} points {} than equal sharing ({}..{})", 100 * std::abs(gain.expected),
                     gain.expected < 0 ? "less" : "more", points_text(gain.ci95.low),
                     points_text(gain.ci95.high));
}

// What the optimum's promise is worth; nothing where that is not known.
std::optional<std::string> certainty_in_words(const CutStudy& study) {
  if (study.plans.empty() || !study.plans.back().certainty.gain) return std::nullopt;
  const allocate::Certainty& certainty = study.plans.back().certainty;
  return fmt::format(
      "Allowing for noise, expect the optimum to keep {}{}", gain_in_words(*certainty.gain),
      certainty.differs_from_equal() ? "." : ": these measurements do not tell it from sharing equally.");
}

}  // namespace

std::vector<std::string> headline_of(const CutStudy& study) {
  const auto best = study.kept(study.oracle(), study.asked);
  const auto equal = study.kept(study.equal(), study.asked);
  const std::string who =
      study.jobs == 1 ? fmt::format("this {}-GPU job", study.gpus)
                      : fmt::format("these {} on {}", counted(study.jobs, "job"), counted(study.gpus, "GPU"));
  if (!best || !equal) {
    return {fmt::format("A {} power cut is more than the caps can take from {}: at most {} % was measured.",
                        cut_text(study.asked), who, reachable_percent(study.deepest))};
  }
  if (study.jobs == 1) {
    return {fmt::format("A {} power cut costs {} {} of its throughput", cut_text(study.asked), who,
                        percent(1 - *best)) +
            cap_in_words(study)};
  }
  std::vector<std::string> out = {
      fmt::format("A {} power cut costs {} {} of their throughput at best, {} shared equally.",
                  cut_text(study.asked), who, percent(1 - *best), percent(1 - *equal))};
  if (auto certainty = certainty_in_words(study)) out.push_back(std::move(*certainty));
  const auto find = [&](Policy policy) {
    return std::ranges::find(study.policies, policy, &PolicyCost::policy);
  };
  const auto literal = find(Policy::pfi);
  const auto scaled = find(Policy::pfi_scaled);
  if (literal == study.policies.end() || scaled == study.policies.end()) return out;
  const std::string of_literal = against_equal(study, *literal);
  const std::string of_scaled = against_equal(study, *scaled);
  out.push_back(
      of_literal == of_scaled
          ? fmt::format("The paper's Eq. 2 {}, in either reading.", of_literal)
          : fmt::format("The paper's Eq. 2, read literally, {}; size-scaled it {}.", of_literal, of_scaled));
  return out;
}

}  // namespace wattflex::report
