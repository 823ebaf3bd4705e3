#include "device/host.h"

#include <fmt/core.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <utility>

#include "base/parse.h"

namespace wattflex::device {
namespace {

namespace fs = std::filesystem;
using SteadyClock = std::chrono::steady_clock;

constexpr std::uint64_t kSysAdmin = std::uint64_t{1} << 21;  // CAP_SYS_ADMIN
constexpr std::size_t kEnoughOfAnswer = 65'536;

class Socket {
 public:
  explicit Socket(int descriptor) : descriptor_(descriptor) {}
  ~Socket() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  Socket(Socket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  Socket& operator=(Socket&&) = delete;
  int get() const { return descriptor_; }
  explicit operator bool() const { return descriptor_ >= 0; }

 private:
  int descriptor_;
};

bool wait_for(const Socket& socket, short events, SteadyClock::time_point deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - SteadyClock::now());
  pollfd waiting{.fd = socket.get(), .events = events, .revents = 0};
  return left.count() > 0 && poll(&waiting, 1, static_cast<int>(left.count())) == 1;
}

Socket connect_to(const addrinfo& address, SteadyClock::time_point deadline) {
  Socket socket(::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, address.ai_protocol));
  if (!socket) return socket;
  if (connect(socket.get(), address.ai_addr, address.ai_addrlen) == 0) return socket;
  int problem = errno;
  if (problem == EINPROGRESS && wait_for(socket, POLLOUT, deadline)) {
    socklen_t size = sizeof problem;
    if (getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &problem, &size) != 0) problem = errno;
  }
  return problem == 0 ? std::move(socket) : Socket(-1);
}

// What it sends back, as far as it comes in time.
std::string ask(const Socket& socket, const std::string& host, SteadyClock::time_point deadline) {
  const std::string request =
      fmt::format("GET /metrics HTTP/1.0\r\nHost: {}\r\nConnection: close\r\n\r\n", host);
  // A service that hangs up is no reason to end.
  if (send(socket.get(), request.data(), request.size(), MSG_NOSIGNAL) != std::ssize(request)) return "";
  std::string answer;
  char part[4096];
  while (answer.size() < kEnoughOfAnswer && wait_for(socket, POLLIN, deadline)) {
    const ssize_t length = recv(socket.get(), part, sizeof part, 0);
    if (length <= 0) break;
    answer.append(part, static_cast<std::size_t>(length));
  }
  return answer;
}

}  // namespace

Privileges own_privileges() {
  Privileges privileges{.root = geteuid() == 0};
  std::ifstream status("/proc/self/status");
  for (std::string key, value; status >> key && std::getline(status, value);) {
    if (key == "CapEff:") privileges.sys_admin = (std::strtoull(value.c_str(), nullptr, 16) & kSysAdmin) != 0;
  }
  return privileges;
}

std::vector<RunningProgram> running_programs(const std::string& folder) {
  std::vector<RunningProgram> programs;
  std::error_code problem;
  for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end;
       entry.increment(problem)) {
    const auto pid = parse_integer(entry->path().filename().string());
    std::string name;
    if (pid && std::getline(std::ifstream(entry->path() / "comm"), name))
      programs.push_back({static_cast<int>(*pid), name});
  }
  std::ranges::sort(programs, {}, &RunningProgram::pid);
  return programs;
}

Result<ExporterFact> probe_exporter(const std::string& address, std::chrono::milliseconds patience) {
  const std::size_t colon = address.rfind(':');
  const auto port = colon == std::string::npos ? std::nullopt : parse_integer(address.substr(colon + 1));
  if (!port || *port < 1 || *port > 65'535 || colon == 0) {
    return fail(ErrorKind::usage, fmt::format("--exporter: '{}' is no address", address),
                "write e.g. localhost:9400");
  }
  const auto deadline = SteadyClock::now() + patience;
  ExporterFact fact{.address = address};
  const addrinfo wanted{.ai_flags = 0, .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
  addrinfo* found = nullptr;
  if (getaddrinfo(address.substr(0, colon).c_str(), std::to_string(*port).c_str(), &wanted, &found) != 0)
    return fact;
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owner(found, freeaddrinfo);
  for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
    const Socket socket = connect_to(*each, deadline);
    if (!socket) continue;
    const std::string answer = ask(socket, address, deadline);
    fact.state = answer.find("DCGM_FI_") == std::string::npos ? ExporterState::other_service
                                                              : ExporterState::reachable;
    return fact;
  }
  return fact;
}

}  // namespace wattflex::device
