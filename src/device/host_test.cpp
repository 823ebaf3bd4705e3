#include "device/host.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <thread>

namespace wattflex::device {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

// Answers one connection on a loopback port with a text.
class OneAnswer {
 public:
  explicit OneAnswer(std::string text) : listening_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(bind(listening_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(listen(listening_, 1), 0);
    EXPECT_EQ(getsockname(listening_, reinterpret_cast<sockaddr*>(&address), &size), 0);
    address_ = "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
    thread_ = std::thread([this, answer = std::move(text)] {
      const int caller = accept(listening_, nullptr, nullptr);
      if (caller < 0) return;
      std::array<char, 1024> request{};
      if (recv(caller, request.data(), request.size(), 0) > 0)
        send(caller, answer.data(), answer.size(), MSG_NOSIGNAL);
      close(caller);
    });
  }
  ~OneAnswer() {
    thread_.join();
    close(listening_);
  }
  OneAnswer(const OneAnswer&) = delete;
  OneAnswer& operator=(const OneAnswer&) = delete;
  const std::string& address() const { return address_; }

 private:
  int listening_;
  std::string address_;
  std::thread thread_;
};

TEST(Exporter, IsKnownByItsMetrics) {
  const OneAnswer exporter("HTTP/1.0 200 OK\r\n\r\nDCGM_FI_DEV_POWER_USAGE{gpu=\"0\"} 402\n");
  const auto fact = probe_exporter(exporter.address(), 60s);
  ASSERT_TRUE(fact);
  EXPECT_EQ(fact->state, ExporterState::reachable);
}

TEST(Exporter, IsNotTakenForAnotherService) {
  const OneAnswer other("HTTP/1.0 200 OK\r\n\r\nnode_cpu_seconds_total 1\n");
  EXPECT_EQ(probe_exporter(other.address(), 60s)->state, ExporterState::other_service);
}

TEST(Exporter, MayBeAbsent) {
  std::string address;
  {
    // A port that was free a moment ago.
    const OneAnswer gone("");
    address = gone.address();
    probe_exporter(address, 60s).value();
  }
  EXPECT_EQ(probe_exporter(address, 5s)->state, ExporterState::unreachable);
}

TEST(Exporter, NeedsAHostAndAPort) {
  for (const std::string wrong :
       {"", "localhost", ":9400", "localhost:", "localhost:0", "localhost:65536", "a:b"})
    EXPECT_FALSE(probe_exporter(wrong, 1s)) << wrong;
}

TEST(RunningPrograms, AreThoseWithANumberAndAName) {
  const fs::path folder = fs::path(testing::TempDir()) / "wattflex-proc";
  for (const char* const entry : {"12", "7", "self", "99"}) fs::create_directories(folder / entry);
  std::ofstream(folder / "12" / "comm") << "zeusd\n";
  std::ofstream(folder / "7" / "comm") << "nv-hostengine\n";
  std::ofstream(folder / "self" / "comm") << "doctor\n";
  const auto programs = running_programs(folder);
  ASSERT_EQ(programs.size(), 2U);
  EXPECT_EQ(programs[0].pid, 7);
  EXPECT_EQ(programs[1].name, "zeusd");
  fs::remove_all(folder);
  EXPECT_TRUE(running_programs(folder).empty());
}

TEST(Privileges, AgreeWithTheKernelAboutRoot) {
  EXPECT_EQ(own_privileges().root, geteuid() == 0);
}

}  // namespace
}  // namespace wattflex::device
