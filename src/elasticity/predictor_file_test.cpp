#include "elasticity/predictor_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "elasticity/test_cohort.h"

namespace wattflex::elasticity {
namespace {

using testing::HasSubstr;

Predictor fitted() {
  const auto set =
      collect_training_set(cohort_table(), {"dram_copy_product", "arithmetic_intensity"}, Target::published);
  return *fit_predictor(*set);
}

std::string replaced(std::string text, std::string_view old_text, std::string_view new_text) {
  const std::size_t at = text.find(old_text);
  EXPECT_NE(at, std::string::npos) << old_text;
  return text.replace(at, old_text.size(), new_text);
}

std::string problem(const std::string& text) {
  const auto predictor = parse_predictor(text, "m.json");
  EXPECT_FALSE(predictor) << text.substr(0, 200);
  return predictor ? std::string() : predictor.error().message;
}

TEST(PredictorFile, PredictsTheSameAfterARoundTrip) {
  const Predictor before = fitted();
  const auto after = parse_predictor(write_predictor(before), "m.json");
  ASSERT_TRUE(after) << after.error().message;
  EXPECT_EQ(write_predictor(*after), write_predictor(before));
  const SweepTable table = cohort_table();
  for (const SweepGroup& group : table.groups) {
    const Prediction expected = predict(before, table.telemetry_columns, group);
    const Prediction actual = predict(*after, table.telemetry_columns, group);
    EXPECT_EQ(actual.pfi, expected.pfi);
    EXPECT_EQ(actual.standard_error, expected.standard_error);
    EXPECT_EQ(actual.interval95, expected.interval95);
  }
}

TEST(PredictorFile, RefusesAnotherVersionOrFormat) {
  const std::string text = write_predictor(fitted());
  EXPECT_EQ(problem(replaced(text, R"("version": 1)", R"("version": 2)")),
            "m.json: version 2 is not known, this program reads 1");
  EXPECT_THAT(problem(replaced(text, "wattflex-predictor", "other")), HasSubstr("'format' is not"));
}

TEST(PredictorFile, RefusesMissingAndUnknownKeys) {
  const std::string text = write_predictor(fitted());
  for (const auto* key : {"fitted_on", "features", "model", "scores", "coefficients", "residual_variance",
                          "largest_leverage", "pedigree", "lowest", "rmse", "clusters"}) {
    const std::string quoted = '"' + std::string(key) + "\":";
    EXPECT_THAT(problem(replaced(text, quoted, "\"renamed\":")),
                HasSubstr("lacks the key '" + std::string(key)))
        << key;
  }
  EXPECT_EQ(problem(replaced(text, R"("version": 1)", R"("version": 1, "surprise": 0)")),
            "m.json: the file has the unknown key 'surprise'");
}

TEST(PredictorFile, RefusesNumbersThatAreNone) {
  const std::string text = write_predictor(fitted());
  EXPECT_THAT(problem(replaced(text, R"("residual_variance": )", R"("residual_variance": null, "x": )")),
              HasSubstr("'residual_variance' of 'model' is not a finite number"));
  EXPECT_EQ(problem(replaced(text, R"("residual_variance": )", R"("residual_variance": NaN, "x": )")),
            "m.json: is not JSON");
  EXPECT_EQ(problem(replaced(text, R"("residual_variance": )", R"("residual_variance": 1e999, "x": )")),
            "m.json: a number in it is out of range");
  EXPECT_EQ(problem(replaced(text, R"("residual_variance": )", R"("residual_variance": -)")),
            "m.json: the residual variance is negative");
}

TEST(PredictorFile, RefusesSizesThatDoNotFit) {
  const std::string text = write_predictor(fitted());
  EXPECT_EQ(problem(replaced(text, R"("coefficients": [)", R"("coefficients": [1,)")),
            "m.json: 4 coefficients for 2 features and an intercept");
  EXPECT_THAT(problem(replaced(text, R"("inverse_moment": [)", R"("inverse_moment": [[1, 2],)")),
              HasSubstr("a row of 'inverse_moment' has not 3 entries"));
  EXPECT_EQ(problem(replaced(text, R"("inverse_moment": [)", R"("inverse_moment": [[1, 2, 3],)")),
            "m.json: the matrix does not fit the coefficients");
  EXPECT_THAT(problem(replaced(text, R"("n_groups": 25)", R"("n_groups": 24)")),
              HasSubstr("is not the number of"));
  EXPECT_THAT(problem(replaced(text, "arithmetic_intensity", "dram_copy_product")), HasSubstr("there twice"));
  EXPECT_THAT(problem(replaced(text, "arithmetic_intensity", "phase_of_moon")),
              HasSubstr("is not a feature"));
}

TEST(PredictorFile, RefusesAMatrixThatBelongsToNoFit) {
  Predictor predictor = fitted();
  predictor.model.inverse_moment[1] += 1;
  EXPECT_EQ(problem(write_predictor(predictor)), "m.json: (X'X)^-1 is not symmetric");
  predictor = fitted();
  predictor.model.inverse_moment[4] = -predictor.model.inverse_moment[4];
  EXPECT_EQ(problem(write_predictor(predictor)), "m.json: (X'X)^-1 is not positive definite");
}

TEST(PredictorFile, RefusesAnyTruncation) {
  const std::string text = write_predictor(fitted());
  for (std::size_t length = 0; length + 2 < text.size(); length += 7) {
    EXPECT_EQ(problem(text.substr(0, length)), "m.json: is not JSON") << length;
  }
}

TEST(PredictorFile, SaysWhenAFileCannotBeOpened) {
  EXPECT_EQ(load_predictor("/nonexistent/m.json").error().kind, ErrorKind::io);
}

}  // namespace
}  // namespace wattflex::elasticity
