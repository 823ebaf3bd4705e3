#include "ingest/logs/log_mark.h"

#include <algorithm>
#include <iterator>

#include "ingest/logs/log_text.h"

namespace wattflex::logs {
namespace {

constexpr std::string_view kRestarts[] = {
    "***** Running training *****",        "Training starts at step",
    "[before the start of training step]", "Resuming training from",
    "Continuing training from checkpoint", "successfully loaded checkpoint from",
    "Loading the checkpoint from"};
constexpr std::string_view kCheckpoints[] = {
    "aving model checkpoint", "aving checkpoint",    "aved checkpoint",  "aving the checkpoint",
    "Saving LoRA weights",    "aving model weights", "checkpoint saved", "heckpoint start",
    "heckpoint done",         "Finished saving",     "save-checkpoint",  "saving checkpoint"};
constexpr std::string_view kEvaluations[] = {
    "Evaluating",     "evaluation",     "Evaluation", "Validating", "alidate step",
    "alidation loss", "alidation_loss", "val loss",   "val_loss",   "eval metrics",
    "'eval_loss'",    "evaluating",     " tel:",      "ppl:",       "alidation DataLoader",
    "eval start",     "eval done"};

template <std::size_t N>
bool holds_any(std::string_view line, const std::string_view (&words)[N]) {
  return std::ranges::any_of(words, [&](std::string_view word) { return has_text(line, word); });
}

}  // namespace

std::optional<Mark> mark_of(std::string_view line) {
  if (holds_any(line, kRestarts)) return Mark::restart;
  if (holds_any(line, kCheckpoints)) return Mark::checkpoint;
  if (holds_any(line, kEvaluations)) return Mark::evaluation;
  return std::nullopt;
}

std::string mark_words() {
  return "(?:Running training|raining starts at step|start of training step|esuming training|ontinuing "
         "training|"
         "[Cc]heckpoint|LoRA weights|model weights|Finished saving|[Ee]valuati|[Vv]alidat|val[ _]loss|eval "
         "metrics|"
         "eval_loss| tel:|ppl:|eval start|eval done)";
}

}  // namespace wattflex::logs
