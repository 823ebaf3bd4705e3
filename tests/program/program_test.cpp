// The built program as a shell sees it: start-up, pipes and signals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

namespace wattflex {
namespace {

using namespace std::string_literals;

constexpr const char* kProgram = WATTFLEX_PROGRAM;
const std::string kSweep = WATTFLEX_SOURCE_DIR "/examples/phoenix/sweep.csv";

struct Ran {
  int status = 0;
  std::string text;  // both streams
};

Ran shell(const std::string& script) {
  Ran ran;
  FILE* const pipe = popen(("exec 2>&1; " + script).c_str(), "r");  // NOLINT(cert-env33-c): what users type
  if (pipe == nullptr) return {-1, "popen failed"};
  std::array<char, 4096> buffer{};
  while (const std::size_t read = fread(buffer.data(), 1, buffer.size(), pipe))
    ran.text.append(buffer.data(), read);
  ran.status = WEXITSTATUS(pclose(pipe));
  return ran;
}

std::string bash(const std::string& script) {
  return "bash -c 'set -o pipefail; " + script + "'";
}

#ifdef NDEBUG
// The best of twenty: what the program needs, not what else the machine was doing.
TEST(Program, ShowsItsHelpWithinTwentyMilliseconds) {
  std::vector<double> milliseconds;
  for (int i = 0; i < 20; ++i) {
    const auto start = std::chrono::steady_clock::now();
    ASSERT_EQ(shell(std::string("exec ") + kProgram + " --help >/dev/null").status, 0);
    milliseconds.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  EXPECT_LT(*std::ranges::min_element(milliseconds), 20);
}
#endif

TEST(Program, EndsQuietlyWhenItsReaderHasSeenEnough) {
  const Ran ran = shell(bash(std::string(kProgram) + " pfi " + kSweep + " --ci 0 -q -o json | head -n 1"));
  EXPECT_EQ(ran.text, "{\n");
  // The same under a parent that ignores the signal, as some schedulers do.
  const Ran ignoring = shell(
      bash("trap \"\" PIPE; " + std::string(kProgram) + " pfi " + kSweep + " --ci 0 -q -o json | head -n 1"));
  EXPECT_EQ(ignoring.text, "{\n");
}

TEST(Program, SaysThatTheDiskIsFullWhateverItPrints) {
  for (const std::string& words : {"pfi " + kSweep + " --ci 0 -q", "pfi " + kSweep + " --ci 0 -q -o json",
                                   "check --template"s, "pfi --help"s, "--help"s, "--version"s, ""s}) {
    const Ran ran = shell(std::string(kProgram) + " " + words + " >/dev/full");
    EXPECT_EQ(ran.status, 1) << words;
    EXPECT_EQ(ran.text, "wattflex: standard output: write failed; is the disk full?\n") << words;
    EXPECT_EQ(shell(std::string(kProgram) + " " + words + " >&-").status, 1) << words;
  }
}

std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    longest = std::max(longest, static_cast<std::size_t>(std::ranges::count_if(line, [](char c) {
                         return (static_cast<unsigned char>(c) & 0xC0U) != 0x80;
                       })));
  }
  return longest;
}

// Tables, sentences, warnings and errors alike: 100 characters a line, or COLUMNS of them.
TEST(Program, KeepsItsLinesWithinTheWidthOfATerminal) {
  const std::string in_source = "unset COLUMNS; cd " WATTFLEX_SOURCE_DIR "; ";
  const std::string sweep = "examples/phoenix/sweep.csv";  // paths are words and do not break
  const std::string fleet = " --fleet examples/phoenix/fleet.csv";
  const std::vector<std::string> lines = {"curve " + sweep + " --ci 100",
                                          "curve " + sweep + " --ci 100 --group pt_mpt_13b_lg",
                                          "pfi " + sweep + " --ci 0 --definition all",
                                          "compare --all --ci 100 " + sweep + " " + sweep,
                                          "check " + sweep,
                                          "cohort",
                                          "curve a_table_that_is_not_there.csv",
                                          "plan " + sweep + fleet + " --cut 20%",
                                          "study " + sweep + " --workloads 3",
                                          "study --reproduce --seeds 2 --workloads 2"};
  for (const std::string& words : lines) {
    const Ran ran = shell(in_source + kProgram + " " + words);
    EXPECT_LE(longest_line(ran.text), 100) << words << '\n' << ran.text;
    const Ran narrow = shell(in_source + "COLUMNS=72 " + kProgram + " " + words);
    EXPECT_LE(longest_line(narrow.text), 72) << words << '\n' << narrow.text;
  }
}

// As `cat` does; the text is longer than a pipe holds.
TEST(Program, EndsByTheSignalWhenItsReaderHasSeenEnough) {
  const Ran ran =
      shell(bash(std::string(kProgram) + " cohort -q -o json | head -c 1; echo ${PIPESTATUS[0]}"));
  EXPECT_EQ(ran.text, "{141\n");
}

class ProgramInAFolder : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // With $W the program and $S a sweep.
  Ran run(const std::string& script) const {
    return shell("cd " + folder_.string() + "; W=" + kProgram + "; S=" + kSweep + "; " + script);
  }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("wattflex-program-test-" + std::to_string(getpid()));
};

