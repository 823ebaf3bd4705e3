#include "control/cap_journal.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/durable_file.h"

namespace wattflex::control {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kVersion = 1;
constexpr std::uintmax_t kMostBytes = 16 << 20;
constexpr std::size_t kMostEntries = 8192;
constexpr std::size_t kMostCaps = 1024;  // of one GPU
constexpr long long kMostMilliwatts = 20'000'000;

std::unexpected<Error> damaged(const std::string& path, const std::string& what) {
  return fail(ErrorKind::refused, path + ": " + what,
              "'wattflex status --local' shows what is capped; put it back with the commands it prints, then "
              "remove this file");
}

std::optional<Power> limit_from(const json& value) {
  if (!value.is_number_integer()) return std::nullopt;
  const auto milliwatts = value.get<long long>();
  if (milliwatts <= 0 || milliwatts > kMostMilliwatts) return std::nullopt;
  return Power::from_watts(static_cast<double>(milliwatts) / 1000);
}

std::optional<Hold> hold_from(const json& value) {
  for (const Hold hold : {Hold::session, Hold::standing}) {
    if (value == to_string(hold)) return hold;
  }
  return std::nullopt;
}

std::optional<JournalEntry> entry_from(const json& value) {
  if (!value.is_object()) return std::nullopt;
  const json empty;
  const auto member = [&](const char* name) -> const json& {
    const auto found = value.find(name);
    return found == value.end() ? empty : *found;
  };
  const auto hold = hold_from(member("hold"));
  const auto found = limit_from(member("found_mw"));
  if (!member("gpu").is_string() || !hold || !found || !member("caps_mw").is_array() ||
      !member("since_us").is_number_integer() || member("caps_mw").size() > kMostCaps) {
    return std::nullopt;
  }
  JournalEntry entry{.gpu = {member("gpu").get<std::string>()},
                     .hold = *hold,
                     .found = *found,
                     .since = Time(std::chrono::microseconds(member("since_us").get<long long>()))};
  for (const json& each : member("caps_mw")) {
    const auto cap = limit_from(each);
    if (!cap) return std::nullopt;
    entry.caps.push_back(*cap);
  }
  return entry;
}

json to_json(const JournalEntry& entry) {
  json caps = json::array();
  for (const Power cap : entry.caps) caps.push_back(whole_milliwatts(cap));
  return {{"gpu", entry.gpu.text},
          {"hold", to_string(entry.hold)},
          {"found_mw", whole_milliwatts(entry.found)},
          {"caps_mw", std::move(caps)},
          {"since_us", entry.since.time_since_epoch().count()}};
}

auto same_place(const GpuUuid& gpu, Hold hold) {
  return [&gpu, hold](const JournalEntry& entry) { return entry.gpu == gpu && entry.hold == hold; };
}

Result<std::vector<JournalEntry>> parse(const std::string& path, const std::string& text) {
  const json document = json::parse(text, nullptr, false);
  if (!document.is_object()) return damaged(path, "this is no journal of caps, or it is damaged");
  if (document.value("version", json()) != kVersion)
    return damaged(path, "this journal is of another version of Wattflex");
  const auto list = document.find("entries");
  if (list == document.end() || !list->is_array() || list->size() > kMostEntries)
    return damaged(path, "its list of GPUs is missing or too long");
  std::vector<JournalEntry> entries;
  for (const json& each : *list) {
    auto entry = entry_from(each);
    if (!entry) return damaged(path, fmt::format("entry {} can't be understood", entries.size() + 1));
    if (std::ranges::any_of(entries, same_place(entry->gpu, entry->hold)))
      return damaged(path, entry->gpu.text + " is in it twice");
    entries.push_back(*std::move(entry));
  }
  return entries;
}

// The number of the process that holds the lock, as it wrote it there.
std::string holder_of(const std::string& lock_path) {
  std::string number;
  std::ifstream(lock_path) >> number;
  const bool plain = !number.empty() && number.size() < 12 &&
                     std::ranges::all_of(number, [](char c) { return c >= '0' && c <= '9'; });
  return plain ? "process " + number : "another process";
}

std::unexpected<Error> cannot(const std::string& path, const char* what) {
  return fail(ErrorKind::io, fmt::format("{}: {}: {}", path, what, std::strerror(errno)),
              "nothing was written to any GPU; name another file with --journal, or run as the user who may");
}

Result<int> take_lock(const std::string& path) {
  const std::string lock_path = path + ".lock";
  const int lock = open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (lock < 0) return cannot(lock_path, "can't be opened");
  if (flock(lock, LOCK_EX | LOCK_NB) != 0) {
    const bool held = errno == EWOULDBLOCK;
    const auto error = cannot(lock_path, "can't be locked");
    close(lock);
    if (!held) return error;
    return fail(ErrorKind::unsupported, holder_of(lock_path) + " of Wattflex holds the caps of this machine",
                "wait for it, or end it: it puts back what it changed");
  }
  const std::string number = fmt::format("{}\n", getpid());
  if (ftruncate(lock, 0) != 0 || pwrite(lock, number.data(), number.size(), 0) < 0) {
    const auto error = cannot(lock_path, "can't be written");
    close(lock);
    return error;
  }
  return lock;
}

}  // namespace

