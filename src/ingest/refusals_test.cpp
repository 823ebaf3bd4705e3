// Tables that are refused: each names file, row and column and what to do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "ingest/sweep_table.h"
#include "ingest/sweep_table_reader.h"
#include "ingest/test_tables.h"

namespace wattflex {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;

// The refusal, which whole and streaming reading agree on.
Error refusal(const std::string& text) {
  const auto table = parse_sweep_table(text, "t.csv");
  const auto streamed = SweepTableReader::of_text(text, "t.csv");
  if (table || streamed) {
    ADD_FAILURE() << "accepted: " << text;
    return {};
  }
  EXPECT_EQ(table.error(), streamed.error());
  EXPECT_FALSE(table.error().remedy.empty());
  return table.error();
}

void expect_refused(const std::string& text, const std::string& place, const std::string& problem) {
  const Error error = refusal(text);
  EXPECT_EQ(error.kind, ErrorKind::refused) << error.message;
  EXPECT_THAT(error.message, testing::StartsWith("t.csv" + place)) << text;
  EXPECT_THAT(error.message, HasSubstr(problem)) << text;
}

// A table whose second row is `row`.
std::string with_row(const std::string& row) {
  return kSweepHeader + "a,8,700,5200,100\n" + row + "\na,8,300,2400,70\n";
}

TEST(SweepTable, EmptyAndHeaderOnlyGiveNoData) {
  for (const std::string& text : {""s, "\xEF\xBB\xBF"s, "\n\n"s, "# only a comment\n"s, kSweepHeader,
                                  "group,gpus,cap_w,power_w,throughput"s}) {
    EXPECT_EQ(refusal(text).kind, ErrorKind::no_data) << text;
  }
}

TEST(SweepTable, MissingAndDoubledColumnsAreNamed) {
  expect_refused("group,gpus,cap_w,power_w\na,8,700,5200\n", ", row 1, column throughput", "missing");
  expect_refused("group,gpus,cap_w,power_w,throughput,cap_w\n", ", row 1, column cap_w", "twice");
}

TEST(SweepTable, WrongSeparatorsAreRefused) {
  expect_refused("group|gpus|cap_w|power_w|throughput\na|8|700|5200|100\n", ", row 1", "one single cell");
  expect_refused("group gpus cap_w power_w throughput\n", ", row 1", "one single cell");
  // Rows separated otherwise than the header.
  expect_refused(with_row("a;8;500;3900;90"), ", row 3", "1 cell for 5 columns");
}

TEST(SweepTable, DecimalCommasWhereCommasSeparateAreRefusedWithTheirLine) {  // IMP-01
  expect_refused(with_row("a,8,500,3900,5,90"), ", row 3", "6 cells for 5 columns");
  expect_refused(with_row("a,8,500,\"3900,5\",90"), ", row 3, column power_w", "decimal comma");
  expect_refused("group;gpus;cap_w;power_w;throughput\na;8;700;5200,5;100\na;8;500;3900.5;90\n",
                 ", row 3, column power_w", "decimal comma");
}

TEST(SweepTable, ThousandsMarksAreRefused) {
  for (const char* power : {"\"3,900.5\"", "3'900", "3 900", "\"3,900\""}) {
    expect_refused(with_row("a,8,500,"s + power + ",90"), ", row 3, column power_w", "thousands mark");
  }
  expect_refused("group;gpus;cap_w;power_w;throughput\na;8;700;5,200;100\na;8;500;3,900;90\n", ", row 2",
                 "thousands mark or decimal comma");
}

TEST(SweepTable, NumbersThatAreNoneAreRefused) {
  for (const char* power : {"nan", "NaN", "inf", "-inf"}) {
    expect_refused(with_row("a,8,500,"s + power + ",90"), ", row 3, column power_w", "not a finite number");
  }
  expect_refused(with_row("a,8,500,3900,NaN"), ", row 3, column throughput", "not a finite number");
  expect_refused(with_row("a,8,500,3900,"), ", row 3, column throughput", "is empty");
  expect_refused(with_row("a,8,500,N/A,90"), ", row 3, column power_w", "missing reading");
  expect_refused(with_row("a,8,500 W,3900,90"), ", row 3, column cap_w", "unit");
  expect_refused(with_row("a,eight,500,3900,90"), ", row 3, column gpus", "not a number");
}

TEST(SweepTable, ZeroAndNegativeValuesAreRefusedWherePhysicsForbidsThem) {
  for (const char* value : {"0", "-1", "-0"}) {
    const std::string v = value;
    expect_refused(with_row("a," + v + ",500,3900,90"), ", row 3, column gpus", "above zero");
    expect_refused(with_row("a,8," + v + ",3900,90"), ", row 3, column cap_w", "above zero");
    expect_refused(with_row("a,8,500," + v + ",90"), ", row 3, column power_w", "above zero");
    expect_refused(with_row("a,8,500,3900," + v), ", row 3, column throughput", "above zero");
  }
  expect_refused("group,gpus,cap_w,power_w,throughput,power_stderr\na,8,700,5200,100,-1\na,8,500,3900,90,1\n",
                 ", row 2, column power_stderr", "negative");
}

TEST(SweepTable, GpusAreWholeAndAlikeInAGroup) {
  expect_refused(with_row("a,7.5,500,3900,90"), ", row 3, column gpus", "not a number of GPUs");
  expect_refused(with_row("a,16,500,3900,90"), ", row 3, column gpus", "differs from row 2");
}

TEST(SweepTable, MilliwattsMistakenForWattsAreRefused) {
  expect_refused(with_row("a,8,500000,3900,90"), ", row 3, column cap_w", "10 kW");
  expect_refused(with_row("a,8,10000.1,3900,90"), ", row 3, column cap_w", "10 kW");
  expect_refused(with_row("a,8,500,3900000,90"), ", row 3, column power_w", "10 kW");
  EXPECT_TRUE(parse_sweep_table(kSweepHeader + "a,8,10000,5200,100\na,8,500,3900,90\n", "t.csv"));
}

TEST(SweepTable, MagnitudesThatNoMeasurementGivesAreRefused) {
  for (const char* throughput : {"1.0001e24", "1e29", "9.999e-13", "1e-308"}) {
    expect_refused(with_row("a,8,500,3900,"s + throughput), ", row 3, column throughput",
                   "outside 1e-12 to 1e+24");
  }
  expect_refused(with_row("a,8,0.0009,3900,90"), ", row 3, column cap_w", "outside 0.001 to 10000");
  expect_refused(with_row("a,8,500,0.0009,90"), ", row 3, column power_w", "outside 0.001 to 80000");
  EXPECT_TRUE(parse_sweep_table(kSweepHeader + "a,8,500,3900,1e24\na,8,0.001,0.001,1e-12\n", "t.csv"));
}

TEST(SweepTable, StandardErrorsAboveTheirValuesAreRefused) {
  const std::string header =
      "group,gpus,cap_w,power_w,throughput,power_stderr,throughput_stderr\na,8,700,5200,100,,\n";
  expect_refused(header + "a,8,500,3900,90,3900.1,\n", ", row 3, column power_stderr", "outside 0 to 3900");
  expect_refused(header + "a,8,500,3900,90,,90.1\n", ", row 3, column throughput_stderr", "outside 0 to 90");
  EXPECT_TRUE(parse_sweep_table(header + "a,8,500,3900,90,3900,90\n", "t.csv"));
}

TEST(SweepTable, DoubledCapsAndDoubledReferencesAreRefused) {
  expect_refused(with_row("a,8,300.0,2500,71"), ", row 4, column cap_w",
                 "300 W is there twice in group 'a' (also row 3)");
  expect_refused(with_row("a,8,700,5100,99"), ", row 3, column cap_w", "it is the uncapped point");
}

TEST(SweepTable, AGroupOfOnePointIsRefused) {
  expect_refused(with_row("lonely,8,500,3900,90"), ", row 3", "group 'lonely' has only this point");
}

TEST(SweepTable, OneNameForTwoConfigurationsIsRefused) {
  const std::string header = "group,gpus,cap_w,power_w,throughput,task,arch,model,pedigree\n";
  const std::string first = "a,8,700,5200,100,pretraining,dense,m,measured\n";
  for (const auto& [row, column] :
       {std::pair("a,8,500,3900,90,fine-tuning,dense,m,measured\n", "task"),
        std::pair("a,8,500,3900,90,pretraining,moe,m,measured\n", "arch"),
        std::pair("a,8,500,3900,90,pretraining,dense,n,measured\n", "model"),
        std::pair("a,8,500,3900,90,pretraining,dense,m,simulated\n", "pedigree")}) {
    expect_refused(header + first + row, ", row 3, column "s + column, "differs from row 2");
  }
}

TEST(SweepTable, BytesThatAreNotTextAreRefusedWithTheirLine) {  // IMP-03
  expect_refused(with_row("a,8,5\0"
                          "00,3900,90"s),
                 ", row 3", "NUL");
  expect_refused(with_row("\xFF\xFE,8,500,3900,90"), ", row 3, column group", "no name");
  expect_refused(with_row("a\x1B[2J,8,500,3900,90"), ", row 3, column group", "no name");
  // C1 controls (U+009B begins a terminal's commands) and marks that turn the text around.
  for (const char* const hidden :
       {"\xC2\x80", "\xC2\x9B", "\xC2\x9F", "\xE2\x80\xAA", "\xE2\x80\xAE", "\xE2\x81\xA6", "\xE2\x81\xA9"}) {
    expect_refused(with_row("a" + std::string(hidden) + "2J,8,500,3900,90"), ", row 3, column group",
                   "'a?2J' is no name");
  }
  expect_refused("\xFF\xFEg\0r\0o\0u\0p\0"s, ", row 1", "UTF-16");
  expect_refused(with_row("\"a,8,500,3900,90"), ", row 3", "quote");
  expect_refused(with_row(std::string(513, 'a') + ",8,500,3900,90"), ", row 3, column group", "no name");
  expect_refused(with_row(std::string(70'000, 'a')), ", row 3", "64 KiB");
}

TEST(SweepTable, BinaryFilesAreRefusedAsSuch) {
  expect_refused(std::string(300'000, '\0'), ", row 1", "NUL");
  expect_refused(kSweepHeader + std::string(300'000, '\0'), ", row 2", "NUL");
  expect_refused("\x1F\x8B\x08 a gzip file\n", ", row 1", "control characters");
  EXPECT_EQ(refusal(std::string(300'000, '\0')).remedy, "save the table as UTF-8 text");
}

TEST(SweepTable, LineEndsOfOldMacsAreNamedWithTheRemedy) {
  std::string text = "# caps\n" + kSweepHeader + "a,8,700,5200,100\na,8,500,3900,90\n";
  std::ranges::replace(text, '\n', '\r');
  expect_refused(text, ", row 1", "lines end in CR alone");
  EXPECT_THAT(refusal(text).remedy, HasSubstr("tr '\\r' '\\n'"));
  while (text.size() < 70'000) text += "a,8,700,5200,100\r";  // longer than a line may be
  expect_refused(text, ", row 1", "lines end in CR alone");
  expect_refused(kSweepHeader + "a,8,700,5200,100\ra,8,500,3900,90\n", ", row 2", "lines end in CR alone");
  // Windows' line ends are fine.
  EXPECT_TRUE(parse_sweep_table(
      "group,gpus,cap_w,power_w,throughput\r\na,8,700,5200,100\r\na,8,500,3900,90\r\n", "t.csv"));
}

TEST(SweepTable, EndlessNonsenseIsNotReadToItsEnd) {
  const auto rows = [](std::size_t count, std::string_view row) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += row;
    return text;
  };
  const std::string whole = "a,8,700,5200,100\na,8,500,3900,90\n";
  const std::string stopped = "(and 10000 more;";  // the last of them says that reading stopped
  EXPECT_THAT(refusal(kSweepHeader + rows(10'000, "y\n") + whole).message, HasSubstr(stopped));
  EXPECT_THAT(refusal(kSweepHeader + rows(1'000'000, "y\n")).message, HasSubstr(stopped));
  EXPECT_THAT(refusal(kSweepHeader + rows(9'999, "y\n") + whole).message, HasSubstr("(and 9998 more;"));
  EXPECT_TRUE(parse_sweep_table(rows(100'000, "#\n") + kSweepHeader + whole, "t.csv"));
  expect_refused(rows(100'001, "#\n") + kSweepHeader + whole, ", row 100001", "blank or comments");
}

TEST(SweepTable, RowsOfMoreGroupsThanErrorsAllowedMayAlternate) {
  std::string text = kSweepHeader;
  for (const char* row : {",8,700,5200,100\n", ",8,500,3900,90\n"}) {
    for (int group = 0; group < 10'001; ++group) text += 'g' + std::to_string(group) + row;
  }
  const auto table = parse_sweep_table(text, "t.csv");
  ASSERT_TRUE(table) << table.error().message;
  EXPECT_EQ(table->groups.size(), 10'001U);
}

TEST(SweepTable, NumbersOutOfRangeAreRefusedAsSuchInEveryColumn) {
  const std::string header = kSweepHeader.substr(0, kSweepHeader.size() - 1) + ",power_stderr,dram_active\n";
  const std::string first = "a,8,700,5200,100,1,0.5\n";
  for (const char* value : {"1e400", "-1e400", "+1e400", "1.001e30", "1e-400"}) {
    const std::string v = value;
    for (const auto& [row, column] : {std::pair("a," + v + ",500,3900,90,1,0.5\n", "gpus"),
                                      std::pair("a,8," + v + ",3900,90,1,0.5\n", "cap_w"),
                                      std::pair("a,8,500," + v + ",90,1,0.5\n", "power_w"),
                                      std::pair("a,8,500,3900," + v + ",1,0.5\n", "throughput"),
                                      std::pair("a,8,500,3900,90," + v + ",0.5\n", "power_stderr"),
                                      std::pair("a,8,500,3900,90,1," + v + "\n", "dram_active")}) {
      expect_refused(header + first + row, ", row 3, column "s + column, "'" + v + "' is out of range");
    }
  }
  expect_refused("group;gpus;cap_w;power_w;throughput\na;8;700;5200;1,5e400\na;8;500;3900;90\n",
                 ", row 2, column throughput", "is out of range");
  EXPECT_TRUE(parse_sweep_table(kSweepHeader + "a,8,700,5200,1e24\na,8,500,3900,9e23\n", "t.csv"));
}

TEST(SweepTable, AMessageSaysHowManyMoreProblemsThereAre) {
  EXPECT_THAT(refusal(kSweepHeader + "a,8,x,3900,90\na,8,500,y,90\nb,0,500,3900,90\n").message,
              HasSubstr("(and 2 more; 'wattflex check' lists them)"));
}

TEST(SweepTable, AMissingFileAndADirectoryAreIoErrors) {
  EXPECT_EQ(read_sweep_table("/nowhere/t.csv").error().kind, ErrorKind::io);
  EXPECT_EQ(SweepTableReader::open("/").error().kind, ErrorKind::io);
}

}  // namespace
}  // namespace wattflex
