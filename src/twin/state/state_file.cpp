#include "twin/state/state_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <new>
#include <utility>

#include "base/random.h"
#include "twin/board.h"

namespace wattflex::twin {
namespace {

std::unexpected<Error> failed(const std::string& path, std::string_view what) {
  return fail(ErrorKind::io, fmt::format("{}: {}: {}", path, what, std::strerror(errno)),
              "check the folder and its permissions, or name another file with --state");
}

std::string boot_id() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  std::getline(file, id);
  return id.substr(0, kBootIdSize - 1);
}

// Closes a descriptor; the mapping stays.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

Result<SharedState*> map(const Descriptor& file, const std::string& path) {
  void* const memory =
      ::mmap(nullptr, sizeof(SharedState), PROT_READ | PROT_WRITE, MAP_SHARED, file.number(), 0);
  if (memory == MAP_FAILED) return failed(path, "cannot be mapped");
  return static_cast<SharedState*>(memory);
}

template <std::size_t Size>
void put(std::array<char, Size>& field, std::string_view text) {
  field.fill('\0');
  text.copy(field.data(), Size - 1);
}

bool start_mutex(pthread_mutex_t& mutex) {
  pthread_mutexattr_t attributes;
  if (pthread_mutexattr_init(&attributes) != 0) return false;
  const bool ready = pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED) == 0 &&
                     pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST) == 0 &&
                     pthread_mutex_init(&mutex, &attributes) == 0;
  pthread_mutexattr_destroy(&attributes);
  return ready;
}

GpuRecord first_record(const BoardProfile& board) {
  GpuRecord gpu;
  gpu.requested_mw = static_cast<std::uint32_t>(board.largest_limit.watts() * 1000);
  gpu.paced_limit_w = board.largest_limit.watts();
  DrawSegment& segment = gpu.segments[0];
  segment.start_s = -2 * kAverageWindow.count();  // so that the first readings have a past
  segment.step = idle_draw(board);
  segment.activity = idle_activity(board);
  const double idle_s = -segment.start_s;
  segment.energy_j = -board.idle.watts() * idle_s;  // nothing drawn at 0
  segment.temperature_c = 27 + 0.065 * board.idle.watts();
  gpu.segment_count = 1;
  return gpu;
}

// The magic goes in last: who opens the file before sees that it is not ready.
bool fill(SharedState& state, const TwinSetup& setup, const BoardProfile& board) {
  StateHeader& header = *new (&state.header) StateHeader();
  header.layout = kStateLayout;
  header.size = sizeof(SharedState);
  header.gpus = setup.gpus;
  header.seed = setup.seed;
  header.speed = setup.speed;
  put(header.board, setup.board);
  put(header.boot_id, boot_id());
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  header.start_unix_us = now.tv_sec * 1'000'000 + now.tv_nsec / 1000;
  clock_gettime(CLOCK_MONOTONIC, &now);
  header.start_monotonic_ns = now.tv_sec * kNanoseconds + now.tv_nsec;
  if (!start_mutex(header.mutex)) return false;
  const GpuRecord first = first_record(board);
  for (std::uint32_t i = 0; i < setup.gpus; ++i) {
    state.gpus[i].copy[0] = first;
    state.gpus[i].version = {1, 0};
  }
  header.committed = 1;
  std::atomic_thread_fence(std::memory_order_release);
  header.magic = kStateMagic;
  return true;
}

Result<void> check_header(const StateHeader& header, const std::string& path) {
  if (header.magic != kStateMagic || header.layout != kStateLayout || header.size != sizeof(SharedState) ||
      header.gpus == 0 || header.gpus > kMaxGpus || find_board(header.board.data()) == nullptr) {
    return fail(ErrorKind::refused, fmt::format("{}: not the state of a twin of this version", path),
                "remove it and start a twin: wattflex twin start");
  }
  if (header.stopped || boot_id() != header.boot_id.data()) {
    return fail(ErrorKind::no_data, fmt::format("{}: the twin has been stopped", path),
                "start one: wattflex twin start");
  }
  return {};
}

}  // namespace

Result<StateFile> StateFile::create(const std::string& path, const TwinSetup& setup) {
  const BoardProfile* const board = find_board(setup.board);
  if (board == nullptr || setup.gpus == 0 || setup.gpus > kMaxGpus) {
    return fail(ErrorKind::usage, fmt::format("no twin of {} GPUs '{}'", setup.gpus, setup.board),
                fmt::format("1 to {} GPUs of h100, h200, b200, a100, v100 or l40s", kMaxGpus));
  }
  if (const auto other = open(path)) {
    return fail(ErrorKind::refused, fmt::format("{}: a twin is there already", path),
                "stop it with 'wattflex twin stop', or name another file with --state");
  }
  // Beside it and renamed: nobody sees half a state, and who still has the old one keeps it.
  const std::string part = fmt::format("{}.part-{}", path, ::getpid());
  const Descriptor file(::open(part.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (file.number() < 0) return failed(path, "cannot be made");
  const auto give_up = [&](std::unexpected<Error> error) -> Result<StateFile> {
    ::unlink(part.c_str());
    return error;
  };
  if (::ftruncate(file.number(), sizeof(SharedState)) != 0) return give_up(failed(path, "cannot be made"));
  const auto mapped = map(file, path);
  if (!mapped) return give_up(std::unexpected(mapped.error()));
  StateFile made(*mapped, path);
  if (!fill(made.state(), setup, *board)) return give_up(failed(path, "has no lock"));
  if (::rename(part.c_str(), path.c_str()) != 0) return give_up(failed(path, "cannot be named"));
  return made;
}

Result<StateFile> StateFile::open(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
  if (file.number() < 0) {
    return fail(ErrorKind::no_data, fmt::format("{}: no twin there ({})", path, std::strerror(errno)),
                "start one: wattflex twin start");
  }
  struct stat facts{};
  if (::fstat(file.number(), &facts) != 0) return failed(path, "cannot be looked at");
  if (!S_ISREG(facts.st_mode) || facts.st_uid != ::geteuid() || (facts.st_mode & 077) != 0 ||
      facts.st_size != static_cast<off_t>(sizeof(SharedState))) {
    return fail(ErrorKind::refused, fmt::format("{}: not a twin's state of this user and version", path),
                "remove it and start a twin: wattflex twin start");
  }
  const auto mapped = map(file, path);
  if (!mapped) return std::unexpected(mapped.error());
  StateFile opened(*mapped, path);
  if (auto checked = check_header(opened.state().header, path); !checked)
    return std::unexpected(checked.error());
  return opened;
}

StateFile::StateFile(StateFile&& other) noexcept
    : state_(std::exchange(other.state_, nullptr)), path_(std::move(other.path_)) {}

StateFile& StateFile::operator=(StateFile&& other) noexcept {
  std::swap(state_, other.state_);
  std::swap(path_, other.path_);
  return *this;
}

StateFile::~StateFile() {
  if (state_ != nullptr) ::munmap(state_, sizeof(SharedState));
}

Result<void> StateFile::remove() {
  state_->header.stopped = true;
  if (::unlink(path_.c_str()) != 0) return failed(path_, "cannot be removed");
  return {};
}

std::string default_state_path() {
  const char* const named = std::getenv("WATTFLEX_TWIN_STATE");
  if (named != nullptr && *named != '\0') return named;
  const char* const folder = std::getenv("XDG_RUNTIME_DIR");
  if (folder != nullptr && *folder != '\0') return std::string(folder) + "/wattflex-twin";
  return fmt::format("/tmp/wattflex-twin-{}", ::getuid());
}

}  // namespace wattflex::twin
