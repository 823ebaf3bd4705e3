#include "ingest/text_source.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <string>

namespace wattflex::ingest {
namespace {

// Reads at most `most` bytes in small blocks.
std::string read_some(TextSource& source, std::size_t most) {
  std::string text;
  std::array<char, 7> block{};
  while (text.size() < most) {
    const auto count = source.read({block.data(), std::min(block.size(), most - text.size())});
    if (!count || *count == 0) break;
    text.append(block.data(), *count);
  }
  return text;
}

TEST(TextSource, APipeGivesTheSameBytesAfterEveryRewind) {
  const std::string all = "group,gpus,cap_w\na,8,700\nb,8,500\n";
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  ASSERT_EQ(write(ends[1], all.data(), all.size()), static_cast<ssize_t>(all.size()));
  close(ends[1]);
  auto source = TextSource::open("/dev/fd/" + std::to_string(ends[0]));
  close(ends[0]);
  ASSERT_TRUE(source) << source.error().message;
  for (const std::size_t part : {std::size_t{5}, std::size_t{20}, all.size(), all.size()}) {
    EXPECT_EQ(read_some(*source, part), all.substr(0, part));
    ASSERT_TRUE(source->rewind());
  }
  EXPECT_EQ(read_some(*source, 1000), all);
}

TEST(TextSource, APipeIsReadNoFurtherThanAsked) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  // The writer stays open: whoever waited for the end would wait for ever.
  const std::string block(std::size_t{48} << 10, 'x');
  ASSERT_EQ(write(ends[1], block.data(), block.size()), static_cast<ssize_t>(block.size()));
  auto source = TextSource::open("/dev/fd/" + std::to_string(ends[0]));
  ASSERT_TRUE(source) << source.error().message;
  EXPECT_EQ(read_some(*source, 1000).size(), 1000);
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace wattflex::ingest
