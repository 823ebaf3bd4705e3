#include "control/cap_journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace wattflex::control {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class CapJournalTest : public testing::Test {
 protected:
  CapJournalTest()
      : folder_(fs::path(testing::TempDir()) /
                ("journal_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()))) {
    fs::remove_all(folder_);
  }
  CapJournalTest(const CapJournalTest&) = delete;
  CapJournalTest& operator=(const CapJournalTest&) = delete;
  ~CapJournalTest() override { fs::remove_all(folder_); }

  std::string path() const { return folder_ / "state" / "caps.json"; }
  void write(const std::string& text) const {
    fs::create_directories(folder_ / "state");
    std::ofstream(path()) << text;
  }

 private:
  fs::path folder_;
};

JournalEntry entry(const char* gpu, double found, Hold hold = Hold::session) {
  return {.gpu = {gpu},
          .hold = hold,
          .found = Power::from_watts(found),
          .caps = {Power::from_watts(400)},
          .since = Time(std::chrono::microseconds(1'770'000'000'123'456))};
}

TEST_F(CapJournalTest, IsReadAsItWasWritten) {
  {
    auto journal = CapJournal::open(path());
    ASSERT_TRUE(journal) << journal.error().message;
    EXPECT_TRUE(journal->entries().empty());
    ASSERT_TRUE(journal->add({entry("GPU-a", 700), entry("GPU-b", 149.4)}));
    ASSERT_TRUE(journal->add({entry("GPU-a", 650, Hold::standing)}));
    ASSERT_TRUE(journal->add_caps({{"GPU-b"}}, Hold::session, {Power::from_watts(250.001)}));
  }
  const auto again = CapJournal::open(path());
  ASSERT_TRUE(again);
  ASSERT_EQ(again->entries().size(), 3U);
  const JournalEntry* const b = again->find({"GPU-b"}, Hold::session);
  ASSERT_NE(b, nullptr);
  EXPECT_EQ(b->found, Power::from_watts(149.4));
  EXPECT_EQ(b->since, Time(std::chrono::microseconds(1'770'000'000'123'456)));
  EXPECT_TRUE(b->is_ours(Power::from_watts(250.001)));
  EXPECT_FALSE(b->is_ours(Power::from_watts(250)));
  EXPECT_EQ(again->find({"GPU-a"}, Hold::standing)->found, Power::from_watts(650));
  EXPECT_EQ(again->find({"GPU-a"}, Hold::session)->found, Power::from_watts(700));
  EXPECT_EQ(again->find({"GPU-c"}, Hold::session), nullptr);
}

TEST_F(CapJournalTest, ForgetsOnlyWhatIsNamedWithItsHold) {
  auto journal = CapJournal::open(path());
  ASSERT_TRUE(journal->add({entry("GPU-a", 700), entry("GPU-a", 650, Hold::standing), entry("GPU-b", 700)}));
  ASSERT_TRUE(journal->remove({{"GPU-a"}, {"GPU-unknown"}}, Hold::session));
  ASSERT_EQ(journal->entries().size(), 2U);
  EXPECT_NE(journal->find({"GPU-a"}, Hold::standing), nullptr);
  EXPECT_EQ(read_cap_journal(path())->size(), 2U);
}

// CAP-13: two copies of our own.
TEST_F(CapJournalTest, IsHeldByOneProcessAtATime) {
  auto journal = CapJournal::open(path());
  ASSERT_TRUE(journal);
  const auto second = CapJournal::open(path());
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, HasSubstr("process " + std::to_string(getpid())));
  EXPECT_TRUE(read_cap_journal(path()));
  {
    const CapJournal moved = std::move(*journal);
  }
  EXPECT_TRUE(CapJournal::open(path()));
}

TEST_F(CapJournalTest, IsFreeAgainWhenItsHolderIsKilled) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    auto journal = CapJournal::open(path());
    const bool ok = journal && journal->add({entry("GPU-a", 700)});
    if (::write(ready[1], ok ? "y" : "n", 1) != 1) _exit(1);
    while (true) pause();
  }
  char answer = 0;
  ASSERT_EQ(read(ready[0], &answer, 1), 1);
  EXPECT_EQ(answer, 'y');
  ASSERT_EQ(kill(child, SIGKILL), 0);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  const auto journal = CapJournal::open(path());
  ASSERT_TRUE(journal) << journal.error().message;
  EXPECT_NE(journal->find({"GPU-a"}, Hold::session), nullptr);
  close(ready[0]);
  close(ready[1]);
}

TEST_F(CapJournalTest, IsReadableByItsOwnerOnly) {
  auto journal = CapJournal::open(path());
  ASSERT_TRUE(journal->add({entry("GPU-a", 700)}));
  struct stat status{};
  ASSERT_EQ(stat(path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600);
  ASSERT_EQ(stat(fs::path(path()).parent_path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700);
}

TEST_F(CapJournalTest, RefusesADamagedFileAndLeavesItAsItIs) {
  const std::string good =
      R"({"gpu":"GPU-a","hold":"session","found_mw":700000,"caps_mw":[400000],"since_us":1})";
  const std::string texts[] = {
      "",
      "{",
      "[]",
      R"({"version":2,"entries":[]})",
      R"({"version":1})",
      R"({"version":1,"entries":[7]})",
      R"({"version":1,"entries":[{"gpu":"GPU-a","hold":"forever","found_mw":700000,"caps_mw":[],"since_us":1}]})",
      R"({"version":1,"entries":[{"gpu":"GPU-a","hold":"session","found_mw":0,"caps_mw":[],"since_us":1}]})",
      R"({"version":1,"entries":[{"gpu":"GPU-a","hold":"session","found_mw":7e5,"caps_mw":[],"since_us":1}]})",
      R"({"version":1,"entries":[{"gpu":"GPU-a","hold":"session","found_mw":700000,"caps_mw":["x"],"since_us":1}]})",
      R"({"version":1,"entries":[{"gpu":5,"hold":"session","found_mw":700000,"caps_mw":[],"since_us":1}]})",
      R"({"version":1,"entries":[)" + good + "," + good + "]}"};
  for (const std::string& text : texts) {
    write(text);
    const auto journal = CapJournal::open(path());
    ASSERT_FALSE(journal) << text;
    EXPECT_EQ(journal.error().kind, ErrorKind::refused);
    EXPECT_THAT(journal.error().message, HasSubstr(path()));
    std::ifstream file(path());
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), text);
  }
  write(R"({"version":1,"entries":[)" + good + "]}");
  EXPECT_TRUE(CapJournal::open(path()));
}

TEST_F(CapJournalTest, StaysAsItWasWhereItCannotBeWritten) {
  auto journal = CapJournal::open(path());
  ASSERT_TRUE(journal->add({entry("GPU-a", 700)}));
  // A folder where the next file should be: no privilege helps.
  fs::create_directory(path() + ".next");
  const auto added = journal->add({entry("GPU-b", 700)});
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().kind, ErrorKind::io);
  EXPECT_EQ(journal->entries().size(), 1U);
  EXPECT_EQ(read_cap_journal(path())->size(), 1U);
}

TEST(DefaultCapJournal, KeepsTheTwinApartAndNamesTheMachine) {
  char host[256] = {};
  ASSERT_EQ(gethostname(host, sizeof host - 1), 0);
  const std::string real = default_cap_journal(Pedigree::measured);
  EXPECT_THAT(real, HasSubstr(host));
  EXPECT_NE(real, default_cap_journal(Pedigree::simulated));
}

}  // namespace
}  // namespace wattflex::control