std::string_view to_string(Hold hold) {
  return hold == Hold::session ? "session" : "standing";
}

bool JournalEntry::is_ours(Power limit) const {
  return std::ranges::any_of(caps,
                             [&](Power cap) { return whole_milliwatts(cap) == whole_milliwatts(limit); });
}

Result<std::vector<JournalEntry>> read_cap_journal(const std::string& path) {
  std::error_code problem;
  if (!fs::exists(path, problem) && !problem) return std::vector<JournalEntry>();
  if (fs::file_size(path, problem) > kMostBytes && !problem) return damaged(path, "too large for a journal");
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file || file.bad()) return cannot(path, "can't be read");
  return parse(path, text);
}

Result<CapJournal> CapJournal::open(const std::string& path) {
  std::error_code problem;
  const fs::path folder = fs::path(path).parent_path();
  if (!folder.empty() && fs::create_directories(folder, problem))
    fs::permissions(folder, fs::perms::owner_all, problem);
  const auto lock = take_lock(path);
  if (!lock) return std::unexpected(lock.error());
  auto entries = read_cap_journal(path);
  if (!entries) {
    close(*lock);
    return std::unexpected(entries.error());
  }
  return CapJournal(path, *lock, *std::move(entries));
}

CapJournal::CapJournal(CapJournal&& other) noexcept
    : path_(std::move(other.path_)),
      lock_(std::exchange(other.lock_, -1)),
      entries_(std::move(other.entries_)) {}

CapJournal::~CapJournal() {
  if (lock_ >= 0) close(lock_);
}

const JournalEntry* CapJournal::find(const GpuUuid& gpu, Hold hold) const {
  const auto found = std::ranges::find_if(entries_, same_place(gpu, hold));
  return found == entries_.end() ? nullptr : &*found;
}

Result<void> CapJournal::replace(std::vector<JournalEntry> entries) {
  json document = {{"version", kVersion}, {"entries", json::array()}};
  for (const JournalEntry& entry : entries) document["entries"].push_back(to_json(entry));
  const auto written =
      write_file_durably(path_, document.dump(1, ' ', false, json::error_handler_t::replace) + '\n');
  if (!written) return written;
  entries_ = std::move(entries);
  return {};
}

Result<void> CapJournal::add(std::vector<JournalEntry> entries) {
  std::vector<JournalEntry> all = entries_;
  for (JournalEntry& entry : entries) {
    assert(find(entry.gpu, entry.hold) == nullptr);
    all.push_back(std::move(entry));
  }
  return replace(std::move(all));
}

Result<void> CapJournal::add_caps(const std::vector<GpuUuid>& gpus, Hold hold,
                                  const std::vector<Power>& caps) {
  std::vector<JournalEntry> all = entries_;
  bool changed = false;
  for (const GpuUuid& gpu : gpus) {
    const auto entry = std::ranges::find_if(all, same_place(gpu, hold));
    assert(entry != all.end());
    for (const Power cap : caps) {
      if (entry->is_ours(cap)) continue;
      if (entry->caps.size() == kMostCaps) {
        return fail(ErrorKind::unsupported, gpu.text + ": more different caps than a journal takes",
                    "release this GPU first");
      }
      entry->caps.push_back(cap);
      changed = true;
    }
  }
  return changed ? replace(std::move(all)) : Result<void>();
}

Result<void> CapJournal::remove(const std::vector<GpuUuid>& gpus, Hold hold) {
  std::vector<JournalEntry> left;
  for (const JournalEntry& entry : entries_) {
    const bool named = std::ranges::find(gpus, entry.gpu) != gpus.end();
    if (entry.hold != hold || !named) left.push_back(entry);
  }
  return left.size() == entries_.size() ? Result<void>() : replace(std::move(left));
}

std::string default_cap_journal(Pedigree pedigree) {
  fs::path folder = "/var/lib";
  if (geteuid() != 0) {
    const char* const state = std::getenv("XDG_STATE_HOME");
    const char* const home = std::getenv("HOME");
    folder = state != nullptr && *state == '/'  ? fs::path(state)
             : home != nullptr && *home != '\0' ? fs::path(home) / ".local/state"
                                                : fs::path("/tmp");
  }
  // A home folder may be shared by many machines.
  char host[256] = {};
  if (gethostname(host, sizeof host - 1) != 0) std::strcpy(host, "localhost");
  const std::string kind = pedigree == Pedigree::simulated ? "twin-caps" : "caps";
  return folder / "wattflex" / fmt::format("{}-{}.json", kind, host);
}

}  // namespace wattflex::control
