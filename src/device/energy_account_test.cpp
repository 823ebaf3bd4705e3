#include "device/energy_account.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace wattflex::device {
namespace {

const Power kMost = Power::from_watts(700);

Time at(double seconds) {
  return Time(std::chrono::microseconds(static_cast<long long>(seconds * 1e6)));
}

EnergyTotal counted(const std::vector<std::pair<double, std::uint64_t>>& series) {
  EnergyAccount account(kMost);
  for (const auto& [seconds, millijoules] : series)
    account.add(at(seconds), EnergyCount{millijoules}, Problem::not_supported);
  return account.total();
}

// TEL-08, series 1
TEST(EnergyAccount, BooksACounterThatCameBackAgainstItsValueBeforeTheFall) {
  const EnergyTotal total = counted({{0, 900'000'000}, {10, 904'000'000}, {20, 0}, {30, 912'000'000}});
  EXPECT_EQ(total.source, EnergySource::counter);
  EXPECT_DOUBLE_EQ(total.energy.joules(), 12'000);
  EXPECT_DOUBLE_EQ(total.covered.count(), 30);
  EXPECT_DOUBLE_EQ(total.uncovered.count(), 0);
  EXPECT_EQ(total.resets, 1);
}

// TEL-08, series 2
TEST(EnergyAccount, LeavesAGapWhereTheCounterBeganAnew) {
  const EnergyTotal total = counted({{0, 900'000'000}, {10, 904'000'000}, {20, 1'000'000}, {30, 5'000'000}});
  EXPECT_DOUBLE_EQ(total.energy.joules(), 8'000);
  EXPECT_DOUBLE_EQ(total.covered.count(), 20);
  EXPECT_DOUBLE_EQ(total.uncovered.count(), 10);
  EXPECT_EQ(total.resets, 1);
}

TEST(EnergyAccount, NeverBooksMoreThanTheBoardCanDraw) {
  const EnergyTotal total = counted({{0, 0}, {10, 912'000'000}});
  EXPECT_EQ(total.source, EnergySource::unknown);
  EXPECT_DOUBLE_EQ(total.uncovered.count(), 10);
}

// TEL-07
TEST(EnergyAccount, IntegratesTheDrawWhereThereIsNoCounter) {
  EnergyAccount account(kMost);
  for (int second = 0; second <= 60; ++second)
    account.add(at(second), Problem::not_supported, Power::from_watts(250));
  const EnergyTotal total = account.total();
  EXPECT_EQ(total.source, EnergySource::integrated_draw);
  EXPECT_DOUBLE_EQ(total.energy.joules(), 15'000);
}

TEST(EnergyAccount, IsUnknownWithoutAnyReading) {
  EnergyAccount account(kMost);
  account.add(at(0), Problem::not_supported, Problem::not_supported);
  account.add(at(60), Problem::not_supported, Problem::not_supported);
  EXPECT_EQ(account.total().source, EnergySource::unknown);
  EXPECT_DOUBLE_EQ(account.total().uncovered.count(), 60);
}

TEST(EnergyAccount, DoesNotIntegrateAcrossALongHole) {
  EnergyAccount account(kMost);
  for (const double second : {0.0, 5.0, 10.1})
    account.add(at(second), Problem::not_supported, Power::from_watts(100));
  EXPECT_DOUBLE_EQ(account.total().energy.joules(), 500);
  EXPECT_DOUBLE_EQ(account.total().uncovered.count(), 5.1);
}

// TEL-10: 187 J by the counter, 65 W for 5 s by the sensor.
TEST(EnergyAccount, TellsThatTheSourcesDisagree) {
  EnergyAccount account(kMost);
  for (int second = 0; second <= 5; ++second) {
    const auto count = static_cast<std::uint64_t>(second) * 37'400;
    account.add(at(second), EnergyCount{count}, Power::from_watts(65));
  }
  ASSERT_TRUE(account.total().counter_over_draw);
  EXPECT_NEAR(*account.total().counter_over_draw, 0.58, 0.005);
}

// TEL-01: the counter has the mean of a square wave whatever the phase of the sampling.
TEST(EnergyAccount, PrefersTheCounterToADrawThatIsSampledInPhase) {
  EnergyAccount account(kMost);
  for (int second = 0; second <= 10; ++second) {
    const auto count = static_cast<std::uint64_t>(second) * 400'000;
    account.add(at(second), EnergyCount{count}, Power::from_watts(700));
  }
  EXPECT_DOUBLE_EQ(account.total().energy.joules(), 4'000);
}

}  // namespace
}  // namespace wattflex::device
