#include "ingest/logs/progress_bar.h"

#include "ingest/logs/log_text.h"

namespace wattflex::logs {

std::optional<ProgressBar> parse_bar(std::string_view line) {
  const std::size_t percent = find_text(line, "%|");
  if (percent == std::string_view::npos) return std::nullopt;
  const std::size_t bar_end = find_text(line, "| ", percent + 2);
  if (bar_end == std::string_view::npos) return std::nullopt;
  ProgressBar bar;
  std::size_t begin = percent;
  while (begin > 0 && ((line[begin - 1] >= '0' && line[begin - 1] <= '9') || line[begin - 1] == ' ')) --begin;
  bar.description = line.substr(0, begin);
  while (bar.description.ends_with(':') || bar.description.ends_with(' ')) bar.description.remove_suffix(1);
  const auto done = scan_number(line, bar_end + 2);
  if (!done || done->end >= line.size() || line[done->end] != '/') return std::nullopt;
  const auto total = scan_number(line, done->end + 1);
  if (!total || total->value > 1e15 || done->value > total->value || done->value < 0) return std::nullopt;
  const std::size_t open = find_text(line, " [", total->end);
  if (open != total->end) return std::nullopt;
  const std::string_view inside = line.substr(open + 2);
  const std::size_t less = inside.find('<');
  if (less == std::string_view::npos) return std::nullopt;
  const auto elapsed = clock_span(inside.substr(0, less));
  if (!elapsed) return std::nullopt;
  bar.done = static_cast<std::int64_t>(done->value);
  bar.total = static_cast<std::int64_t>(total->value);
  bar.elapsed = *elapsed;
  bar.postfix = inside.substr(less);
  return bar;
}

}  // namespace wattflex::logs
