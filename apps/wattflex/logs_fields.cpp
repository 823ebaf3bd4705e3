// The JSON keys of `wattflex logs`.
#include <array>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/wattflex/logs_output.h"

namespace wattflex::app {
namespace {

// What the whole log and each of its runs has.
constexpr auto kOfRuns = std::to_array<JsonField>({
    {"first_line", "1", "line of the first step"},
    {"last_line", "1", "line of the last step"},
    {"first_step", "1", "as printed"},
    {"last_step", "1", "as printed"},
    {"n_steps", "1", "steps between the first line of each run and its last"},
    {"n_skipped", "1", "of them, those the optimizer skipped"},
    {"n_nan_losses", "1", "lines whose loss is NaN"},
    {"n_readings", "1", "readings near the median, which the means are of"},
    {"n_dropped", "1", "readings far from the median: warm-up, stalls"},
    {"step_time_s", "s", "of one step, pauses left out; null where the log shows no time"},
    {"step_time_stderr_s", "s", "standard error of it"},
    {"tokens_per_s", "tokens/s", "whole job, training only; null: unknown"},
    {"tokens_per_s_stderr", "tokens/s", "standard error of it"},
    {"samples_per_s", "1/s", "sequences of the whole job, training only"},
    {"samples_per_s_stderr", "1/s", "standard error of it"},
    {"wall_s", "s", "from the first step line to the last, pauses included; null without a clock"},
    {"wall_tokens_per_s", "tokens/s", "over that time"},
    {"wall_samples_per_s", "1/s", "over that time"},
    {"evaluation.count", "1", "pauses for an evaluation"},
    {"evaluation.time_s", "s", "theirs, beyond what the steps around them usually take"},
    {"checkpoint.count", "1", "pauses for a checkpoint"},
    {"checkpoint.time_s", "s", "theirs, beyond what the steps around them usually take"},
    {"evaluation_and_checkpoint.count", "1", "pauses where both stood between two step lines"},
    {"evaluation_and_checkpoint.time_s", "s", "theirs, beyond what the steps around them usually take"},
    {"unlabelled.count", "1", "pauses whose reason the log does not tell"},
    {"unlabelled.time_s", "s", "theirs, beyond what the steps around them usually take"},
});

// What the log, the options and the computation say of the job's shape.
constexpr auto kOfShape = std::to_array<JsonField>({
    {"seq_len", "tokens", "of one sequence"},
    {"global_batch", "1", "sequences of one step of the whole job"},
    {"micro_batch", "1", "sequences of one micro-step of one data-parallel rank"},
    {"accumulation", "1", "micro-steps of one step"},
    {"data_parallel", "1", "ranks with different sequences"},
    {"tensor_parallel", "1", "ranks that share a layer"},
    {"context_parallel", "1", "ranks that share a sequence"},
    {"pipeline_parallel", "1", "ranks that share the layers"},
    {"gpus", "1", "of the job"},
    {"step_tokens", "tokens", "of one step, where the log says just that"},
});

constexpr auto kOfCheck = std::to_array<JsonField>({
    {"ratio", "1", "printed by computed"},
    {"agrees", "", "whether they are the same but for rounding"},
    {"explanation", "", "what makes the difference, where it is known"},
});

// Keys live as long as the program.
void add(std::vector<JsonField>& fields, std::string_view prefix, std::span<const JsonField> keys) {
  static std::deque<std::string> paths;
  for (const JsonField& key : keys) {
    paths.push_back(std::string(prefix) + std::string(key.path));
    fields.push_back({paths.back(), key.unit, key.meaning});
  }
}

}  // namespace

std::vector<JsonField> log_json_fields() {
  std::vector<JsonField> fields = {
      {"status", "", "done; no_data without a step whose time is known"},
      {"file", "", "file as given"},
      {"framework", "", "whose lines were read"},
      {"framework_source", "", "detected or given"},
      {"lines", "", "what the file holds"},
      {"lines.bytes", "1", ""},
      {"lines.total", "1", "lines"},
      {"lines.step_lines", "1", "records of steps, copies included"},
      {"lines.duplicated", "1", "of them, those that say a step again: other ranks, copies"},
      {"lines.glued", "1", "lines with more than one record, taken apart"},
      {"lines.damaged", "1", "step lines without their figures, left out"},
      {"lines.cut", "1", "1: the file ends within a line, left out"},
      {"lines.overlong", "1", "above 64 KiB, left out"},
      {"lines.with_nul", "1", "with NUL bytes, left out"},
      {"declared", "", "what the log says of batch, sequence and layout"},
      {"given", "", "what options say of it"},
      {"used", "", "what was computed with"},
      {"token_source", "", "declared (batch x sequence), counted (by the log), printed or none"},
      {"token_kind", "", "padded, real (padding left out) or unknown"},
      {"n_segments", "1", "runs: a resumed one begins a new segment"},
      {"segments[]", "", "the first 1000 runs"},
      {"n_pauses", "1", "all pauses"},
      {"pauses[].line", "1", "line of the step behind the pause; the first 1000"},
      {"pauses[].segment", "1", "run, from 1"},
      {"pauses[].kind", "", "evaluation, checkpoint, evaluation+checkpoint or unlabelled"},
      {"pauses[].time_s", "s", "by what steps took so far"},
      {"printed_tokens_per_s", "tokens/s", "typical, as printed"},
      {"printed_scope", "", "what the printed figure is of: job, gpu or unknown"},
      {"printed_is_cumulative", "", "tokens since the first start by time since the last"},
      {"checks.tokens_per_s", "",
       "ratio (printed by computed), agrees, explanation; null: cannot be checked"},
      {"checks.samples_per_s", "", "likewise"},
      {"checks.token_counter", "", "the log's running token count by batch x sequence"},
      {"checks.step_time", "", "the printed step time by the dates of the lines"},
      {"end_of_run", "", "what the framework prints at the end of a run"},
      {"end_of_run.line", "1", ""},
      {"end_of_run.copies", "1", "the same by other ranks"},
      {"end_of_run.runtime_s", "s", ""},
      {"end_of_run.samples_per_s", "1/s", ""},
      {"end_of_run.tokens_per_s", "tokens/s", ""},
      {"warnings[]", "", "contradictions, and printed figures that do not agree"},
      {"event", "", "with --follow, where every line is a document: step, at the end summary"},
      {"time_s", "s", "of a step: the line's date, else the time since the start, else when it came"},
      {"step", "1", "of a step: as printed"},
      {"steps", "1", "of a step: steps since the line before"},
      {"step_time_s", "s", "of a step: null where a pause stands between"},
      {"tokens_per_s", "tokens/s", "of a step: whole job"},
      {"samples_per_s", "1/s", "of a step: whole job"},
      {"segment", "1", "of a step: run, from 1"},
      {"pause", "", "of a step: none, evaluation, checkpoint or evaluation+checkpoint"},
      {"line", "1", "of a step: line of the log"}};
  for (const std::string_view prefix : {"all.", "segments[]."}) add(fields, prefix, kOfRuns);
  for (const std::string_view prefix : {"declared.", "given.", "used."}) add(fields, prefix, kOfShape);
  for (const std::string_view prefix :
       {"checks.tokens_per_s.", "checks.samples_per_s.", "checks.token_counter.", "checks.step_time."}) {
    add(fields, prefix, kOfCheck);
  }
  return fields;
}

}  // namespace wattflex::app
