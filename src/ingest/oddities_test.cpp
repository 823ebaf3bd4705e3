// Tables that are odd and accepted: each oddity shows as a warning.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ingest/sweep_table.h"
#include "ingest/sweep_table_reader.h"
#include "ingest/test_tables.h"

namespace wattflex {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// The table, which streaming reading warns about alike.
SweepTable accepted(const std::string& text) {
  const auto table = parse_sweep_table(text, "t.csv");
  const auto streamed = SweepTableReader::of_text(text, "t.csv");
  if (!table || !streamed) {
    ADD_FAILURE() << (table ? streamed.error().message : table.error().message);
    return {};
  }
  EXPECT_EQ(streamed->warnings(), table->warnings);
  EXPECT_EQ(streamed->group_count(), table->groups.size());
  return *table;
}

std::vector<double> caps_of(const SweepGroup& group) {
  std::vector<double> caps;
  for (const SweepPoint& point : group.points) caps.push_back(point.cap.watts());
  return caps;
}

TEST(OddTable, APlainOneHasNoWarnings) {
  EXPECT_THAT(accepted(kSweepHeader + "# a comment\na,8,700,5200,100\n\na,8,500,3900,90\n").warnings,
              IsEmpty());
}

TEST(OddTable, ByteOrderMarkAndCarriageReturnsAreDropped) {
  const SweepTable table =
      accepted("\xEF\xBB\xBFgroup,gpus,cap_w,power_w,throughput\r\na,8,700,5200,100\r\na,8,500,3900,90\r\n");
  EXPECT_EQ(table.groups[0].id.group, "a");
  EXPECT_EQ(table.groups[0].points[1].throughput, 90);
  EXPECT_THAT(table.warnings, Contains(HasSubstr("byte order mark")));
  EXPECT_THAT(table.warnings, Contains(HasSubstr("CR LF")));
}

TEST(OddTable, AWholeLastRowWithoutNewlineIsUsedWithAWarning) {
  const SweepTable table = accepted(kSweepHeader + "a,8,700,5200,100\na,8,500,3900,90");
  EXPECT_THAT(table.groups[0].points, SizeIs(2));
  EXPECT_THAT(table.warnings,
              ElementsAre(HasSubstr("row 3: the file ends without a newline; if it was cut, '90'")));
}

TEST(OddTable, ACutLastRowIsLeftOut) {  // IMP-03
  const std::string whole = kSweepHeader + "a,8,700,5200,100\na,8,500,3900,90\n";
  for (const char* cut :
       {"a,8,300,2400", "a,8,300,2400,", "a,8,300,2400,7.", "a,8,300,2400,7e", "a", "\"a"}) {
    const SweepTable table = accepted(whole + cut);
    EXPECT_THAT(table.groups[0].points, SizeIs(2)) << cut;
    EXPECT_THAT(table.warnings, ElementsAre(HasSubstr("row 4: the last row is cut and was left out"))) << cut;
  }
  // A fault before the last cell is no cut.
  EXPECT_FALSE(parse_sweep_table(whole + "a,8,x,2400,70", "t.csv"));
  EXPECT_FALSE(parse_sweep_table(whole + "a,8,300,2400,70,9", "t.csv"));
}

TEST(OddTable, DecimalCommasBetweenSemicolonsAreRead) {  // IMP-01
  const SweepTable table =
      accepted("group;gpus;cap_w;power_w;throughput\na;8;700;5201,5;12,0\na;8;500;3900;9,5\n");
  EXPECT_EQ(table.groups[0].points[0].power.watts(), 5201.5);
  EXPECT_EQ(table.groups[0].points[0].throughput, 12.0);
  EXPECT_THAT(table.warnings, ElementsAre(HasSubstr("decimal commas")));
}

TEST(OddTable, TabsSeparateToo) {
  EXPECT_THAT(
      accepted("group\tgpus\tcap_w\tpower_w\tthroughput\na b\t8\t700\t5200\t100\na b\t8\t500\t3900\t90\n")
          .groups[0]
          .points,
      SizeIs(2));
}

TEST(OddTable, UnsortedRowsAreSorted) {
  const SweepTable table = accepted(kSweepHeader +
                                    "a,8,500,3900,90\na,8,700,5200,100\na,8,300,2400,70\n"
                                    "b,8,700,5200,100\nb,8,500,3900,90\nb,8,300,2400,70\n");
  EXPECT_THAT(caps_of(table.groups[0]), ElementsAre(700, 500, 300));
  EXPECT_THAT(table.warnings,
              ElementsAre(HasSubstr("row 2, column cap_w: the caps of group 'a' are in no order")));
}

TEST(OddTable, RowsOfAGroupNeedNotStandTogether) {
  const SweepTable table =
      accepted(kSweepHeader + "a,8,700,5200,100\nb,8,700,5200,100\na,8,500,3900,90\nb,8,500,3900,90\n");
  EXPECT_THAT(table.groups, SizeIs(2));
  EXPECT_EQ(table.groups[0].id.group, "a");
  EXPECT_THAT(table.warnings, ElementsAre(HasSubstr("do not all stand together")));
}

TEST(OddTable, ThroughputAtOrAboveTheUncappedOneIsTold) {
  EXPECT_THAT(accepted(kSweepHeader + "a,8,700,5200,100\na,8,500,3900,100\n").warnings,
              ElementsAre(HasSubstr("row 3, column throughput: 100 at 500 W is not below the uncapped 100")));
  EXPECT_THAT(accepted(kSweepHeader + "a,8,700,5200,100\na,8,500,3900,99.9\n").warnings, IsEmpty());
}

TEST(OddTable, ACapThatDoesNotBindIsTold) {
  EXPECT_THAT(accepted(kSweepHeader + "a,8,700,4000,100\na,8,600,3961,99\n").warnings,
              ElementsAre(HasSubstr("row 3, column cap_w: at 600 W the job draws 3961 W, uncapped 4000 W")));
  EXPECT_THAT(accepted(kSweepHeader + "a,8,700,4000,100\na,8,600,3959,99\n").warnings, IsEmpty());
}

TEST(OddTable, DrawAboveTheCapIsTold) {
  EXPECT_THAT(accepted(kSweepHeader + "a,8,700,5200,100\na,8,100,824,20\n").warnings,
              ElementsAre(HasSubstr("row 3, column power_w: 103 W per GPU at a cap of 100 W")));
  EXPECT_THAT(accepted(kSweepHeader + "a,8,700,5200,100\na,8,100,800,20\n").warnings, IsEmpty());
}

TEST(OddTable, SeveralAcceleratorsGiveSeveralGroups) {
  const SweepTable table = accepted(
      "group,accelerator,gpus,cap_w,power_w,throughput\n"
      "a,H200,8,700,5200,100\na,H200,8,500,3900,90\na,H100,8,700,5200,90\na,H100,8,500,3900,80\n");
  EXPECT_THAT(table.groups, SizeIs(2));
  EXPECT_THAT(table.warnings, ElementsAre(HasSubstr("2 accelerators in one table ('H100', 'H200')")));
}

TEST(OddTable, PowerThatIsNotAMeanIsTold) {
  const SweepTable table = accepted(
      "group,gpus,cap_w,power_w,throughput,power_kind\na,8,700,5200,100,p95\na,8,500,3900,90,mean\n");
  EXPECT_EQ(table.groups[0].points[0].power_kind, PowerKind::p95);
  EXPECT_THAT(table.warnings, ElementsAre(HasSubstr("row 2, column power_kind: power_w is the p95")));
}

TEST(OddTable, AnAbortedRunStaysMarkedOrIsLeftOut) {
  const std::string header = "group,gpus,cap_w,power_w,throughput,aborted\n";
  const SweepTable marked = accepted(header + "a,8,700,5200,100,0\na,8,500,3900,90,1\na,8,300,2400,70,0\n");
  EXPECT_EQ(marked.groups[0].points[1].limited_by, Limiter::other);
  EXPECT_THAT(marked.warnings, ElementsAre(HasSubstr("row 3: the run at 500 W was aborted")));
  const SweepTable dropped = accepted(header + "a,8,700,5200,100,0\na,8,500,,,1\na,8,300,2400,70,0\n");
  EXPECT_THAT(caps_of(dropped.groups[0]), ElementsAre(700, 300));
}

TEST(OddTable, AnAbortedRunWithoutNumbersIsLeftOutWhateverItsErrors) {
  const SweepTable table = accepted(
      "group,gpus,cap_w,power_w,throughput,power_stderr,throughput_stderr,aborted\n"
      "a,8,700,5200,100,10,1,0\na,8,500,,,10,1,1\na,8,300,2400,70,10,1,0\n");
  EXPECT_THAT(caps_of(table.groups[0]), ElementsAre(700, 300));
}

TEST(OddTable, AGroupWithoutItsUncappedRunIsLeftOutRatherThanGivenAnotherReference) {
  const SweepTable table = accepted(
      "group,gpus,cap_w,power_w,throughput,aborted\n"
      "a,8,700,,,1\na,8,500,3900,90,0\na,8,300,2400,70,0\n"
      "b,8,700,5200,100,0\nb,8,500,3900,90,0\nb,8,300,2400,70,0\n");
  ASSERT_THAT(table.groups, SizeIs(1));
  EXPECT_EQ(table.groups[0].id.group, "b");
  EXPECT_THAT(table.warnings, Contains(HasSubstr("group 'a' is left out: its uncapped run has no numbers")));
  ASSERT_THAT(table.dropped, SizeIs(1));
  EXPECT_EQ(table.dropped[0].id, (GroupId{"t", "a", ""}));
  EXPECT_EQ(table.dropped[0].reason, "its uncapped run has no numbers");
}

TEST(OddTable, WithoutAnyGroupLeftTheFirstThatWasLeftOutIsNamedWithItsReason) {
  const auto table = parse_sweep_table(
      "group,gpus,cap_w,power_w,throughput,aborted\n"
      "a,8,700,,,1\na,8,500,3900,90,0\na,8,300,2400,70,0\n",
      "t.csv");
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().message,
            "t.csv: no group of the table can be used; of 'a', its uncapped run has no numbers");
}

