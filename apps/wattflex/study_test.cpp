// `wattflex study` end to end.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "apps/wattflex/study_reproduce.h"
#include "apps/wattflex/test_run.h"

namespace wattflex::app {
namespace {

const std::string kTable = WATTFLEX_SOURCE_DIR "/examples/phoenix/sweep.csv";

Ran study(std::vector<std::string> arguments) {
  return run_verb("study", std::move(arguments));
}

TEST(Study, ReportsEveryPolicyAndCutWithItsPedigree) {
  const Ran ran = study({kTable, "--workloads", "5", "--jobs", "10", "--cuts", "0%:40%:20%", "-o", "json"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const auto document = ran.document();
  EXPECT_EQ(document["pedigree"], "measured");
  const auto& mix = document["mixes"][0];
  EXPECT_EQ(mix["mix"], "random");
  ASSERT_EQ(mix["policies"].size(), 5U);  // all but dram, which lacks telemetry
  EXPECT_EQ(mix["refused"][0]["policy"], "dram");
  for (const auto& policy : mix["policies"]) {
    ASSERT_EQ(policy["cells"].size(), 3U);
    EXPECT_NEAR(policy["cells"][0]["kept"].get<double>(), 1, 1e-9);
    EXPECT_LE(policy["cells"][1]["kept_ci95"][0], policy["cells"][1]["kept"]);
  }
}

TEST(Study, ShowsCutsThatNobodyCanGiveAsInfeasible) {
  const Ran ran = study({kTable, "--workloads", "3", "--jobs", "4", "--cuts", "90%", "-o", "json"});
  const auto cell = ran.document()["mixes"][0]["policies"][0]["cells"][0];
  EXPECT_EQ(cell["status"], "infeasible");
  EXPECT_EQ(cell["infeasible_workloads"], 3);
  EXPECT_FALSE(cell.contains("kept"));
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.document()["status"], "infeasible");
  EXPECT_NE(ran.err.find("infeasible: no workload can be cut"), std::string::npos) << ran.err;
  // One cut that can be given is a result.
  const Ran some = study({kTable, "--workloads", "3", "--jobs", "4", "--cuts", "10%,90%", "-o", "json"});
  EXPECT_EQ(some.status, 0);
  EXPECT_EQ(some.document()["status"], "done");
  EXPECT_EQ(some.err.find("infeasible"), std::string::npos) << some.err;
}

TEST(Study, StatesTheShareOfTheProductionMix) {
  const Ran ran = study({kTable, "--workloads", "2", "--jobs", "5", "--cuts", "10%", "--mix", "production"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_NE(ran.out.find("94.3 % of jobs fine-tuning"), std::string::npos) << ran.out;
}

study::ReproducedNumber reproduced(std::optional<double> published, double mean, double deviation) {
  study::ReproducedNumber number{.table = "6", .subject = "job", .quantity = "PFI", .published = published};
  number.simulated = study::Spread{.mean = mean, .deviation = deviation};
  return number;
}

TEST(Reproduction, StarsWhatLiesBeyondTwoDeviationsAndTheRounding) {
  EXPECT_FALSE(differs(reproduced(1.20, 1.2203, 0.010)));  // 0.0203 <= 2 x 0.010 + 0.0005
  EXPECT_TRUE(differs(reproduced(1.20, 1.2207, 0.010)));
  EXPECT_TRUE(differs(reproduced(1.20, 1.1793, 0.010)));
  EXPECT_FALSE(differs(reproduced(std::nullopt, 9, 0.010)));
  study::ReproducedNumber silent = reproduced(1.20, 9, 0.01);
  silent.simulated.reset();
  EXPECT_FALSE(differs(silent));
}

// Every star follows from the numbers beside it, and the sentence below counts them.
TEST(Reproduction, StarsTheNumbersItSaysItStars) {
  const std::vector<std::string> words = {"--reproduce", "--seeds", "3", "--workloads", "2"};
  const auto with = [&](const char* format) {
    std::vector<std::string> all = words;
    all.insert(all.end(), {"-o", format});
    return study(all);
  };
  const auto numbers = with("json").document()["numbers"];
  int stars = 0;
  int compared = 0;
  for (const auto& number : numbers) {
    if (number["published"].is_null() || number["simulated"].is_null()) continue;
    ++compared;
    const double apart =
        std::abs(number["published"].get<double>() - number["simulated"]["mean"].get<double>());
    stars += apart > 2 * number["simulated"]["sd"].get<double>() + 0.0005;
  }
  ASSERT_GT(stars, 0);
  ASSERT_LT(stars, compared);
  const auto lines_with_a_star = [](const std::string& text) {
    std::istringstream lines(text);
    int count = 0;
    for (std::string line; std::getline(lines, line);) count += line.ends_with('*');
    return count;
  };
  EXPECT_EQ(lines_with_a_star(with("csv").out), stars);
  const std::string table = study(words).out;
  EXPECT_EQ(lines_with_a_star(table), stars);
  EXPECT_NE(table.find(std::to_string(compared - stars) + " of " + std::to_string(compared) +
                       " published numbers lie within"),
            std::string::npos);
  EXPECT_NE(table.find("* marks the " + std::to_string(stars) + " that do not"), std::string::npos);
}

TEST(Study, RefusesNonsenseAsAUsageError) {
  EXPECT_EQ(study({kTable, "--mix", "trail"}).status, 2);
  EXPECT_EQ(study({kTable, "--workloads", "0"}).status, 2);
  EXPECT_EQ(study({kTable, "--cuts", "0:40"}).status, 2);
  EXPECT_EQ(study({kTable, "--values", "none"}).status, 2);
  EXPECT_EQ(study({kTable, "--mix-share", "150%"}).status, 2);
  EXPECT_EQ(study({}).status, 2);
}

}  // namespace
}  // namespace wattflex::app
