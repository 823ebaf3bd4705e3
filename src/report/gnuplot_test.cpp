#include "report/gnuplot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

#include "report/child_process.h"
#include "report/figure_examples.h"
#include "report/gnuplot_script.h"

namespace wattflex::report {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// Draws, or nothing where gnuplot is not installed.
std::vector<Drawing> drawn(const std::vector<Figure>& figures) {
  const auto drawings = draw_with_gnuplot(figures);
  if (!drawings && drawings.error().kind == ErrorKind::unsupported) return {};
  EXPECT_TRUE(drawings.has_value()) << drawings.error().message;
  return drawings.value_or(std::vector<Drawing>{});
}

TEST(GnuplotString, SpellsOutAllButLettersAndSpaces) {
  EXPECT_EQ(gnuplot_string("a b"), "\"a b\"");
  EXPECT_EQ(gnuplot_string("`1\"\\\n"), "\"\\140\\061\\042\\134\\012\"");
}

TEST(GnuplotScript, CarriesNoCharacterOfANameThatGnuplotCouldRun) {
  const Figure figure = lines_example(kHostileText);
  const std::string script = gnuplot_script(figure, ImageFormat::svg, "f.svg");
  EXPECT_THAT(script, Not(HasSubstr("`")));
  EXPECT_THAT(script, Not(HasSubstr("system(")));
  EXPECT_THAT(script, Not(HasSubstr("<script")));
}

TEST(Gnuplot, DrawsSvgAndPng) {
  const auto drawings = drawn({lines_example("Equal"), rows_example(8, "group"), multiples_example(7)});
  if (drawings.empty()) GTEST_SKIP() << "gnuplot is not installed";
  ASSERT_EQ(drawings.size(), 3U);
  for (const Drawing& drawing : drawings) {
    EXPECT_THAT(drawing.svg, HasSubstr("</svg>"));
    EXPECT_TRUE(drawing.png.starts_with("\x89PNG\r\n"));
    EXPECT_TRUE(drawing.png.find("IEND") != std::string::npos);
  }
  EXPECT_THAT(drawings[0].svg, HasSubstr("equal sharing"));
  EXPECT_THAT(drawings[1].svg, HasSubstr("<text>group 7</text>"));
}

TEST(Gnuplot, ShowsHostileNamesAsTheyAreAndRunsNothing) {
  const auto drawings = drawn({lines_example(kHostileText), rows_example(3, "100% %d `id` <b>")});
  if (drawings.empty()) GTEST_SKIP() << "gnuplot is not installed";
  EXPECT_FALSE(std::filesystem::exists("hacked"));
  EXPECT_THAT(drawings[0].svg, Not(HasSubstr("<script")));
  EXPECT_THAT(drawings[0].svg, HasSubstr("`touch hacked`"));
  EXPECT_THAT(drawings[1].svg, HasSubstr("100% %d `id` &lt;b> 2"));
}

TEST(Gnuplot, ChangesEveryColourInTheDark) {
  const auto drawings = drawn({lines_example("Equal")});
  if (drawings.empty()) GTEST_SKIP() << "gnuplot is not installed";
  const std::string& svg = drawings[0].svg;
  const std::regex colour("(?:stroke|fill|color) ?= ?['\"](rgb\\([^)]*\\)|#[0-9a-f]{6})['\"]");
  const std::size_t style_end = svg.find("</style>");
  ASSERT_NE(style_end, std::string::npos);
  const std::string style = svg.substr(0, style_end);
  const std::string drawing = svg.substr(style_end);
  for (std::sregex_iterator it(drawing.begin(), drawing.end(), colour), end; it != end; ++it) {
    EXPECT_THAT(style, HasSubstr("\"" + (*it)[1].str() + "\""));
  }
}

TEST(Gnuplot, SaysWhatToInstallWhenItIsMissing) {
  const std::vector<Figure> figures = {lines_example("Equal")};
  const auto drawings = draw_with_gnuplot(figures, {.program = "no-such-gnuplot"});
  ASSERT_FALSE(drawings.has_value());
  EXPECT_EQ(drawings.error().kind, ErrorKind::unsupported);
  EXPECT_THAT(drawings.error().remedy, HasSubstr("gnuplot-nox"));
}

TEST(Gnuplot, IsEndedWhenItHangs) {
  const std::vector<Figure> figures = {lines_example("Equal")};
  const auto folder = TemporaryFolder::create();
  ASSERT_TRUE(folder.has_value());
  const std::filesystem::path program = folder->path() / "hangs";
  std::ofstream(program) << "#!/bin/sh\nsleep 600\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const auto drawings = draw_with_gnuplot(figures, {.program = program, .time_limit = Seconds(0.05)});
  ASSERT_FALSE(drawings.has_value());
  EXPECT_THAT(drawings.error().message, HasSubstr("still running"));
}

// The signal takes the program with it, and the folder it works in.
TEST(Gnuplot, IsEndedWithItsFolderWhenWeAreInterrupted) {
  const auto folder = TemporaryFolder::create();
  ASSERT_TRUE(folder.has_value());
  const std::filesystem::path program = folder->path() / "hangs";
  std::ofstream(program) << "#!/bin/sh\necho $$ > ../pid.new && mv ../pid.new ../pid\nexec sleep 600\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const pid_t child = fork();
  if (child == 0) {
    setenv("TMPDIR", folder->path().c_str(), 1);
    const std::vector<Figure> figures = {lines_example("Equal")};
    _exit(draw_with_gnuplot(figures, {.program = program}) ? 0 : 1);
  }
  while (!std::filesystem::exists(folder->path() / "pid") && waitpid(child, nullptr, WNOHANG) == 0) {
  }
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
  pid_t drawing = 0;
  std::ifstream(folder->path() / "pid") >> drawing;
  EXPECT_EQ(kill(drawing, 0), -1) << "still running";
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder->path()), {}), 2);  // program and pid
}

