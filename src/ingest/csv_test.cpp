// The layers below a sweep table: lines, cells, numbers, UTF-8.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <clocale>
#include <string>
#include <vector>

#include "base/random.h"
#include "ingest/csv_cells.h"
#include "ingest/line_reader.h"
#include "ingest/number_reader.h"
#include "ingest/text_source.h"
#include "ingest/utf8.h"

namespace wattflex::ingest {
namespace {

using testing::ElementsAre;

std::vector<std::string> lines_of(std::string_view text) {
  TextSource source = TextSource::of_text(text, "test");
  LineReader reader(source);
  std::vector<std::string> lines;
  for (Line line;;) {
    const auto more = reader.next(line);
    if (!more) return {more.error().message};
    if (!*more) return lines;
    lines.emplace_back(line.text);
  }
}

TEST(LineReader, DropsByteOrderMarkAndCarriageReturns) {
  EXPECT_THAT(lines_of("\xEF\xBB\xBF"
                       "a\r\nb\n\nc"),
              ElementsAre("a", "b", "", "c"));
  EXPECT_THAT(lines_of(""), ElementsAre());
  EXPECT_THAT(lines_of("\xEF\xBB\xBF"), ElementsAre());
  EXPECT_THAT(lines_of("\n"), ElementsAre(""));
}

TEST(LineReader, GivesTheSameLinesWhereverItsBufferEnds) {
  // Lines of 1..999 bytes, over many buffers.
  std::string text;
  std::vector<std::string> expected;
  for (std::size_t i = 1; i < 3000; ++i) {
    expected.emplace_back(i % 1000, static_cast<char>('a' + i % 26));
    text += expected.back() + '\n';
  }
  EXPECT_EQ(lines_of(text), expected);
}

TEST(LineReader, TakesALineOfTheLargestSizeAndNoLonger) {
  const std::string largest(kMostLineBytes, 'x');
  EXPECT_THAT(lines_of(largest + "\ny"), ElementsAre(largest, "y"));
  EXPECT_THAT(lines_of(largest + "x\ny"), ElementsAre("test, row 1: longer than 64 KiB"));
  EXPECT_THAT(lines_of(std::string(10 * kMostLineBytes, 'x')),
              ElementsAre("test, row 1: longer than 64 KiB"));
}

TEST(LineReader, TellsWhichLineHoldsANulByteAndWhetherTheLastOneEnded) {
  using namespace std::string_view_literals;
  TextSource source = TextSource::of_text("a\nb\0b\nc"sv, "test");
  LineReader reader(source);
  Line line;
  std::vector<bool> nul;
  std::vector<bool> terminated;
  while (*reader.next(line)) {
    nul.push_back(line.has_nul);
    terminated.push_back(line.terminated);
  }
  EXPECT_THAT(nul, ElementsAre(false, true, false));
  EXPECT_THAT(terminated, ElementsAre(true, true, false));
}

// The same by a plain loop; lines without quotes.
std::vector<std::string> cut_at_commas(std::string_view line) {
  std::vector<std::string> cells = {""};
  for (const char c : line) {
    if (c == ',') {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  for (std::string& cell : cells) cell = trimmed(cell);
  return cells;
}

TEST(CellSplitter, CutsAtEverySeparatorWhereverItStands) {
  // Neighbours of ',' (0x2C) and '"' (0x22), their like with the top bit set, blanks, and plain text.
  constexpr std::string_view kBytes = ",,,ab\x2B\x2D\x21\x23\xAC\xA2\xFF \t";
  RandomStream random(1);
  CellSplitter splitter(',');
  for (int i = 0; i < 20'000; ++i) {
    std::string line(random.below(40), 'x');
    for (char& c : line) c = kBytes[random.below(kBytes.size())];
    ASSERT_TRUE(splitter.split(line));
    const std::vector<std::string> cells(splitter.cells().begin(), splitter.cells().end());
    ASSERT_EQ(cells, cut_at_commas(line)) << line;
  }
}

TEST(CellSplitter, UndoesQuotesAndTrimsUnquotedCells) {
  CellSplitter splitter(',');
  ASSERT_TRUE(splitter.split("a, b ,,\t4"));
  EXPECT_THAT(splitter.cells(), ElementsAre("a", "b", "", "4"));
  ASSERT_TRUE(splitter.split(R"("a, b", "say ""hi""",plain," kept ","")"));
  EXPECT_THAT(splitter.cells(), ElementsAre("a, b", "say \"hi\"", "plain", " kept ", ""));
  ASSERT_TRUE(splitter.split(""));
  EXPECT_THAT(splitter.cells(), ElementsAre(""));
  ASSERT_TRUE(splitter.split("1,"));
  EXPECT_THAT(splitter.cells(), ElementsAre("1", ""));
}

TEST(CellSplitter, RefusesOpenQuotesTextBehindQuotesAndTooManyCells) {
  CellSplitter splitter(',');
  EXPECT_FALSE(splitter.split("\"a,b"));
  EXPECT_FALSE(splitter.split("\"a\"b,c"));
  EXPECT_TRUE(splitter.split(std::string(kMostCells - 1, ',')));
  EXPECT_FALSE(splitter.split(std::string(kMostCells, ',')));
  EXPECT_FALSE(splitter.split("\"\"" + std::string(kMostCells, ',')));
}

struct Read {
  double value;
  NumberFault fault;
  friend bool operator==(const Read&, const Read&) = default;
};

Read read_in(char separator, std::string_view cell) {
  NumberReader reader(separator);
  Read result{};
  result.value = reader.read(cell, result.fault);
  return result;
}

TEST(NumberReader, NamesWhatIsWrongWithACell) {
  using enum NumberFault;
  EXPECT_EQ(read_in(',', "1e3"), (Read{1000, none}));
  EXPECT_EQ(read_in(',', "+4"), (Read{4, none}));
  const std::pair<const char*, NumberFault> bad[] = {{"", empty},
                                                     {"nan", not_finite},
                                                     {"-NaN", not_finite},
                                                     {"inf", not_finite},
                                                     {"1e999", out_of_range},
                                                     {"N/A", not_available},
                                                     {"[N/A]", not_available},
                                                     {"[Not Supported]", not_available},
                                                     {"1,234.5", thousands_mark},
                                                     {"1'234", thousands_mark},
                                                     {"1 234 567", thousands_mark},
                                                     {"1.234,5", thousands_mark},
                                                     {"1.234.567", thousands_mark},
                                                     {"12,5", decimal_comma},
                                                     {"450 W", unit},
                                                     {"12%", unit},
                                                     {"abc", not_a_number},
                                                     {"0x1F", not_a_number},
                                                     {"1.2.3", not_a_number},
                                                     {"--1", not_a_number},
                                                     {"1e", not_a_number}};
  for (const auto& [cell, fault] : bad) EXPECT_EQ(read_in(',', cell), (Read{0, fault})) << cell;
}

TEST(NumberReader, TakesADecimalCommaOnlyWhereCommasDoNotSeparate) {
  using enum NumberFault;
  EXPECT_EQ(read_in(';', "12,5"), (Read{12.5, none}));
  EXPECT_EQ(read_in('\t', "-0,4"), (Read{-0.4, none}));
  EXPECT_EQ(read_in(';', "1.234,5"), (Read{0, thousands_mark}));
  NumberReader points(';');
  NumberFault fault{};
  points.read("12.5", fault);
  points.read("12,5", fault);
  EXPECT_EQ(fault, decimal_comma);
  NumberReader commas(';');
  commas.read("12,5", fault);
  commas.read("12.5", fault);
  EXPECT_EQ(fault, decimal_comma);
}

TEST(NumberReader, HoldsAnAmbiguousCommaInDoubtUntilAnotherCellSettlesIt) {
  NumberReader reader(';');
  NumberFault fault{};
  EXPECT_EQ(reader.read("401,512", fault), 401.512);
  EXPECT_TRUE(reader.comma_in_doubt());
  EXPECT_EQ(reader.read("98,5", fault), 98.5);
  EXPECT_FALSE(reader.comma_in_doubt());
  EXPECT_TRUE(reader.uses_decimal_comma());
  EXPECT_EQ(reader.read("401,512", fault), 401.512);
  EXPECT_FALSE(reader.comma_in_doubt());
}

TEST(NumberReader, ReadsAlikeUnderAnyProcessLocale) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* locale : {"de_DE.UTF-8", "de_DE", "C.UTF-8"}) {
    std::setlocale(LC_ALL, locale);  // those not installed leave the one before
    EXPECT_EQ(read_in(';', "12,0"), (Read{12, NumberFault::none})) << locale;
    EXPECT_EQ(read_in(',', "401.5"), (Read{401.5, NumberFault::none})) << locale;
  }
  std::setlocale(LC_ALL, before.c_str());
}

TEST(Utf8, FollowsRfc3629) {
  EXPECT_TRUE(is_utf8("größe \xE2\x82\xAC \xF0\x9F\x98\x80"));
  for (const char* bad :
       {"\x80", "\xC0\xAF", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82", "\xFF"}) {
    EXPECT_FALSE(is_utf8(bad));
  }
}

}  // namespace
}  // namespace wattflex::ingest
