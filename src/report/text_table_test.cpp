#include "report/text_table.h"

#include <gtest/gtest.h>

namespace wattflex::report {
namespace {

TEST(TextTable, AlignsByCodePointsAndQuotesCsv) {
  TextTable table({{"group", "group", Align::left}, {"pfi", "PFI"}});
  table.add_row({"fine, \"p3\"", "2.08"});
  table.add_row({"größe"});
  EXPECT_EQ(table.to_text(),
            "group        PFI\n"
            "fine, \"p3\"  2.08\n"
            "größe\n");
  EXPECT_EQ(table.to_csv(), "group,pfi\n\"fine, \"\"p3\"\"\",2.08\ngröße,\n");
}

TEST(TextTable, BreaksTitlesThenTextToFitALine) {
  TextTable table({{"job", "job", Align::left}, {"saved", "energy saved"}, {"note", "note", Align::left}});
  table.add_row({"a", "1.5", "this one is long enough to be broken"});
  table.add_row({"b", "22", ""});
  EXPECT_EQ(table.to_text({.width = 57}),
            "job  energy saved  note\n"
            "a             1.5  this one is long enough to be broken\n"
            "b              22\n");
  EXPECT_EQ(table.to_text({.width = 52}),
            "     energy\n"
            "job   saved  note\n"
            "a       1.5  this one is long enough to be broken\n"
            "b        22\n");
  EXPECT_EQ(table.to_text({.width = 32}),
            "     energy\n"
            "job   saved  note\n"
            "a       1.5  this one is long\n"
            "             enough to be broken\n"
            "b        22\n");
}

TEST(TextTable, GoesOnInBlocksThatRepeatTheFirstColumn) {
  TextTable table({{"job", "job", Align::left}, {"x", "x"}, {"y", "y"}, {"z", "z"}});
  table.add_row({"first", "1000", "2000", "3000"});
  table.add_row({"other", "1", "2", "3"});
  EXPECT_EQ(table.to_text({.width = 17}),
            "job       x     y\n"
            "first  1000  2000\n"
            "other     1     2\n"
            "\n"
            "job       z\n"
            "first  3000\n"
            "other     3\n");
  EXPECT_EQ(table.to_text({.width = 23}),
            "job       x     y     z\n"
            "first  1000  2000  3000\n"
            "other     1     2     3\n");
}

TEST(TextTable, LeavesRowsOutOfFurtherBlocksThatAreEmptyThere) {
  TextTable table({{"job", "job", Align::left}, {"x", "x"}, {"note", "note", Align::left}});
  table.add_row({"first", "1000"});
  table.add_row({"other", "1", "remarkable"});
  table.add_row({"third"});
  EXPECT_EQ(table.to_text({.width = 18}),
            "job       x\n"
            "first  1000\n"
            "other     1\n"
            "third\n"
            "\n"
            "job    note\n"
            "other  remarkable\n");
}

TEST(TextTable, OneColumnAndWordsLongerThanALineStand) {
  TextTable table({{"file", "file", Align::left}});
  table.add_row({"a_name_of_twenty_characters"});
  EXPECT_EQ(table.to_text({.width = 10}), "file\na_name_of_twenty_characters\n");
}

}  // namespace
}  // namespace wattflex::report