TEST_F(ProgramInAFolder, PutsThePageAloneOnStandardOutput) {
  for (const char* const output : {"-", "/dev/stdout", "/dev/fd/1"}) {
    const std::string to_pipe = "$W report $S -q -o " + std::string(output) + " | tail -c 8";
    EXPECT_EQ(run(to_pipe).text, "</html>\n") << output;
    const std::string to_file = "echo before >all; $W report $S -q -o " + std::string(output) +
                                " >>all; head -n 1 all; tail -c 8 all";
    EXPECT_EQ(run(to_file).text, "before\n</html>\n") << output;
  }
  EXPECT_EQ(run("$W report $S -q -o same.html >same.html; tail -c 8 same.html").text, "</html>\n");
  EXPECT_TRUE(std::filesystem::is_symlink("/dev/stdout"));
}

TEST_F(ProgramInAFolder, PutsTheModelAloneOnStandardOutput) {
  EXPECT_EQ(run("$W cohort -o csv >c.csv; $W fit c.csv -q -m m.json >/dev/null; $W fit c.csv -q -m - | cmp - "
                "m.json")
                .text,
            "");
}

TEST_F(ProgramInAFolder, NeverOverwritesATableFromStandardInput) {
  const Ran ran = run("cp $S t.csv; $W report - -o t.csv <t.csv; echo $?; cmp t.csv $S");
  EXPECT_THAT(ran.text, ::testing::AllOf(::testing::HasSubstr("is the file read as TABLE"),
                                         ::testing::EndsWith("\n2\n")));
}

TEST_F(ProgramInAFolder, ReportsAFileThatMayNotGrowSoLargeAndLeavesNothing) {
  const Ran ran = run("ulimit -f 8; $W report $S -o page.html; echo $?; ls");
  EXPECT_THAT(ran.text, ::testing::AllOf(::testing::HasSubstr("page.html: cannot write: File too large"),
                                         ::testing::EndsWith("\n1\n")));
}

// At any moment of its work.
TEST_F(ProgramInAFolder, LeavesNothingWhenEnded) {
  for (const char* const signal : {"TERM", "INT", "HUP"}) {
    for (const char* const seconds : {"0.02", "0.1", "0.3"}) {
      const Ran ran = run("timeout --preserve-status -s " + std::string(signal) + " " + seconds +
                          " $W cohort --set all --traces traces >/dev/null; [ -d traces ] || ls");
      EXPECT_EQ(ran.text, "") << signal << " after " << seconds << " s";
      std::filesystem::remove_all(folder_ / "traces");
    }
  }
}

// A million resamples of seven points take more than the 40 MB allowed; the same run without them does not.
#ifdef NDEBUG
TEST(Program, SaysThatMemoryIsFull) {
  const std::string start = "ulimit -v 40000; "s + kProgram + " pfi " + kSweep + " -q --ci ";
  const Ran full = shell(start + "1000000");
  EXPECT_EQ(full.status, 1);
  EXPECT_THAT(full.text, testing::StartsWith("wattflex: out of memory;"));
  EXPECT_EQ(std::ranges::count(full.text, '\n'), 1);
  EXPECT_EQ(shell(start + "0").status, 0);
}
#endif

TEST(Program, EndsOnInterruptWithStatus130) {
  const Ran ran =
      shell(bash("sleep 1 | timeout --preserve-status -s INT 0.3 " + std::string(kProgram) + " check -"));
  EXPECT_EQ(ran.status, 130);
  EXPECT_EQ(ran.text, "");
}

// At most 8 MiB of scratch file and ten seconds, however much comes.
TEST(Program, RefusesEndlessInputAtOnce) {
  const std::string header = "group,gpus,cap_w,power_w,throughput";
  for (const auto& [input, problem] : {
           std::pair<std::string, std::string>("yes", "row 1, column group: this column is missing"),
           {"yes \"\"", "blank or comments"},
           {"yes \"# comment\"", "blank or comments"},
           {"(echo " + header + "; yes)", "row 2: 1 cell for 5 columns"},
           {"cat /dev/zero", "row 1: holds a NUL byte"},
           {"(echo " + header + "; cat /dev/zero)", "row 2: holds a NUL byte"},
       }) {
    for (const char* words : {" pfi -", " check -", " curve /dev/stdin"}) {
      const Ran ran =
          shell(bash("ulimit -f 8192; " + input + " 2>/dev/null | timeout 10 " + kProgram + words));
      EXPECT_EQ(ran.status, 1) << input << words;
      EXPECT_THAT(ran.text, ::testing::HasSubstr(problem)) << input << words;
    }
  }
  EXPECT_EQ(shell(std::string("ulimit -f 8192; timeout 10 ") + kProgram + " pfi /dev/urandom").status, 1);
  EXPECT_THAT(
      shell(std::string("timeout 10 ") + kProgram + " plan " + kSweep + " --cut 10% --fleet /dev/zero").text,
      ::testing::HasSubstr("/dev/zero, row 1: holds a NUL byte"));
}

}  // namespace
}  // namespace wattflex
