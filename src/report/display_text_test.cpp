#include "report/display_text.h"

#include <gtest/gtest.h>

namespace wattflex::report {
namespace {

TEST(DisplayText, LeavesOrdinaryNamesAlone) {
  EXPECT_EQ(display_text("gpt-oss-20b PT 8×H200 \"q\" <b>"), "gpt-oss-20b PT 8×H200 \"q\" <b>");
}

TEST(DisplayText, PutsEverythingOnOneLine) {
  EXPECT_EQ(display_text("a\nb\r\tc\x7f"), "a b  c ");
  EXPECT_EQ(display_text("a\xE2\x80\xA8z"), "a z");
}

TEST(DisplayText, ReplacesMalformedBytes) {
  EXPECT_EQ(display_text("a\xFFz"), "a\xEF\xBF\xBDz");
  EXPECT_EQ(display_text("\xC0\xAF"), "\xEF\xBF\xBD\xEF\xBF\xBD");  // overlong '/'
  EXPECT_EQ(display_text("\xED\xA0\x80"), "\xEF\xBF\xBD");          // a surrogate
  EXPECT_EQ(display_text("cut \xE2\x82"), "cut \xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(DisplayText, DropsCharactersThatReorderOrHideText) {
  EXPECT_EQ(display_text("user\xE2\x80\xAEtxt.exe"), "usertxt.exe");
  EXPECT_EQ(display_text("\xEF\xBB\xBF"
                         "a\xE2\x80\x8B"
                         "b"),
            "ab");
}

TEST(DisplayText, KeepsBothEndsOfALongName) {
  EXPECT_EQ(display_text("0123456789", 10), "0123456789");
  EXPECT_EQ(display_text("0123456789X", 10), "012345…89X");
  EXPECT_EQ(character_count(display_text(std::string(1'000'000, 'x'), 80)), 80U);
}

TEST(Wrapped, BreaksAtSpacesOnly) {
  EXPECT_EQ(wrapped("one two three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrapped("abcdefghij k", 4), (std::vector<std::string>{"abcdefghij", "k"}));
  EXPECT_TRUE(wrapped("", 4).empty());
}

TEST(DisplayText, FlowsProseBelowItsFirstLetterAndKeepsItsLines) {
  EXPECT_EQ(flowed("one two three", 13), "one two three");
  EXPECT_EQ(flowed("one two three", 12), "one two\nthree");
  EXPECT_EQ(flowed("one two three", 7, 2), "one two\n  three");
  EXPECT_EQ(flowed("  one two three four", 9, 1), "  one two\n   three\n   four");
  EXPECT_EQ(flowed("a  legend\n\nnext line\n", 9), "a  legend\n\nnext line\n");
  EXPECT_EQ(flowed("größe größe", 5), "größe\ngröße");
  EXPECT_EQ(flowed("averylongword is kept", 4), "averylongword\nis\nkept");
  EXPECT_EQ(flowed("", 4), "");
}

TEST(TerminalText, LeavesNothingThatDrivesATerminal) {
  EXPECT_EQ(terminal_text("a\x1b[31m\xC2\x9B"
                          "1m\t\r\x7f\nz"),
            "a?[31m?1m???\nz");
  EXPECT_EQ(terminal_text("\xE2\x80\xAA\xE2\x80\xAE\xE2\x81\xA6\xE2\x81\xA9"), "????");
  EXPECT_EQ(terminal_text("\x9B"
                          "31m"),
            "\xEF\xBF\xBD"
            "31m");  // C1 as one byte
  EXPECT_EQ(terminal_text("größe…\xE2\x80\x8D\xC2\xA0\xE2\x80\xA9"),
            "größe…\xE2\x80\x8D\xC2\xA0\xE2\x80\xA9");
}

TEST(JsonForScript, LeavesNothingThatEndsAScriptElement) {
  EXPECT_EQ(json_for_script(R"(["</script><!--"])"), "[\"\\u003c/script\\u003e\\u003c!--\"]");
  EXPECT_EQ(json_for_script("\"\xE2\x80\xA8\xE2\x80\xA9&\""), "\"\\u2028\\u2029\\u0026\"");
}

TEST(CapText, IsNeverRoundedUp) {
  EXPECT_EQ(cap_text(Power::from_watts(400)), "400");
  EXPECT_EQ(cap_text(Power::from_watts(400.7)), "400.7");
  EXPECT_EQ(cap_text(Power::from_watts(299.999)), "299.99");
  EXPECT_EQ(cap_text(Power::from_watts(1200)), "1200");
}

TEST(ReachablePercent, IsNeverRoundedUp) {
  EXPECT_EQ(reachable_percent(0.347166), "34.71");
  EXPECT_EQ(reachable_percent(0.3), "30.00");
  EXPECT_EQ(reachable_percent(0.99999), "99.99");
}

TEST(PointsText, HasASignButNoSignedZero) {
  EXPECT_EQ(points_text(0.0078), "+0.8");
  EXPECT_EQ(points_text(-0.0136), "-1.4");
  EXPECT_EQ(points_text(-0.0004), "+0.0");
  EXPECT_EQ(points_text(0), "+0.0");
}

TEST(CutText, IsWrittenAsPeopleDo) {
  EXPECT_EQ(cut_text(0.25), "25 %");
  EXPECT_EQ(cut_text(0.125), "12.5 %");
}

}  // namespace
}  // namespace wattflex::report
