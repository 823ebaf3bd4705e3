#include "allocate/certainty.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/random.h"

namespace wattflex::allocate {
namespace {

using ::testing::HasSubstr;

constexpr double kTop = 8 * 700 * 0.95;  // watts of an uncapped job

// A job whose throughput is the draw to this power: concave below 1.
struct PowerLaw {
  double exponent = 1;
  double kept_at(Power draw) const { return std::pow(std::min(1.0, draw.watts() / kTop), exponent); }
};

// Its sweep at seven caps with relative errors of `scale` times the run-to-run default, which it states.
SweepGroup sweep_of(const PowerLaw& law, const std::string& name, double scale, RandomStream& random) {
  SweepGroup group;
  group.id = {"table", name, "H200"};
  group.gpus = 8;
  for (int k = 0; k < 7; ++k) {
    const Power cap = Power::from_watts(700 - 75 * k);
    const Power draw = cap * (8 * 0.95);
    SweepPoint point{.cap = cap,
                     .power = draw * (1 + 0.004 * scale * random.normal()),
                     .throughput = 100 * law.kept_at(draw) * (1 + 0.005 * scale * random.normal())};
    point.power_stderr = point.power * (0.004 * scale);
    point.throughput_stderr = point.throughput * (0.005 * scale);
    group.points.push_back(std::move(point));
  }
  return group;
}

struct Site {
  std::vector<PowerLaw> laws;
  SweepTable table;

