#include "report/html_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "report/chart_data.h"
#include "report/figure_examples.h"

namespace wattflex::report {
namespace {

using testing::HasSubstr;
using testing::Not;

Document example(const std::string& name) {
  Document document{.title = name, .headline = {"A 25 % cut costs 10 %.", name}, .pedigree = name};
  Table table{.title = name, .note = name, .columns = {{"group", "Group", Align::left}, {"pfi", "PFI"}}};
  table.rows = {{{.text = name}, {.text = "1.27", .tint = -0.5, .curve = {{0, 0}, {1, 1}}}}};
  document.sections = {{.id = "curves",
                        .title = name,
                        .prose = name,
                        .parts = {lines_example(name), rows_example(3, name), table}}};
  document.warnings = {name};
  document.footnotes = {{.text = name, .formula = name, .link = "https://arxiv.org/abs/2609.11542"}};
  return document;
}

std::string page_of(const Document& document, FigureStyle style = FigureStyle::charts) {
  const auto page =
      html_page(document, {.version = "1", .style = style, .why_no_drawings = "install gnuplot-nox"});
  EXPECT_TRUE(page.has_value()) << page.error().message;
  return page.value_or("");
}

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(HtmlPage, HasAsManyElementsWithHostileNamesAsWithPlainOnes) {
  // The library itself may write '<'; everything else is ours.
  const std::string plain = page_of(example("plain"));
  const std::string hostile = page_of(example(kHostileText));
  for (const char* const part :
       {"<script", "</script", "<td", "<p", "<h", "<a ", "style=", "onerror", "<!--"}) {
    EXPECT_EQ(count(hostile, part), count(plain, part)) << part;
  }
  EXPECT_THAT(hostile, HasSubstr("&lt;/script&gt;&lt;script&gt;x()"));
  EXPECT_THAT(hostile, Not(HasSubstr("<script>x()")));
}

TEST(HtmlPage, LoadsNothing) {
  const std::string page = page_of(example("plain"));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_FALSE(std::regex_search(page, std::regex("(src|href|srcset)=\"(?!#|https://arxiv)")));
  EXPECT_THAT(page, Not(HasSubstr("@import")));
}

TEST(HtmlPage, WithoutChartLibraryCarriesDrawingsOrSaysWhyNot) {
  const Document document = example("plain");
  const std::vector<Drawing> drawings = {{"<?xml version=\"1.0\"?>\n<svg id=\"first\"></svg>", ""},
                                         {"<svg id=\"second\"></svg>", ""}};
  const auto page =
      html_page(document, {.version = "1", .style = FigureStyle::drawings, .drawings = drawings});
  ASSERT_TRUE(page.has_value());
  EXPECT_THAT(*page, HasSubstr("<div class=\"drawing\"><svg id=\"first\">"));
  EXPECT_THAT(*page, HasSubstr("<svg id=\"second\">"));
  EXPECT_THAT(*page, HasSubstr("no chart library"));
  EXPECT_THAT(*page, Not(HasSubstr("<script")));
  EXPECT_THAT(page_of(document, FigureStyle::drawings), HasSubstr("install gnuplot-nox"));
}

TEST(HtmlPage, ShowsTintsByDirectionAndCurvesInline) {
  const std::string page = page_of(example("plain"));
  EXPECT_THAT(page, HasSubstr("data-tint=\"worse\""));
  EXPECT_THAT(page, HasSubstr("d=\"M0.0,30.0L100.0,0.0\""));
}

TEST(ChartData, CarriesAxesSeriesAndLabels) {
  const std::vector<Figure> figures = {lines_example("Equal")};
  const auto data = nlohmann::json::parse(chart_data(figures));
  const auto& panel = data[0]["panels"][0];
  EXPECT_EQ(data[0]["id"], "lines");
  EXPECT_EQ(panel["x"]["low"], 0);
  EXPECT_EQ(panel["x"]["high"], 0.4);
  EXPECT_EQ(panel["x"]["ticks"][1], nlohmann::json::array({0.1, "10 %"}));
  EXPECT_EQ(panel["series"].size(), 5U);
  EXPECT_EQ(panel["labels"].size(), 4U);
  EXPECT_NEAR(panel["series"][1]["samples"][10]["y"].get<double>(), 0.6, 1e-12);
}

TEST(ChartData, SurvivesTextThatIsNotUtf8) {
  const std::vector<Figure> figures = {lines_example("\xFF\xC0 name")};
  EXPECT_TRUE(nlohmann::json::accept(chart_data(figures)));
}

}  // namespace
}  // namespace wattflex::report