TEST(Gnuplot, ReportsAProgramThatFails) {
  const std::vector<Figure> figures = {lines_example("Equal")};
  const auto drawings = draw_with_gnuplot(figures, {.program = "false"});
  ASSERT_FALSE(drawings.has_value());
  EXPECT_EQ(drawings.error().kind, ErrorKind::io);
}

// A program in gnuplot's place that writes what a full disk would leave, and says nothing.
Result<std::vector<Drawing>> drawn_by(const std::string& svg, const std::string& png) {
  const auto folder = TemporaryFolder::create();
  const std::string program = folder->path() / "gnuplot";
  std::ofstream(program) << "#!/bin/sh\nprintf '" << svg << "' >figure0.svg\nprintf '" << png
                         << "' >figure0.png\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const std::vector<Figure> figures = {lines_example("Equal")};
  return draw_with_gnuplot(figures, {.program = program, .with_png = true});
}

TEST(Gnuplot, TakesNoFigureThatWasCutShort) {
  const std::string svg = "<svg></svg>\\n\\n";
  const std::string png = "\\211PNG\\0\\0\\0\\0IEND\\256\\102\\140\\202";
  EXPECT_TRUE(drawn_by(svg, png));
  for (const auto& [cut_svg, cut_png] :
       {std::pair(std::string("<svg><path"), png), std::pair(svg, std::string("\\211PNG\\0\\0")),
        std::pair(std::string(), png), std::pair(svg, std::string())}) {
    const auto drawings = drawn_by(cut_svg, cut_png);
    ASSERT_FALSE(drawings) << cut_svg << ' ' << cut_png;
    EXPECT_EQ(drawings.error().kind, ErrorKind::io);
    EXPECT_THAT(drawings.error().message, HasSubstr("could not write it whole"));
    EXPECT_THAT(drawings.error().remedy, AllOf(HasSubstr("disk full"), Not(HasSubstr("install"))));
  }
}

TEST(TemporaryFolder, IsGoneWithItsContents) {
  std::filesystem::path path;
  {
    const auto folder = TemporaryFolder::create();
    ASSERT_TRUE(folder.has_value());
    path = folder->path();
    std::filesystem::create_directory(path / "inner");
    EXPECT_TRUE(std::filesystem::exists(path));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace wattflex::report
