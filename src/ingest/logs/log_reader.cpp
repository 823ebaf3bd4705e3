#include "ingest/logs/log_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ingest/logs/log_mark.h"
#include "ingest/logs/log_text.h"

namespace wattflex::logs {
namespace {

constexpr std::size_t kMostGlued = 16;  // records on a line; more is no log

std::string escaped(std::string_view literal) {
  std::string text;
  for (const char c : literal) {
    if (std::string_view("\\|()[]{}.*+?^$").contains(c)) text += '\\';
    text += c;
  }
  return text;
}

// What any line that matters matches.
std::string words_of(const std::vector<std::unique_ptr<LineFormat>>& formats) {
  std::set<std::string_view> anchors;
  for (const auto& format : formats) anchors.insert(format->anchors().begin(), format->anchors().end());
  std::string expression = declaration_words() + "|" + mark_words();
  for (const std::string_view anchor : anchors) expression += "|" + escaped(anchor);
  return expression;
}

std::vector<std::unique_ptr<LineFormat>> formats_for(const LogOptions& options) {
  auto formats = all_formats();
  if (options.framework)
    std::erase_if(formats, [&](const auto& format) { return format->framework() != *options.framework; });
  return formats;
}

// Where `words` stand with a number behind, from `from` on.
std::size_t record_at(std::string_view line, std::string_view words, std::size_t from) {
  if (words.empty()) return kNowhere;
  for (std::size_t at = find_text(line, words, from); at != kNowhere; at = find_text(line, words, at + 1)) {
    std::size_t behind = at + words.size();
    while (behind < line.size() && line[behind] == ' ') ++behind;
    if (behind < line.size() && is_digit(line[behind])) return at;
  }
  return kNowhere;
}

}  // namespace

LogReader::LogReader(LogOptions options)
    : options_(std::move(options)),
      formats_(formats_for(options_)),
      filter_(words_of(formats_)),
      tracker_(std::make_unique<StepTracker>()),
      meter_(std::make_unique<ThroughputMeter>(options_.meter)) {
  if (options_.framework) chosen_ = formats_.front().get();
}

Result<LogReader> LogReader::create(LogOptions options) {
  LogReader reader(std::move(options));
  if (!reader.options_.pattern.empty()) {
    auto format = user_pattern_format(reader.options_.pattern);
    if (!format) return std::unexpected(format.error());
    reader.formats_.clear();
    reader.formats_.push_back(*std::move(format));
    reader.chosen_ = reader.formats_.front().get();
  }
  return reader;
}

std::optional<Framework> LogReader::framework() const {
  if (chosen_ != nullptr) return chosen_->framework();
  return end_of_run_ ? std::optional(end_of_run_->framework) : std::nullopt;
}

void LogReader::feed(std::string_view bytes, std::optional<double> arrived) {
  arrived_ = arrived;
  lines_.feed(bytes, [this](std::string_view line, std::uint64_t number) { read_line(line, number); });
}

bool LogReader::has_anchor(const LineFormat& format, std::string_view line) {
  const auto anchors = format.anchors();
  if (anchors.empty()) return true;  // a pattern is its own anchor
  if (likely_anchor_ < anchors.size() && has_text(line, anchors[likely_anchor_])) return true;
  for (std::size_t i = 0; i < anchors.size(); ++i) {
    if (i == likely_anchor_ || !has_text(line, anchors[i])) continue;
    if (&format == chosen_) likely_anchor_ = i;
    return true;
  }
  return false;
}

void LogReader::read_line(std::string_view line, std::uint64_t number) {
  // Most lines of a long log are steps of the framework that is known by now.
  if (chosen_ != nullptr && has_anchor(*chosen_, line) && read_steps(*chosen_, line, number)) return;
  if (!filter_.passes(line)) return;
  for (const auto& format : formats_) {
    if (format.get() == chosen_) break;  // those behind it tell less
    if (has_anchor(*format, line) && read_steps(*format, line, number)) return;
  }
  if (const auto mark = mark_of(line)) tracker_->mark(*mark);
  read_declarations(line, declared_);
}

// Whether the line was one of the format's.
bool LogReader::read_steps(LineFormat& format, std::string_view line, std::uint64_t number) {
  const std::size_t first = record_at(line, format.record_start(), 0);
  std::size_t next = first == kNowhere ? kNowhere : record_at(line, format.record_start(), first + 1);
  if (next == kNowhere) return read_record(format, line, line, number);
  // Two ranks wrote at once: each record goes up to where the next one starts.
  bool any = false;
  std::size_t begin = 0;
  std::size_t records = 0;
  for (std::size_t i = 0; i < kMostGlued && begin != kNowhere; ++i) {
    const std::string_view front = i == 0 ? line : line.substr(begin - std::min<std::size_t>(begin, 16));
    if (read_record(format, line.substr(begin, next == kNowhere ? kNowhere : next - begin), front, number)) {
      any = true;
      ++records;
    }
    begin = next;
    next = begin == kNowhere ? kNowhere : record_at(line, format.record_start(), begin + 1);
  }
  if (records > 1) ++glued_;
  return any;
}

bool LogReader::read_record(LineFormat& format, std::string_view record, std::string_view front,
                            std::uint64_t number) {
  StepLine step;
  switch (format.read(record, step)) {
    case Reading::nothing:
    case Reading::part:  // of a step, and perhaps an evaluation's too: other readers may look at it
      return false;
    case Reading::damaged:
      if (chosen_ != &format) return false;  // another's line that looks a little like it
      ++damaged_;
      return true;
    case Reading::summary:
      take_summary(step, format.framework(), number);
      return true;
    case Reading::step:
      break;
  }
  if (chosen_ != &format) choose(format);
  if (step.rank < 0) step.rank = rank_of(front);
  if (!step.stamp) step.stamp = stamp_of(front);
  take_step(step, number);
  return true;
}

void LogReader::choose(LineFormat& format) {
  const bool again = chosen_ != nullptr;
  chosen_ = &format;
  likely_anchor_ = 0;
  if (!again) return;
  tracker_ = std::make_unique<StepTracker>();
  meter_ = std::make_unique<ThroughputMeter>(options_.meter);
  damaged_ = 0;
  glued_ = 0;
  if (restarted_) restarted_(format.framework());
}

void LogReader::take_step(StepLine step, std::uint64_t number) {
  tracker_->add(step, number, arrived_, ready_);
  deliver();
}

void LogReader::take_summary(const StepLine& step, Framework framework, std::uint64_t number) {
  if (end_of_run_) {  // every rank prints it; the first is as good as any
    ++end_of_run_->copies;
    return;
  }
  end_of_run_ = EndOfRun{.framework = framework,
                         .line = number,
                         .runtime = step.wall_elapsed,
                         .samples_per_s = step.printed_samples_rate,
                         .tokens_per_s = step.printed_tokens_rate};
}

void LogReader::deliver() {
  for (const Interval& interval : ready_) {
    const StepRecord record = meter_->add(interval, declared_);
    if (sink_) sink_(record);
  }
  ready_.clear();
}

void LogReader::flush() {
  tracker_->flush(ready_);
  deliver();
}

LogSummary LogReader::finish() {
  lines_.finish();
  flush();
  return summary();
}

LogSummary LogReader::summary() const {
  LogSummary summary;
  summary.framework = framework();
  summary.lines = lines_.counts();
  summary.tracked = tracker_->counts();
  summary.glued = glued_;
  summary.damaged = damaged_;
  summary.declared = declared_;
  meter_->summarise(summary, chosen_ == nullptr ? TokenKind::unknown : chosen_->token_kind());
  summary.end_of_run = end_of_run_;
  summary.warnings = contradictions(declared_, options_.meter.given);
  for (const auto* const check :
       {&summary.tokens_check, &summary.samples_check, &summary.counter_check, &summary.time_check}) {
    if (*check && !(*check)->agrees) summary.warnings.push_back((*check)->explanation);
  }
  if (summary.source == TokenSource::none && summary.printed_tokens_per_s &&
      summary.printed_scope == Scope::device)
    summary.warnings.emplace_back(
        "the printed tokens/s is one GPU's, and the log does not say how many there are: give --gpus");
  return summary;
}

}  // namespace wattflex::logs
