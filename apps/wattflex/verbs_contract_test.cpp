// What every verb promises: a complete table, examples that parse, documented JSON.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "apps/wattflex/grammar.h"
#include "apps/wattflex/invocation.h"
#include "apps/wattflex/test_run.h"
#include "apps/wattflex/verb.h"
#include "device/nvml/fake_nvml.h"

namespace wattflex::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const std::string kFleet = WATTFLEX_SOURCE_DIR "/examples/phoenix/fleet.csv";

// The words of a shell command up to the first pipe or redirection; single and double quotes hold words
// together.
std::vector<std::string> shell_words(std::string_view command) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (const char c : command) {
    if (quote == 0 && (c == '|' || c == '>')) break;
    if (quote == 0 && c == ' ') {
      if (in_word) words.push_back(std::exchange(word, ""));
      in_word = false;
    } else if (c == quote || (quote == 0 && (c == '\'' || c == '"'))) {
      quote = quote == '\0' ? c : '\0';
      in_word = true;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (in_word) words.push_back(word);
  return words;
}

TEST(ShellWords, KeepsQuotedWordsTogetherAndStopsAtPipes) {
  EXPECT_THAT(shell_words("wattflex pfi 'a b' \"c|d\" -o json | jq ."),
              ::testing::ElementsAre("wattflex", "pfi", "a b", "c|d", "-o", "json"));
}

class EveryVerb : public ::testing::TestWithParam<const Verb*> {};

TEST_P(EveryVerb, HasACompleteTable) {
  const Verb& verb = *GetParam();
  ASSERT_FALSE(verb.summary.empty());
  EXPECT_TRUE(std::isupper(static_cast<unsigned char>(verb.summary.front())) != 0 &&
              !verb.summary.ends_with('.'))
      << verb.summary;
  EXPECT_FALSE(verb.details.empty());
  EXPECT_FALSE(verb.examples.empty());
  EXPECT_FALSE(verb.json_fields.empty());
  EXPECT_NE(verb.run, nullptr);
  EXPECT_EQ(find_verb(verb.name), &verb);
  std::set<std::string> names;
  for (const Option& option : options_of(verb)) {
    EXPECT_TRUE(names.insert(plain_name(option)).second) << option.name << " is listed twice";
    EXPECT_FALSE(option.help.empty()) << option.name;
    EXPECT_EQ(option.takes == Takes::flag, option.placeholder.empty() && !is_positional(option))
        << option.name;
    EXPECT_TRUE(check_choice(option, option.fallback) || option.fallback.empty()) << option.name;
  }
}

TEST_P(EveryVerb, HasExamplesThatParse) {
  const Verb& verb = *GetParam();
  for (const Example& example : verb.examples) {
    std::vector<std::string> words = shell_words(example.command);
    const auto start = std::ranges::find(words, "wattflex");
    ASSERT_TRUE(words.end() - start >= 2 && start[1] == verb.name) << example.command;
    const auto values = parse_invocation(verb, {start + 2, words.end()});
    ASSERT_TRUE(values) << example.command << ": " << values.error().message;
    for (const Option& option : options_of(verb)) {
      const auto found = values->find(plain_name(option));
      EXPECT_TRUE(found != values->end() || !option.required) << example.command << " lacks " << option.name;
      if (found == values->end()) continue;
      for (const std::string& value : found->second)
        EXPECT_TRUE(check_choice(option, value)) << example.command;
    }
  }
}

TEST_P(EveryVerb, ExplainsItselfWithExamples) {
  std::ostringstream out;
  std::ostringstream err;
  EXPECT_EQ(run_command_line({std::string(GetParam()->name), "--help"}, {.out = out, .err = err}), 0);
  for (const Example& example : GetParam()->examples)
    EXPECT_THAT(out.str(), ::testing::HasSubstr(example.command));
  EXPECT_EQ(err.str(), "");
  EXPECT_THAT(out.str(), ::testing::Not(::testing::HasSubstr("\x1b"))) << "colour outside a terminal";
}

// What a failed run prints, whatever the verb (docs/configuration.md).
bool tells_an_error(const std::string& path) {
  return path == "status" || path == "error.message" || path == "error.remedy";
}

using Words = std::vector<std::string>;

// How each verb is run; what needs telemetry gets the simulated cohort, what needs a model one fitted to it.
std::vector<Words> runs_of(std::string_view verb, const fs::path& folder) {
  const std::string cohort = folder / "cohort.csv";
  const std::string model = folder / "model.json";
  const std::map<std::string_view, std::vector<Words>> runs{
      {"check", {{kPhoenixSweep}}},
      {"pfi", {{kPhoenixSweep, "--ci", "100"}}},
      {"curve", {{kPhoenixSweep, "--ci", "100"}}},
      {"compare", {{kPhoenixSweep, kPhoenixSweep, "--ci", "100"}, {model, model}}},
      {"analyze", {{cohort}, {kPhoenixSweep}}},
      {"fit", {{cohort}, {cohort, "--ablation"}}},
      {"predict", {{cohort, "--model", model}}},
      {"plan",
       {{kPhoenixSweep, "--fleet", kFleet, "--cut", "25%", "--policy", "all"},
        {kPhoenixSweep, "--cut", "10%"}}},
      {"cohort", {{"--seed", "2"}}},
      {"study", {{kPhoenixSweep, "--workloads", "3", "--jobs", "10", "--cuts", "10%,25%"}}},
      {"logs", {{folder / "train.log", "--seq-len", "1024"}}},
      {"report", {{kPhoenixSweep, "--fleet", kFleet, "-o", folder / "report.html"}}},
      {"gpus", {{"--nvml", WATTFLEX_FAKE_NVML}}},
      {"doctor", {{"--nvml", WATTFLEX_FAKE_NVML}}},
      {"status", {{"--local", "--nvml", WATTFLEX_FAKE_NVML}}},
      {"cap",
       {{"450W", "--gpus", "0,2", "--nvml", WATTFLEX_FAKE_NVML, "--journal", folder / "caps.json"},
        {"65%", "--gpus", "all", "--dry-run", "--nvml", WATTFLEX_FAKE_NVML}}},
      {"twin",
       {{"start", "--gpus", "2", "--state", folder / "twin"},
        {"fault", "gpu-lost", "--gpus", "1", "--state", folder / "twin"},
        {"env", "--state", folder / "twin"},
        {"stop", "--state", folder / "twin"}}},
      {"release", {{"--nvml", WATTFLEX_FAKE_NVML, "--journal", folder / "capped.json"}}},
      {"restore", {{"--all", "--nvml", WATTFLEX_FAKE_NVML, "--journal", folder / "capped.json"}}},
      {"record",
       {{"--nvml", WATTFLEX_FAKE_NVML, "--rate", "10", "--duration", "200ms", "-o", folder / "record.csv"}}},
  };
  const auto found = runs.find(verb);
  return found == runs.end() ? std::vector<Words>() : found->second;
}

void write_inputs(std::string_view verb, const fs::path& folder) {
  fs::create_directories(folder);
  if (verb == "logs") {
    std::ofstream(folder / "train.log")
        << "step 1 step_time 2 samples 8 tok/s 4096\nstep 2 step_time 2 samples 8 tok/s 4096\n"
           "{'train_runtime': 9.1, 'train_samples_per_second': 4.0, 'epoch': 1.0}\n";
  }
  nvml::FakeNvml& fake = nvml::fake_nvml(WATTFLEX_FAKE_NVML);
  fake.reset();
  fake.add_gpus(3);
  fake.gpus[0].processes = {{.pid = 41, .used_memory = 5'000}};
  fake.gpus[1].answers["nvmlDeviceGetEnforcedPowerLimit"] = nvml::Status::gpu_is_lost;
  if (verb == "release" || verb == "restore") {
    run({"cap", "450W", "--gpus", "0,2", "--nvml", WATTFLEX_FAKE_NVML, "--journal", folder / "capped.json"});
  }
  static constexpr std::string_view kNeeding[] = {"analyze", "compare", "fit", "predict"};
  if (std::ranges::find(kNeeding, verb) == std::end(kNeeding)) return;
  std::ofstream(folder / "cohort.csv") << run({"cohort", "--seed", "1", "-o", "csv"}).out;
  run({"fit", folder / "cohort.csv", "--model", folder / "model.json"});
}

TEST_P(EveryVerb, PrintsOnlyDocumentedJson) {
  const Verb& verb = *GetParam();
  const fs::path folder = fs::path(::testing::TempDir()) / ("wattflex-contract-" + std::string(verb.name));
  write_inputs(verb.name, folder);
  const auto runs = runs_of(verb.name, folder);
  ASSERT_FALSE(runs.empty()) << "add a run of '" << verb.name << "' to runs_of in this test";
  for (Words words : runs) {
    words.insert(words.begin(), std::string(verb.name));
    words.insert(words.end(), {"--format", "json"});
    const Ran ran = run(words);
    ASSERT_NE(ran.status, 2) << ran.err;
    for (const std::string& path : undocumented(verb.name, ran.document())) {
      EXPECT_TRUE(tells_an_error(path)) << "'" << path << "' is not in json_fields of " << verb.name;
    }
  }
  fs::remove_all(folder);
}

INSTANTIATE_TEST_SUITE_P(Contract, EveryVerb, ::testing::ValuesIn(all_verbs().begin(), all_verbs().end()),
                         [](const auto& verb) { return std::string(verb.param->name); });

}  // namespace
}  // namespace wattflex::app