TEST(OddTable, AStreamNamesTheGroupsItLeftOutAlsoWhereTheirRowsDoNotStandTogether) {
  const std::string text =
      "group,gpus,cap_w,power_w,throughput,aborted\n"
      "a,8,700,,,1\na,8,500,3900,90,0\na,8,300,2400,70,0\nc,8,700,,,1\n"
      "b,8,700,5200,100,0\nb,8,500,3900,90,0\nc,8,500,3900,90,0\nc,8,300,2400,70,0\n";
  const auto reader = SweepTableReader::of_text(text, "t.csv");
  ASSERT_TRUE(reader);
  ASSERT_THAT(reader->dropped(), SizeIs(2));
  EXPECT_EQ(reader->dropped()[0].id.group, "a");
  EXPECT_EQ(reader->dropped()[1].id.group, "c");
}

TEST(OddTable, ASweepWithFewerCapsThanItsPeersIsTold) {
  std::string text = kSweepHeader;
  for (const char* group : {"a", "b", "c"}) {
    for (const char* rest : {",8,700,5200,100\n", ",8,500,3900,90\n", ",8,300,2400,70\n"}) {
      if (std::string(group) != "c" || rest[3] != '3') text += std::string(group) + rest;
    }
  }
  EXPECT_THAT(accepted(text).warnings, ElementsAre(HasSubstr("'c' has 2 caps, most groups 3")));
}

