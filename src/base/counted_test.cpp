#include "base/counted.h"

#include <gtest/gtest.h>

namespace wattflex {
namespace {

TEST(Counted, TakesThePluralForAllButOne) {
  EXPECT_EQ(counted(0, "job"), "0 jobs");
  EXPECT_EQ(counted(1, "job"), "1 job");
  EXPECT_EQ(counted(2, "matched group"), "2 matched groups");
}

}  // namespace
}  // namespace wattflex
