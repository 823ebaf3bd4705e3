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

}  // namespace
}  // namespace wattflex::report