TEST(OddTable, PowerInAnotherUnitOrOfOneGpuIsSuspected) {
  EXPECT_THAT(accepted(kSweepHeader + "a,8,700,5.2,100\na,8,500,3.9,90\n").warnings,
              ElementsAre(HasSubstr("5.2 W for 8 GPUs at 700 W")));
  EXPECT_THAT(accepted(kSweepHeader + "a,8,700,650,100\na,8,500,490,90\n").warnings,
              ElementsAre(HasSubstr("650 W is little for 8 GPUs at 700 W each")));
}

TEST(OddTable, UnknownColumnsAreIgnoredWithOneWarningAndAHint) {
  const SweepTable table = accepted(
      "group,gpus,cap_w,power_w,throughput,operator,DCGM_FI_PROF_DRAM_ACTIVE\n"
      "a,8,700,5200,100,x,0.5\na,8,500,3900,90,y,0.4\n");
  EXPECT_THAT(table.warnings,
              ElementsAre(HasSubstr("unknown column 'operator' is ignored (and 1 more like it)")));
  EXPECT_THAT(accepted("group,gpus,cap_w,power_w,throughput,DCGM_FI_DEV_GPU_UTIL\n"
                       "a,8,700,5200,100,97\na,8,500,3900,90,98\n")
                  .warnings,
              ElementsAre(HasSubstr("its name here is gpu_util (ratio, 0 to 1)")));
}

