#include "elasticity/elasticity_class.h"

#include <gtest/gtest.h>

#include <array>

namespace wattflex::elasticity {
namespace {

Flexibility indexed(double value, double low, double high) {
  Flexibility flexibility;
  flexibility.points.resize(3);
  flexibility.points[0].verdict = Verdict::uncapped;
  flexibility.points[1].verdict = flexibility.points[2].verdict = Verdict::used;
  for (const std::size_t i : {1, 2}) {
    flexibility.points[i].power_cut = 0.1;
    flexibility.points[i].error = flexibility.points[0].error = {.power = 0.004, .throughput = 0.005};
  }
  flexibility.n_used = 2;
  flexibility.guarded = {.value = value, .ci95 = Interval{low, high}};
  return flexibility;
}

ElasticityClass class_of(const Flexibility& flexibility) {
  return classify(flexibility).elasticity;
}

TEST(ElasticityClass, NeedsTheWholeIntervalOnOneSideOfOne) {
  EXPECT_EQ(class_of(indexed(1.5, 1.001, 2)), ElasticityClass::flexible);
  EXPECT_EQ(class_of(indexed(1.5, 1.0, 2)), ElasticityClass::undetermined);
  EXPECT_EQ(class_of(indexed(0.8, 0.7, 0.999)), ElasticityClass::inflexible);
  EXPECT_EQ(class_of(indexed(0.8, 0.7, 1.0)), ElasticityClass::undetermined);
}

TEST(ElasticityClass, IsProportionalWhenTheIntervalStaysWithinATenth) {
  EXPECT_EQ(class_of(indexed(1.0, 0.9, 1.1)), ElasticityClass::proportional);
  EXPECT_EQ(class_of(indexed(1.05, 1.01, 1.1)), ElasticityClass::proportional);
  EXPECT_EQ(class_of(indexed(1.05, 1.01, 1.11)), ElasticityClass::flexible);
  EXPECT_EQ(class_of(indexed(1.0, 0.89, 1.1)), ElasticityClass::undetermined);
}

TEST(ElasticityClass, IsUndeterminedWhereGuardedAndPooledIndexDisagree) {
  Flexibility flexibility = indexed(1.5, 1.2, 2);
  flexibility.pooled.value = 0.97;
  EXPECT_EQ(class_of(flexibility), ElasticityClass::undetermined);
  EXPECT_EQ(classify(flexibility).reason,
            "guarded index 1.50 and pooled index 0.97 lie on opposite sides of 1");
  flexibility.pooled.value = 1.01;
  EXPECT_EQ(class_of(flexibility), ElasticityClass::flexible);
  flexibility = indexed(0.8, 0.7, 0.9);
  flexibility.pooled.value = 1.02;
  EXPECT_EQ(class_of(flexibility), ElasticityClass::undetermined);
  flexibility.pooled.value = 0.99;
  EXPECT_EQ(class_of(flexibility), ElasticityClass::inflexible);
  // Within a tenth of 1 the sides do not matter.
  flexibility = indexed(1.05, 1.01, 1.1);
  flexibility.pooled.value = 0.98;
  EXPECT_EQ(class_of(flexibility), ElasticityClass::proportional);
}

TEST(ElasticityClass, CarriesTheNumbersItRestsOn) {
  EXPECT_EQ(classify(indexed(1.5, 1.25, 2)).reason,
            "guarded index 1.50 (1.25..2.00): throughput falls more slowly than power");
}

Flexibility measured(const std::vector<std::array<double, 3>>& rows) {
  SweepGroup group;
  group.gpus = 1;
  for (const auto& [cap, power, throughput] : rows) {
    group.points.push_back(
        {.cap = Power::from_watts(cap), .power = Power::from_watts(power), .throughput = throughput});
  }
  return measure_flexibility(group, {.resamples = 200});
}

TEST(ElasticityClass, TellsUnaffectedFromUnbound) {
  EXPECT_EQ(class_of(measured({{300, 250, 10}, {250, 220, 10.01}, {200, 190, 9.99}})),
            ElasticityClass::unaffected);
  EXPECT_EQ(class_of(measured({{300, 100, 10}, {250, 100.2, 10.01}, {200, 99.9, 9.9}})),
            ElasticityClass::unbound);
}

TEST(ElasticityClass, DoubtsWhatScatterExplains) {
  const auto widened_by = [](double factor) {
    Flexibility flexibility = indexed(1.5, 1.25, 2);
    flexibility.widening = factor;
    flexibility.guarded.ci95 = widened(1.5, *flexibility.guarded.ci95, factor);
    return class_of(flexibility);
  };
  EXPECT_EQ(widened_by(1.9), ElasticityClass::flexible);
  EXPECT_EQ(widened_by(2.1), ElasticityClass::undetermined);
  // The cut of 10 % is 2 x 9.82 standard errors: 0.1 / (0.9 sqrt(2) 0.004) = 19.64.
  EXPECT_EQ(widened_by(9.8), ElasticityClass::undetermined);
  EXPECT_EQ(widened_by(9.9), ElasticityClass::unbound);
}

TEST(ElasticityClass, IsUnknownWithoutASoundUncappedPoint) {
  Flexibility flexibility = indexed(2, 1.5, 2.5);
  flexibility.points[0].verdict = Verdict::other_limiter;
  EXPECT_EQ(class_of(flexibility), ElasticityClass::unknown);
}

TEST(ElasticityClass, IsUndeterminedOnOneResolvedPoint) {
  EXPECT_EQ(class_of(measured({{300, 280, 10}, {250, 240, 9}})), ElasticityClass::undetermined);
}

}  // namespace
}  // namespace wattflex::elasticity
