// Looks at the report in a real browser: every figure is drawn, nothing fails and nothing is loaded, with one
// group and with many, in the light and in the dark. Skipped where Chromium is not installed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "apps/wattflex/command_line.h"
#include "report/child_process.h"

namespace wattflex {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

struct Browsed {
  std::string text;        // the page's elements after its script has run, and what the browser logged
  std::string screenshot;  // PNG
};

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class ReportInBrowser : public testing::Test {
 protected:
  void SetUp() override {
    auto created = report::TemporaryFolder::create();
    ASSERT_TRUE(created.has_value());
    folder_.emplace(std::move(*created));
    std::ofstream(path("input"));
  }

  std::filesystem::path path(const std::string& name) const { return folder_->path() / name; }

  // A sweep of `groups` jobs of rising flexibility, with names that would break a careless page.
  std::string sweep_table(int groups) const {
    std::ofstream table(path("sweep.csv"));
    table << "group,gpus,cap_w,power_w,throughput\n";
    for (int g = 0; g < groups; ++g) {
      for (const int cap : {700, 600, 500, 400, 300}) {
        const double power = 8 * cap * 0.97;
        const double kept = std::pow(power / (8 * 700 * 0.97), 1.0 / (1.1 + 1.5 * g / groups));
        table << "\"job " << g << " </script><script>throw 1</script> `x` \"\"q\"\"\",8," << cap << ','
              << power << ',' << 1000 * kept << '\n';
      }
    }
    return path("sweep.csv");
  }

  std::string report_on(const std::string& table) const {
    std::ostringstream out, err;
    EXPECT_EQ(app::run_command_line({"report", table, "-o", path("report.html")}, {.out = out, .err = err}),
              0)
        << err.str();
    return "file://" + path("report.html").string();
  }

  // Nothing where there is no browser.
  std::optional<Browsed> browse(const std::string& url, const std::string& what) {
    std::filesystem::remove(path("messages"));
    const auto status = report::run(
        {.command = {"chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
                     "--no-first-run", "--disable-background-networking", "--disable-component-update",
                     "--disable-sync", "--hide-scrollbars", "--host-resolver-rules=MAP * ~NOTFOUND",
                     "--enable-logging=stderr", "--user-data-dir=" + path("profile").string(),
                     "--window-size=1100,1400", what, url},
         .folder = folder_->path(),
         .time_limit = Seconds(120)});
    if (!status && status.error().kind == ErrorKind::unsupported) return std::nullopt;
    EXPECT_TRUE(status.has_value()) << status.error().message;
    return Browsed{contents(path("messages")), contents(path("shot.png"))};
  }

  std::optional<Browsed> dom_of(const std::string& url) { return browse(url, "--dump-dom"); }
  std::optional<Browsed> picture_of(const std::string& url) {
    return browse(url, "--screenshot=" + path("shot.png").string());
  }

 private:
  std::optional<report::TemporaryFolder> folder_;
};

void expect_drawn(const std::string& text, int least_charts) {
  EXPECT_THAT(text, HasSubstr("data-figures=\"drawn\""));
  EXPECT_THAT(text, Not(ContainsRegex("CONSOLE.*(Uncaught|Error|Refused|violates)")));
  const std::size_t at = text.find("data-charts=\"");
  ASSERT_NE(at, std::string::npos);
  EXPECT_GE(std::stoi(text.substr(at + 13)), least_charts);
}

TEST_F(ReportInBrowser, DrawsEveryFigureOfOneGroup) {
  const auto page = dom_of(report_on(sweep_table(1)));
  if (!page) GTEST_SKIP() << "chromium is not installed";
  expect_drawn(page->text, 7);  // the cost of a cut, two curves, the index, three definitions
}

TEST_F(ReportInBrowser, DrawsEveryFigureOfTwoHundredGroupsWithHostileNames) {
  const auto page = dom_of(report_on(sweep_table(200)) + "?theme=dark");
  if (!page) GTEST_SKIP() << "chromium is not installed";
  expect_drawn(page->text, 29);  // 24 small ones among them
  EXPECT_THAT(page->text, HasSubstr("data-theme=\"dark\""));
}

TEST_F(ReportInBrowser, ShowsAPictureInTheLightAndInTheDark) {
  const std::string url = report_on(sweep_table(8));
  std::ofstream(path("blank.html")) << "<!DOCTYPE html><title>blank</title>";
  const auto blank = picture_of("file://" + path("blank.html").string());
  if (!blank) GTEST_SKIP() << "chromium is not installed";
  const auto light = picture_of(url + "?theme=light");
  const auto dark = picture_of(url + "?theme=dark");
  ASSERT_TRUE(light && dark);
  ASSERT_GT(blank->screenshot.size(), 100U);
  // A PNG of one colour is small whatever its size; lines and letters are not.
  EXPECT_GT(light->screenshot.size(), 5 * blank->screenshot.size());
  EXPECT_GT(dark->screenshot.size(), 5 * blank->screenshot.size());
  EXPECT_NE(light->screenshot, dark->screenshot);
}

}  // namespace
}  // namespace wattflex
