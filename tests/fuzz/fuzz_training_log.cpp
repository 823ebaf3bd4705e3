// Any bytes as a training log: never a crash, never a number that is none; the same steps in whatever pieces
// the bytes come; what is counted adds up. The first byte chooses the framework, or a pattern.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "ingest/logs/log_reader.h"

namespace {

using namespace wattflex::logs;

void require(bool holds, const char* law) {
  if (holds) return;
  std::fprintf(stderr, "broken law: %s\n", law);
  std::abort();
}

void require_sound(std::optional<double> value) {
  require(!value || (std::isfinite(*value) && *value >= 0), "figures are finite, not negative, or missing");
}

void require_sound(const RunFigures& run) {
  require_sound(run.wall);
  require_sound(run.wall_tokens_per_s);
  require_sound(run.pause_time());
  if (!run.typical) return;
  require_sound(run.typical->step_time);
  require_sound(run.typical->step_time_stderr);
  require_sound(run.typical->tokens_per_s);
  require_sound(run.typical->samples_per_s);
  require(run.typical->readings > 0, "a mean is of readings");
}

LogOptions options_of(std::uint8_t choice) {
  constexpr std::uint8_t kFrameworks = 12;
  LogOptions options{.meter = {.given = {.seq_len = 1024, .global_batch = 8}}};
  if (choice % 16 < kFrameworks && choice % 16 > 0) options.framework = static_cast<Framework>(choice % 16);
  if (choice % 16 == 15) options.pattern = "(?P<step>\\d+) (?P<time>\\S+) (?P<tokens_per_s>\\S+)";
  if (choice >= 128) options.meter.given = {};
  return options;
}

struct Read {
  std::vector<StepRecord> steps;
  LogSummary summary;
};

Read read_log(std::string_view bytes, std::size_t piece, LogOptions options) {
  Read read;
  auto reader = LogReader::create(std::move(options));
  require(reader.has_value(), "our own pattern compiles");
  reader->on_step([&](const StepRecord& step) { read.steps.push_back(step); });
  for (std::size_t at = 0; at < bytes.size(); at += piece) reader->feed(bytes.substr(at, piece));
  read.summary = reader->finish();
  return read;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const Read whole = read_log(bytes, bytes.size() + 1, options_of(data[0]));
  const Read pieces = read_log(bytes, 1 + data[0] % 37, options_of(data[0]));
  require(whole.steps.size() == pieces.steps.size(), "pieces make no difference");
  for (std::size_t i = 0; i < whole.steps.size(); ++i) {
    const StepRecord& step = whole.steps[i];
    require(step.interval.number == pieces.steps[i].interval.number, "pieces make no difference to lines");
    require(step.interval.steps > 0, "an interval has steps");
    require_sound(step.step_time);
    require(!step.tokens_per_s || std::isfinite(*step.tokens_per_s), "rates are finite");
  }
  require_sound(whole.summary.all);
  for (const RunFigures& run : whole.summary.segments) require_sound(run);
  require(whole.summary.lines.bytes == bytes.size(), "every byte is read");
  return 0;
}