  // A job that is not cut keeps all, whatever its sweep took its uncapped draw to be.
  double kept(std::span<const Power> draws) const {
    double sum = 0;
    for (std::size_t j = 0; j < laws.size(); ++j) {
      const bool uncut = draws[j] >= table.groups[j].uncapped().power * (1 - 1e-9);
      sum += uncut ? 1 : laws[j].kept_at(draws[j]);
    }
    return sum / static_cast<double>(laws.size());
  }
};

// Eight jobs, exponents `spread` around one half.
Site site(double spread, double scale, std::uint64_t seed) {
  RandomStream random(seed, 1);
  Site made;
  made.table.name = "table";
  for (int g = 0; g < 8; ++g) {
    made.laws.push_back({std::clamp(0.5 + spread * (2 * random.uniform() - 1), 0.02, 0.98)});
    made.table.groups.push_back(sweep_of(made.laws.back(), std::to_string(g), scale, random));
  }
  return made;
}

struct Judged {
  FleetPlan plan;
  FleetPlan equal;
  Certainty certainty;
};

Judged judged(const SweepTable& table, Policy policy, double cut_share, const CertaintyOptions& how) {
  const auto fleet = make_problem(table, std::nullopt, {});
  const Power cut = fleet->problem.uncapped_draw() * cut_share;
  auto plan = plan_fleet(*fleet, policy, cut);
  auto equal = plan_fleet(*fleet, Policy::equal, cut);
  const FleetPlan* const asked = &*plan;
  auto certainties = plan_certainty(table, *fleet, {}, {&asked, 1}, how);
  EXPECT_TRUE(certainties.has_value());
  return {std::move(*plan), std::move(*equal), certainties->plans.front()};
}

struct Coverage {
  int kept = 0;
  int gain = 0;
  int around_claim = 0;    // what an interval as wide around the claimed gain would hold
  int claim_too_good = 0;  // the claimed gain lies above the true one
};

Coverage coverage(double spread, double scale, int sites) {
  Coverage count;
  for (int s = 0; s < sites; ++s) {
    const Site made = site(spread, scale, static_cast<std::uint64_t>(s));
    const Judged result = judged(made.table, Policy::oracle, 0.2, {.resamples = 200});
    const double kept = made.kept(result.plan.allocation.draws);
    const double gain = kept - made.kept(result.equal.allocation.draws);
    EXPECT_TRUE(result.certainty.kept && result.certainty.gain) << result.certainty.reason;
    const auto holds = [](const Expectation& expectation, double truth) {
      return expectation.ci95.low <= truth && truth <= expectation.ci95.high ? 1 : 0;
    };
    count.kept += holds(*result.certainty.kept, kept);
    count.gain += holds(*result.certainty.gain, gain);
    const double claimed = result.plan.normalized - result.equal.normalized;
    const double reach = result.certainty.gain->ci95.high - result.certainty.gain->expected;
    count.around_claim += std::abs(claimed - gain) <= reach ? 1 : 0;
    count.claim_too_good += claimed > gain ? 1 : 0;
  }
  ::testing::Test::RecordProperty("held", count.gain);
  ::testing::Test::RecordProperty("held_around_claim", count.around_claim);
  return count;
}

// Of 100 intervals that hold the truth in 95 % of cases, fewer than 88 do so once in 600 times. Error bars
// around the claim hold it 20 to 70 times.
constexpr int kSites = 100;
constexpr int kFewest = 88;

TEST(PlanCertainty, HoldsTheTruthWhereJobsDiffer) {
  const Coverage count = coverage(0.3, 1, kSites);
  EXPECT_GE(count.kept, kFewest);
  EXPECT_GE(count.gain, kFewest);
}

// Here the optimum picks noise: nearly every claim is too good, and still the intervals hold the truth.
TEST(PlanCertainty, HoldsTheTruthWhereAllJobsAreAlike) {
  const Coverage count = coverage(0, 1, kSites);
  EXPECT_GE(count.claim_too_good, kSites * 9 / 10);
  EXPECT_LT(count.around_claim, kFewest / 2);
  EXPECT_GE(count.kept, kFewest);
  EXPECT_GE(count.gain, kFewest);
}

TEST(PlanCertainty, ShowsNoDifferenceBetweenJobsThatAreAlike) {
  int shown = 0;
  for (std::uint64_t seed = 100; seed < 140; ++seed) {
    const Judged result = judged(site(0, 1, seed).table, Policy::oracle, 0.2, {.resamples = 200});
    shown += result.certainty.gain->ci95.low > 0 ? 1 : 0;
  }
  EXPECT_LE(shown, 4);  // 2.5 % each: five or more of 40 once in 300
}

TEST(PlanCertainty, ClosesOnTheClaimWhenRowsAreExact) {
  const Judged result = judged(site(0.3, 1e-6, 3).table, Policy::oracle, 0.2, {.resamples = 100});
  EXPECT_NEAR(result.certainty.kept->expected, result.plan.normalized, 1e-4);
  EXPECT_LT(result.certainty.kept->ci95.high - result.certainty.kept->ci95.low, 1e-4);
  EXPECT_GT(result.certainty.gain->ci95.low, 0);
}

TEST(PlanCertainty, OfNoCutIsCertain) {
  const Judged result = judged(site(0.3, 1, 4).table, Policy::oracle, 0, {.resamples = 100});
  EXPECT_NEAR(result.certainty.kept->expected, 1, 1e-12);
  EXPECT_NEAR(result.certainty.kept->ci95.low, 1, 1e-12);
  EXPECT_NEAR(result.certainty.gain->expected, 0, 1e-12);
}

// One job gives all of a shallow cut, the others are left alone; what these draw uncapped cannot matter.
TEST(PlanCertainty, OfAJobThatIsNotCutIsCertain) {
  Coverage count;
  for (int s = 0; s < kSites; ++s) {
    RandomStream random(static_cast<std::uint64_t>(s), 2);
    Site made{.laws = {{0.05}, {0.95}}, .table = {.name = "table"}};
    made.table.groups = {sweep_of(made.laws[0], "flat", 1, random),
                         sweep_of(made.laws[1], "steep", 1, random)};
    const Judged result = judged(made.table, Policy::oracle, 0.1, {.resamples = 200});
    const double gain = made.kept(result.plan.allocation.draws) - made.kept(result.equal.allocation.draws);
    count.gain += result.certainty.gain->ci95.low <= gain && gain <= result.certainty.gain->ci95.high ? 1 : 0;
  }
  EXPECT_GE(count.gain, kFewest);
}

TEST(PlanCertainty, OfEqualSharingGainsNothing) {
  const Judged result = judged(site(0.3, 1, 4).table, Policy::equal, 0.2, {.resamples = 100});
  EXPECT_EQ(result.certainty.gain->expected, 0);
  EXPECT_EQ(result.certainty.gain->ci95.low, 0);
  EXPECT_EQ(result.certainty.gain->ci95.high, 0);
  EXPECT_FALSE(result.certainty.differs_from_equal());
}

TEST(PlanCertainty, HangsOnTheSeedAndNotOnTheOrderOfGroups) {
  SweepTable table = site(0.3, 1, 5).table;
  const Judged first = judged(table, Policy::oracle, 0.2, {.resamples = 100, .seed = 7});
  std::ranges::reverse(table.groups);
  const Judged turned = judged(table, Policy::oracle, 0.2, {.resamples = 100, .seed = 7});
  const Judged other = judged(table, Policy::oracle, 0.2, {.resamples = 100, .seed = 8});
  EXPECT_NEAR(first.certainty.gain->ci95.low, turned.certainty.gain->ci95.low, 1e-12);
  EXPECT_NEAR(first.certainty.kept->expected, turned.certainty.kept->expected, 1e-12);
  EXPECT_NE(first.certainty.gain->ci95.low, other.certainty.gain->ci95.low);
}

TEST(PlanCertainty, JudgesRawSumsAsSharesOfTheUncappedSum) {
  const SweepTable table = site(0.3, 1, 6).table;
  FleetOptions options;
  options.objective = Objective::tokens;
  const auto fleet = make_problem(table, std::nullopt, options);
  const auto plan = plan_fleet(*fleet, Policy::oracle, fleet->problem.uncapped_draw() * 0.2);
  const FleetPlan* const asked = &*plan;
  const auto certainty = plan_certainty(table, *fleet, options, {&asked, 1}, {.resamples = 100});
  const double claimed = claimed_share(fleet->problem, plan->allocation.objective);
  EXPECT_LT(claimed, 1);
  EXPECT_GT(claimed, 0.8);
  EXPECT_NEAR(certainty->plans.front().kept->expected, claimed, 0.02);
}

TEST(PlanCertainty, ExpectsNoMoreThanTheWhole) {
  const Judged result = judged(site(0.3, 5, 12).table, Policy::oracle, 0.01, {.resamples = 200});
  EXPECT_LE(result.certainty.kept->ci95.high, 1);
  EXPECT_LE(result.certainty.kept->expected, 1);
}

// Its one cap lies just where the cut ends: every other resample falls short of it.
TEST(PlanCertainty, SaysWhenACutHangsByAThread) {
  const SweepTable table = site(0.3, 1, 13).table;
  double most = 0;
  double least = 0;
  for (const SweepGroup& group : table.groups) {
    most += group.points.front().power.watts();
    least += group.points.back().power.watts();
  }
  const Judged result = judged(table, Policy::equal, 1 - least / most - 1e-6, {.resamples = 100});
  EXPECT_THAT(result.certainty.reason, HasSubstr("of 100 resamples could be planned at all"));
}

TEST(PlanCertainty, SaysWhyThereIsNone) {
  const SweepTable table = site(0.3, 1, 9).table;
  EXPECT_THAT(judged(table, Policy::equal, 0.9, {.resamples = 100}).certainty.reason,
              HasSubstr("does not meet the cut"));
  EXPECT_THAT(judged(table, Policy::equal, 0.2, {.resamples = 0}).certainty.reason, HasSubstr("not asked"));
}

TEST(PlanCertainty, WidensByScatterAndSaysSo) {
  const SweepTable right = site(0.3, 3, 11).table;
  SweepTable wrong = right;  // claims errors a tenth of what the rows show
  for (SweepGroup& group : wrong.groups) {
    for (SweepPoint& point : group.points) {
      point.power_stderr = *point.power_stderr * 0.1;
      point.throughput_stderr = *point.throughput_stderr * 0.1;
    }
  }
  const auto fleet = make_problem(wrong, std::nullopt, {});
  const auto plan = plan_fleet(*fleet, Policy::oracle, fleet->problem.uncapped_draw() * 0.2);
  const FleetPlan* const asked = &*plan;
  const auto certainties = plan_certainty(wrong, *fleet, {}, {&asked, 1}, {.resamples = 200});
  ASSERT_FALSE(certainties->warnings.empty());
  EXPECT_THAT(certainties->warnings.front(), HasSubstr("times more about the power curve"));
  const auto width = [](const Certainty& certainty) {
    return certainty.kept->ci95.high - certainty.kept->ci95.low;
  };
  const double honest = width(judged(right, Policy::oracle, 0.2, {.resamples = 200}).certainty);
  EXPECT_GT(width(certainties->plans.front()), honest / 2);
}

TEST(PlanCertainty, TakesAJobThatCannotBeCutAsItIs) {
  SweepTable table = site(0.3, 1, 10).table;
  table.groups.front().points.resize(1);
  const Judged result = judged(table, Policy::oracle, 0.1, {.resamples = 100});
  ASSERT_TRUE(result.certainty.kept) << result.certainty.reason;
  EXPECT_NEAR(result.certainty.kept->expected, result.plan.normalized, 0.02);
}

}  // namespace
}  // namespace wattflex::allocate
