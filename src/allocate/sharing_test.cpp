#include "allocate/sharing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "base/random.h"

namespace wattflex::allocate {
namespace {

std::vector<double> shared(const std::vector<double>& rooms, const std::vector<double>& weights, double cut) {
  std::vector<double> cuts(rooms.size());
  ProportionalSharing(rooms, weights).share(cut, cuts);
  return cuts;
}

// The rule as the text says it: share out, hold whoever is full, share the rest out again.
std::vector<double> by_rounds(const std::vector<double>& rooms, const std::vector<double>& weights,
                              double cut) {
  std::vector<double> cuts(rooms.size(), 0.0);
  std::vector<bool> full(rooms.size(), false);
  while (true) {
    double left = cut;
    double weight = 0;
    for (std::size_t j = 0; j < rooms.size(); ++j) (full[j] ? left -= rooms[j] : weight += weights[j]);
    bool someone_filled = false;
    for (std::size_t j = 0; j < rooms.size(); ++j) {
      if (full[j]) continue;
      cuts[j] = left * weights[j] / weight;
      if (cuts[j] > rooms[j]) {
        cuts[j] = rooms[j];
        full[j] = true;
        someone_filled = true;
      }
    }
    if (!someone_filled) return cuts;
  }
}

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

TEST(ProportionalSharing, SharesByWeightWhileEverythingFits) {
  EXPECT_THAT(shared({100, 100, 100}, {1, 2, 3}, 60), ElementsAre(10, 20, 30));
}

TEST(ProportionalSharing, SharesOutAgainByTheSameWeightsWhatDoesNotFit) {
  // 60 by 1:2:3 would be 10, 20, 30; the last holds at 12, and 48 is shared 1:2.
  EXPECT_THAT(shared({100, 100, 12}, {1, 2, 3}, 60), ElementsAre(16, 32, 12));
}

TEST(ProportionalSharing, TakesEverythingAndNothingExactly) {
  EXPECT_THAT(shared({5, 7, 11}, {3, 1, 2}, 23), ElementsAre(5, 7, 11));
  EXPECT_THAT(shared({5, 7, 11}, {3, 1, 2}, 0), ElementsAre(0, 0, 0));
}

TEST(ProportionalSharing, TouchesJobsOfWeightZeroLast) {
  EXPECT_THAT(shared({10, 20, 30}, {1, 0, 0}, 10), ElementsAre(10, 0, 0));
  EXPECT_THAT(shared({10, 20, 30}, {1, 0, 0}, 35), ElementsAre(10, 10, 15));
  EXPECT_THAT(shared({10, 30}, {0, 0}, 20), ElementsAre(5, 15));
}

TEST(ProportionalSharing, AgreesWithTheRuleAppliedInRounds) {
  RandomStream random(7);
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<double> rooms(1 + random.below(12));
    std::vector<double> weights(rooms.size());
    for (double& room : rooms) room = 1000 * random.uniform();
    for (double& weight : weights) weight = 0.01 + random.uniform();
    const double most = std::accumulate(rooms.begin(), rooms.end(), 0.0);
    const double cut = most * 0.999 * random.uniform();
    const auto cuts = shared(rooms, weights, cut);
    EXPECT_THAT(cuts, Pointwise(DoubleNear(1e-8), by_rounds(rooms, weights, cut)));
    EXPECT_NEAR(std::accumulate(cuts.begin(), cuts.end(), 0.0), cut, 1e-9 * most);
  }
}

// Weights of jobs whose throughputs are counted in very unlike units.
TEST(ProportionalSharing, LosesNoSmallWeightBesideALargeOne) {
  const std::vector<double> rooms = {1000, 2000, 3000};
  const std::vector<double> weights = {1e18, 1e-6, 2e-6};
  const auto cuts = shared(rooms, weights, 2500);
  EXPECT_NEAR(cuts[0], 1000, 1e-9);
  EXPECT_NEAR(cuts[1], 500, 1e-9);
  EXPECT_NEAR(cuts[2], 1000, 1e-9);
}

}  // namespace
}  // namespace wattflex::allocate
