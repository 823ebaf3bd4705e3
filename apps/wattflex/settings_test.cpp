#include "apps/wattflex/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

namespace wattflex::app {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::Pointee;

Settings parsed(std::string_view toml) {
  const auto settings = Settings::parse(toml, "test.toml");
  EXPECT_TRUE(settings) << settings.error().message;
  return settings.value_or(Settings());
}

std::string refusal(std::string_view toml) {
  const auto settings = Settings::parse(toml, "test.toml");
  EXPECT_FALSE(settings);
  return settings ? "" : settings.error().message + " / " + settings.error().remedy;
}

Option option(const Verb& verb, std::string_view name) {
  const auto options = options_of(verb);
  return *std::ranges::find(options, name, plain_name);
}

const Verb& plan() {
  return *find_verb("plan");
}

TEST(Settings, GiveAVerbItsOwnTableBeforeTheTop) {
  const Settings settings = parsed("format = \"csv\"\n[plan]\nformat = \"json\"\ncut = \"25%\"\n");
  EXPECT_THAT(settings.find(plan(), option(plan(), "format")),
              Pointee(Field(&Setting::values, ElementsAre("json"))));
  EXPECT_THAT(settings.find(*find_verb("pfi"), option(*find_verb("pfi"), "format")),
              Pointee(Field(&Setting::values, ElementsAre("csv"))));
  EXPECT_THAT(settings.find(plan(), option(plan(), "cut")),
              Pointee(Field(&Setting::values, ElementsAre("25%"))));
  EXPECT_EQ(settings.find(plan(), option(plan(), "fleet")), nullptr);
  EXPECT_EQ(settings.count(), 3U);
}

TEST(Settings, TakeNumbersAsTheyStandOnTheCommandLine) {
  const Settings settings = parsed("[pfi]\nci = 500\n[curve]\nprice = 0.31\n");
  EXPECT_THAT(settings.find(*find_verb("pfi"), option(*find_verb("pfi"), "ci")),
              Pointee(Field(&Setting::values, ElementsAre("500"))));
  EXPECT_THAT(settings.find(*find_verb("curve"), option(*find_verb("curve"), "price")),
              Pointee(Field(&Setting::values, ElementsAre("0.31"))));
}

TEST(Settings, TakeFlagsAsTrueOrFalse) {
  const auto quiet = [](std::string_view toml) {
    return parsed(toml).find(plan(), option(plan(), "quiet"))->values.front();
  };
  EXPECT_EQ(quiet("quiet = true"), "true");
  EXPECT_EQ(quiet("quiet = false"), "false");
  EXPECT_EQ(quiet("quiet = true\n[plan]\nquiet = false"), "false");
  EXPECT_THAT(refusal("quiet = \"yes\""), HasSubstr("test.toml:1: quiet is true or false"));
}

TEST(Settings, RefuseUnknownKeysWithFileAndLine) {
  EXPECT_THAT(refusal("format = \"json\"\nfromat = \"csv\"\n"),
              AllOf(HasSubstr("test.toml:2: unknown key 'fromat'"), HasSubstr("did you mean 'format'?")));
  EXPECT_THAT(
      refusal("\n\n[plan]\npolcy = \"pfi\"\n"),
      AllOf(HasSubstr("test.toml:4: unknown key 'polcy' in [plan]"), HasSubstr("did you mean 'policy'?")));
  EXPECT_THAT(refusal("cut = \"25%\""),
              HasSubstr("unknown key 'cut' at the top of the file / known there: format, quiet"));
}

TEST(Settings, RefuseUnknownVerbs) {
  EXPECT_THAT(refusal("[plam]\n"),
              AllOf(HasSubstr("test.toml:1: no verb 'plam'"), HasSubstr("did you mean 'plan'?")));
}

TEST(Settings, RefuseWhatOnlyTheCommandLineMayName) {
  EXPECT_THAT(refusal("[plan]\nTABLE = \"a.csv\""), HasSubstr("unknown key 'TABLE'"));
  EXPECT_THAT(refusal("config = \"other.toml\""), HasSubstr("unknown key 'config'"));
}

TEST(Settings, RefuseValuesThatAreNoChoice) {
  EXPECT_THAT(refusal("format = \"jsn\""), HasSubstr("test.toml:1: --format: 'jsn' is not a choice"));
  EXPECT_THAT(refusal("format = 2024-01-01"), HasSubstr("test.toml:1: format cannot be read"));
}

TEST(Settings, RefuseValuesTheirVerbWouldRefuse) {
  EXPECT_THAT(refusal("[curve]\n\nseed = \"abc\"\n"), HasSubstr("test.toml:3: --seed: 'abc'"));
  EXPECT_THAT(refusal("[pfi]\nci = 5"), HasSubstr("test.toml:2: --ci: '5'"));
  EXPECT_THAT(refusal("[plan]\npolicy = \"equal,fair\""), HasSubstr("test.toml:2: --policy: "));
  EXPECT_THAT(refusal("[plan]\ncut = \"25\""), HasSubstr("test.toml:2: --cut: '25'"));
  EXPECT_THAT(refusal("[plan]\ncut = \"101%\""), HasSubstr("test.toml:2: --cut: '101%'"));
  EXPECT_THAT(refusal("[plan]\ncut = \"-1kW\""), HasSubstr("test.toml:2: --cut: '-1kW'"));
  EXPECT_EQ(parsed("[plan]\ncut = \"100%\"\n").count(), 1U);
  EXPECT_EQ(parsed("[plan]\ncut = \"300kW\"\n").count(), 1U);
  EXPECT_THAT(refusal("[report]\ncut = \"100%\""), HasSubstr("test.toml:2: --cut: "));
  EXPECT_THAT(refusal("[fit]\nfeatures = \"dram\""), HasSubstr("test.toml:2: --features: "));
  EXPECT_THAT(refusal("[compare]\nseed = -1"), HasSubstr("test.toml:2: --seed: '-1'"));
  EXPECT_THAT(refusal("[study]\ncuts = \"0%:200%:5%\""), HasSubstr("test.toml:2: --cuts: "));
  EXPECT_THAT(refusal("[study]\nmix-share = \"101%\""), HasSubstr("test.toml:2: --mix-share: "));
  EXPECT_THAT(refusal("[analyze]\ndrops = 1001"), HasSubstr("test.toml:2: --drops: '1001'"));
  EXPECT_THAT(refusal("[cohort]\nseed = 1.5"), HasSubstr("test.toml:2: --seed: '1.5'"));
  EXPECT_THAT(refusal("[compare]\nboards = \"H100\""), HasSubstr("test.toml:2: --boards: 'H100'"));
  EXPECT_THAT(refusal("[compare]\nmatch = [\"a=b\", \"c\"]"), HasSubstr("test.toml:2: --match: 'c'"));
  EXPECT_THAT(refusal("[report]\noutput = \"json\""), HasSubstr("test.toml:2: --output: 'json' is a format"));
}

TEST(Settings, RefuseEmptyFileNames) {
  for (const std::string key : {"[plan]\nfleet", "[plan]\nmodel", "[report]\noutput", "[report]\nfigures",
                                "[cohort]\ntraces", "[fit]\nmodel"}) {
    EXPECT_THAT(refusal(key + " = \"\""),
                AllOf(HasSubstr("test.toml:2: --"), HasSubstr(": the file name is empty")))
        << key;
  }
  EXPECT_EQ(parsed("[report]\ntitle = \"\"\n").count(), 1U);
}

// They may need what only the command line names.
TEST(Settings, TakeDefaultsForOptionsThatNeedOthers) {
  EXPECT_EQ(parsed("[plan]\nfloor = \"tier\"\n").count(), 1U);
  EXPECT_EQ(parsed("[study]\nmix-share = \"50%\"\nseeds = 5\n").count(), 2U);
}

TEST(Settings, NameTheLineOfASyntaxError) {
  EXPECT_THAT(refusal("format = \"json\"\nquiet = = true\n"), HasSubstr("test.toml:2: "));
}

TEST(Settings, RefuseAFileThatIsNotThere) {
  const auto settings = Settings::read("/nowhere/wattflex.toml");
  ASSERT_FALSE(settings);
  EXPECT_THAT(settings.error().message, HasSubstr("/nowhere/wattflex.toml"));
}

TEST(Settings, RefuseFilesThatAreFarTooLong) {
  const std::string path = ::testing::TempDir() + "/wattflex_long.toml";
  const std::string longest = "#" + std::string((64 << 10) - 1, ' ');
  std::ofstream(path) << longest;
  EXPECT_TRUE(Settings::read(path));
  std::ofstream(path) << longest << ' ';
  EXPECT_EQ(Settings::read(path).error().message, path + ": longer than 64 KiB");
  std::filesystem::remove(path);
  EXPECT_EQ(Settings::read("/dev/zero").error().message, "/dev/zero: longer than 64 KiB");
}

}  // namespace
}  // namespace wattflex::app