TEST(OddTable, HeadersInOtherWordsAreRecognised) {
  const auto refusals = [](const std::string& header) {
    const auto table = parse_sweep_table(header + "\na,8,700,5200,100\n", "t.csv");
    return table ? "" : table.error().message;
  };
  EXPECT_THAT(refusals("group,gpus,Cap (W),power_w,throughput"),
              HasSubstr("t.csv, row 1, column cap_w: this column is missing; rename 'cap (w)' to it?"));
  EXPECT_THAT(refusals("group,gpus,cap_w (W),power_w,throughput"), HasSubstr("rename 'cap_w (w)' to it?"));
  EXPECT_THAT(refusals("group,gpus,cap_w,Power [W],throughput"), HasSubstr("rename 'power [w]' to it?"));
  EXPECT_THAT(refusals("group,gpus,cap_w,power_w,tokens/s"), HasSubstr("rename 'tokens/s' to it?"));
  EXPECT_THAT(refusals("group,gpus,cap_w,power_w,Throughput (tokens/s)"), HasSubstr("rename 'throughput ("));
  EXPECT_THAT(refusals("group,GPU count,cap_w,power_w,throughput"), HasSubstr("rename 'gpu count' to it?"));
  EXPECT_THAT(refusals("group,gpus,cap_w,power_w,speed"), testing::EndsWith(": this column is missing"));
  EXPECT_THAT(
      accepted("group,gpus,cap_w,power_w,throughput,Power stderr\na,8,700,5200,100,\na,8,500,3900,90,\n")
          .warnings,
      Contains(HasSubstr("did you mean power_stderr?")));
}

TEST(OddTable, CapAndDrawInEachOthersColumnAreSuspected) {
  const auto warnings = [](const std::string& rows) { return accepted(kSweepHeader + rows).warnings; };
  const auto swapped = Contains(HasSubstr("cap_w and power_w look exchanged"));
  EXPECT_THAT(warnings("a,1,683.4,700,100\na,1,498.2,500,90\na,1,299.1,300,60\n"), swapped);
  EXPECT_THAT(warnings("a,8,5467.2,700,100\na,8,3985.6,500,90\na,8,2392.8,300,60\n"), swapped);
  // The right way round; round in both; above the cap with ragged draws.
  EXPECT_THAT(warnings("a,1,700,683.4,100\na,1,500,498.2,90\na,1,300,299.1,60\n"), testing::Not(swapped));
  EXPECT_THAT(warnings("a,1,700,710,100\na,1,500,510,90\na,1,300,310,60\n"), testing::Not(swapped));
  EXPECT_THAT(warnings("a,1,683.4,700.3,100\na,1,498.2,500.1,90\na,1,299.1,300.2,60\n"),
              testing::Not(swapped));
}

TEST(OddTable, RoundCapsAndDrawsInEachOthersColumnAreSuspectedWhereEveryRowFitsOnlyExchanged) {
  const auto warnings = [](const std::string& rows) { return accepted(kSweepHeader + rows).warnings; };
  const auto swapped = Contains(HasSubstr("cap_w and power_w look exchanged in group 'a'"));
  EXPECT_THAT(warnings("a,8,5410,700,100\na,8,3935,500,90\na,8,3100,400,80\n"), swapped);
  EXPECT_THAT(warnings("a,8,700,5410,100\na,8,500,3935,90\na,8,400,3100,80\n"), testing::Not(swapped));
  // One row that draws a fifth of its caps; a job that idles; the draw of one of eight GPUs.
  EXPECT_THAT(warnings("a,8,5410,700,100\na,8,3935,500,90\na,8,400,640,80\n"), testing::Not(swapped));
  EXPECT_THAT(warnings("a,8,700,640,100\na,8,500,600,90\na,8,400,560,80\n"), testing::Not(swapped));
  EXPECT_THAT(warnings("a,8,700,650,100\na,8,500,490,90\n"), testing::Not(swapped));
}

TEST(OddTable, UnknownWordsAreTold) {
  const SweepTable table = accepted(
      "group,gpus,cap_w,power_w,throughput,task,limited_by\n"
      "a,8,700,5200,100,fishing,none\na,8,500,3900,90,,gremlins\n");
  EXPECT_EQ(table.groups[0].task, Task::unknown);
  EXPECT_EQ(table.groups[0].points[1].limited_by, Limiter::other);
  EXPECT_THAT(table.warnings,
              ElementsAre(HasSubstr("column task: 'fishing' is none of the words; read as unknown (and 1")));
}

TEST(OddTable, SpreadsheetPaddingAndQuotesAreUnderstood) {
  const SweepTable table =
      accepted(kSweepHeader + "\"a, \"\"b\"\"\", 8 ,700,5200,100\n\"a, \"\"b\"\"\",8,500,3900,90\n,,,,\n");
  EXPECT_EQ(table.groups[0].id.group, "a, \"b\"");
  EXPECT_THAT(table.warnings, IsEmpty());
}

}  // namespace
}  // namespace wattflex
