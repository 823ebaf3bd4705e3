// Lines out of bytes that come in any pieces.
#include "ingest/logs/line_assembler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace wattflex::logs {
namespace {

using testing::ElementsAre;
using testing::Pair;
using Lines = std::vector<std::pair<std::string, std::uint64_t>>;

Lines lines_of(LineAssembler& assembler, std::string_view bytes) {
  Lines lines;
  assembler.feed(bytes,
                 [&](std::string_view text, std::uint64_t number) { lines.emplace_back(text, number); });
  return lines;
}

Lines lines_of(std::string_view bytes) {
  LineAssembler assembler;
  return lines_of(assembler, bytes);
}

TEST(LogLines, EndAtLineFeedAndAtCarriageReturn) {
  EXPECT_THAT(lines_of("a\nb\r\nc\rd\re\n\nf\n"), ElementsAre(Pair("a", 1), Pair("b", 2), Pair("c", 3),
                                                              Pair("d", 3), Pair("e", 3), Pair("f", 5)));
}

TEST(LogLines, LoseColoursAndTheByteOrderMark) {
  EXPECT_THAT(lines_of("\xEF\xBB\xBF\x1b[31mstep: 10  \x1b[32mloss\x1b[0m\n\x1b]0;title\a x\n"),
              ElementsAre(Pair("step: 10  loss", 1), Pair(" x", 2)));
}

// IMP-03: a cut last line is left out at the end of a file and awaited while it grows.
TEST(LogLines, ThatAreCutAreAwaitedAndThenLeftOut) {
  LineAssembler assembler;
  EXPECT_THAT(lines_of(assembler, "12.0,40\n12.5,4"), ElementsAre(Pair("12.0,40", 1)));
  EXPECT_THAT(lines_of(assembler, "1\n12.7,"), ElementsAre(Pair("12.5,41", 2)));
  assembler.finish();
  EXPECT_EQ(assembler.counts().cut, 1U);
  EXPECT_THAT(lines_of(assembler, "8\n"), ElementsAre(Pair("8", 3))) << "nothing of it is left";
}

TEST(LogLines, WithNulBytesAreLeftOutAndCounted) {
  LineAssembler assembler;
  EXPECT_THAT(lines_of(assembler, std::string_view("a\nb\0c\nd\n", 8)),
              ElementsAre(Pair("a", 1), Pair("d", 3)));
  EXPECT_EQ(assembler.counts().with_nul, 1U);
}

TEST(LogLines, AreBounded) {
  for (const std::size_t size : {kMostLogLineBytes, kMostLogLineBytes + 1}) {
    for (const std::size_t piece : {std::size_t{1000}, std::size_t{1} << 20}) {
      LineAssembler assembler;
      const std::string text = std::string(size, 'x') + "\nnext\n";
      Lines lines;
      for (std::size_t at = 0; at < text.size(); at += piece) {
        for (auto& line : lines_of(assembler, std::string_view(text).substr(at, piece)))
          lines.push_back(std::move(line));
      }
      ASSERT_EQ(lines.size(), size == kMostLogLineBytes ? 2U : 1U) << size << " in pieces of " << piece;
      EXPECT_EQ(lines.back(), std::pair(std::string("next"), std::uint64_t{2}));
      EXPECT_EQ(assembler.counts().overlong, size == kMostLogLineBytes ? 0U : 1U);
    }
  }
}

TEST(LogLines, AreTheSameInWhateverPiecesTheyCome) {
  const std::string text =
      "one\r\n\x1b[1mtwo\x1b[0m\rthree" + std::string(1, '\0') + "\nfour\n\n\r\rfive\x1b[2Ksix\nrest";
  const Lines whole = lines_of(text);
  for (std::size_t first = 0; first <= text.size(); ++first) {
    for (std::size_t second = first; second <= text.size(); ++second) {
      LineAssembler assembler;
      Lines lines;
      for (const auto& piece :
           {text.substr(0, first), text.substr(first, second - first), text.substr(second)}) {
        for (auto& line : lines_of(assembler, piece)) lines.push_back(std::move(line));
      }
      ASSERT_EQ(lines, whole) << first << ' ' << second;
    }
  }
}

}  // namespace
}  // namespace wattflex::logs
