// `wattflex restore`: puts back everything the journal holds; also the guard of a process that caps GPUs.
#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <optional>

extern "C" {  // glibc 2.36 forgot it
#include <sys/pidfd.h>
}

#include "apps/wattflex/arguments.h"
#include "apps/wattflex/back_report.h"
#include "apps/wattflex/cap_journal_option.h"
#include "apps/wattflex/verbs.h"
#include "base/held_signals.h"

namespace wattflex::app {
namespace {

using control::CapWriter;
using control::Hold;

Result<std::optional<pid_t>> watched_from(const Arguments& arguments) {
  if (!arguments.has("after")) return std::nullopt;
  const auto number = arguments.integer("after", 2, std::numeric_limits<pid_t>::max());
  if (!number) return std::unexpected(number.error());
  return std::optional(static_cast<pid_t>(*number));
}

// Returns when that process has ended. As its child we are its guard, and no signal sent to both of us ends
// us.
Result<void> wait_for_end(pid_t watched, Console& console) {
  std::optional<SignalsHeldBack> held;
  if (getppid() == watched) held.emplace();
  const int process = pidfd_open(watched, 0);
  if (process < 0 && errno == ESRCH) return {};
  if (process < 0) {
    return fail(ErrorKind::unsupported, fmt::format("process {} can't be watched", watched),
                "this needs Linux 5.3 or later");
  }
  console.out() << "watching " << watched << '\n' << std::flush;
  pollfd waiting{.fd = process, .events = POLLIN, .revents = 0};
  while (poll(&waiting, 1, -1) < 0 && errno == EINTR) {
  }
  close(process);
  return {};
}

// A process that ended in peace leaves nothing to do: no GPU is even looked at.
bool has_put_back_itself(const Arguments& arguments) {
  if (!arguments.has("journal")) return false;
  const auto entries = control::read_cap_journal(std::string(arguments.text("journal")));
  return entries && std::ranges::none_of(*entries, [](const control::JournalEntry& entry) {
           return entry.hold == Hold::session;
         });
}

Result<Outcome> run_restore(const Arguments& arguments, Console& console) {
  const auto watched = watched_from(arguments);
  if (!watched) return std::unexpected(watched.error());
  const SignalsHeldBack held;
  if (*watched) {
    if (const auto ended = wait_for_end(**watched, console); !ended) return std::unexpected(ended.error());
    if (has_put_back_itself(arguments)) return Outcome::done;
  }
  const auto gpus = open_all_gpus(arguments);
  if (!gpus) return std::unexpected(gpus.error());
  auto journal = open_journal(arguments, *gpus);
  if (!journal) return std::unexpected(journal.error());
  BackReport report{.gpus = *gpus, .outcomes = {}};
  // A sweep on a capped GPU found that cap: what came last goes first. A guard leaves standing caps standing.
  for (const Hold hold : {Hold::session, Hold::standing}) {
    if (hold == Hold::standing && *watched) continue;
    std::vector<GpuUuid> entered;
    for (const control::JournalEntry& entry : journal->entries()) {
      if (entry.hold == hold) entered.push_back(entry.gpu);
    }
    CapWriter writer(*gpus->workers, *journal, {.hold = hold, .patience = kDriverPatience});
    auto backs = writer.put_back(entered, foreign_from(arguments));
    if (!backs) return std::unexpected(backs.error());
    for (control::BackOutcome& back : *backs) report.outcomes.push_back(std::move(back));
  }
  if (*watched && report.outcomes.empty()) return Outcome::done;
  print_back(report, console);
  return report.whole() ? Outcome::done : Outcome::partial;
}

}  // namespace

const Verb& restore_verb() {
  static const Verb kVerb{
      .name = "restore",
      .summary = "Put back every limit that Wattflex changed on this machine",
      .details =
          "Everything in the journal: caps that stand, and those of runs that were killed. Each GPU by "
          "itself, "
          "each read back; what can't be put back stays in the journal and makes the exit status 1. Refused "
          "while a run that caps GPUs is alive: that one puts back by itself. With --after it waits for a "
          "process to end and then puts back what that process left; this is how sweeps guard themselves "
          "against kill -9.",
      .options = {{"--all", "", "", "everything in the journal", Takes::flag, true},
                  {"--after", "PID", "", "wait for this process to end; standing caps then stay"},
                  foreign_option(),
                  journal_option(),
                  nvml_option()},
      .examples = {{"wattflex restore --all", "put everything back now"},
                   {"wattflex restore --all --after 4711",
                    "once that process has ended, what it left capped"}},
      .json_fields = back_json_fields(),
      .run = run_restore,
      .check = can_read<watched_from>};
  return kVerb;
}

}  // namespace wattflex::app
