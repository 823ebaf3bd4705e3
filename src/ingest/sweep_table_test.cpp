#include "ingest/sweep_table.h"

#include <gtest/gtest.h>

#include "ingest/sweep_table_writer.h"

namespace wattflex {
namespace {

TEST(SweepTableReading, GivesGroupsByFallingCap) {
  const auto table = parse_sweep_table(
      "group,gpus,cap_w,power_w,throughput\n"
      "a,8,500,3900,90\n"
      "a,8,700,5200,100\n",
      "runs/demo.csv");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->name, "demo");
  ASSERT_EQ(table->groups.size(), 1);
  EXPECT_EQ(table->groups[0].uncapped().cap.watts(), 700);
  EXPECT_EQ(table->groups[0].points[1].row, 2);
}

}  // namespace
}  // namespace wattflex
