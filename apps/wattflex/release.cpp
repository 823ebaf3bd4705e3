// `wattflex release`: takes off what `wattflex cap` set.
#include "apps/wattflex/arguments.h"
#include "apps/wattflex/back_report.h"
#include "apps/wattflex/cap_journal_option.h"
#include "apps/wattflex/verbs.h"
#include "base/held_signals.h"

namespace wattflex::app {
namespace {

Result<Outcome> run_release(const Arguments& arguments, Console& console) {
  const auto gpus = open_gpus(arguments);
  if (!gpus) return std::unexpected(gpus.error());
  const SignalsHeldBack held;
  auto journal = open_journal(arguments, *gpus);
  if (!journal) return std::unexpected(journal.error());
  const auto recovered = recover(*gpus, *journal, console);
  if (!recovered) return std::unexpected(recovered.error());
  control::CapWriter writer(*gpus->workers, *journal,
                            {.hold = control::Hold::standing, .patience = kDriverPatience});
  auto backs = writer.put_back(uuids_of(*gpus), foreign_from(arguments));
  if (!backs) return std::unexpected(backs.error());
  const BackReport report{.gpus = *gpus, .outcomes = *std::move(backs)};
  print_back(report, console);
  return report.whole() && *recovered ? Outcome::done : Outcome::partial;
}

}  // namespace

const Verb& release_verb() {
  static const Verb kVerb{
      .name = "release",
      .summary = "Take off caps and put back the limits that were found",
      .details =
          "For GPUs that 'wattflex cap' capped: writes the limit that was there before the first cap, reads "
          "it "
          "back, and only then forgets the GPU. GPUs that were never capped are not touched. One that can't "
          "be "
          "put back does not keep the others, stays in the journal, and makes the exit status 1.",
      .options = {gpus_option(), foreign_option(), journal_option(), nvml_option()},
      .examples = {{"wattflex release", "all GPUs that were capped"},
                   {"wattflex release --gpus 2", "one of them"}},
      .json_fields = back_json_fields(),
      .run = run_release};
  return kVerb;
}

}  // namespace wattflex::app
