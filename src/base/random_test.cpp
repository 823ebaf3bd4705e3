#include "base/random.h"

#include <gtest/gtest.h>

#include <cmath>

namespace wattflex {
namespace {

TEST(RandomStream, SameSeedGivesTheSameDrawsAndAnotherStreamDoesNot) {
  RandomStream a(7, 1);
  RandomStream b(7, 1);
  RandomStream other(7, 2);
  int equal = 0;
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t draw = a();
    EXPECT_EQ(draw, b());
    equal += draw == other() ? 1 : 0;
  }
  EXPECT_EQ(equal, 0);
}

// The test vectors of the authors, draft-eastlake-fnv, appendix C.
TEST(RandomStream, StreamNumbersOfNamesAreFnv1a) {
  EXPECT_EQ(stream_of(""), 0xcbf29ce484222325U);
  EXPECT_EQ(stream_of("a"), 0xaf63dc4c8601ec8cU);
  EXPECT_EQ(stream_of("foobar"), 0x85944171f73967e8U);
}

TEST(RandomStream, NormalHasTheMomentsOfAStandardNormal) {
  RandomStream stream(1);
  constexpr int kDraws = 200'000;
  double sum = 0;
  double squares = 0;
  double fourths = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = stream.normal();
    sum += x;
    squares += x * x;
    fourths += x * x * x * x;
  }
  // Five standard errors of each moment: sqrt(1/n), sqrt(2/n), sqrt(96/n).
  EXPECT_NEAR(sum / kDraws, 0, 5 * std::sqrt(1.0 / kDraws));
  EXPECT_NEAR(squares / kDraws, 1, 5 * std::sqrt(2.0 / kDraws));
  EXPECT_NEAR(fourths / kDraws, 3, 5 * std::sqrt(96.0 / kDraws));
}

TEST(RandomStream, BelowIsUniform) {
  RandomStream stream(3);
  constexpr int kDraws = 60'000;
  int counts[6] = {};
  for (int i = 0; i < kDraws; ++i) ++counts[stream.below(6)];
  double chi_square = 0;
  for (const int count : counts) chi_square += (count - 10'000.0) * (count - 10'000.0) / 10'000.0;
  EXPECT_LT(chi_square, 25.7);  // 99.99 % point of chi-square with 5 degrees of freedom
}

}  // namespace
}  // namespace wattflex
