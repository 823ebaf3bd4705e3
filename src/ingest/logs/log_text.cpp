#include "ingest/logs/log_text.h"

#include <fast_float/fast_float.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstring>
#include <string>

namespace wattflex::logs {
namespace {

constexpr std::size_t kStampReach = 200;  // a date stands at the front of a line
constexpr std::size_t kRankReach = 48;    // so does a rank
constexpr double kLargestCount = 1e15;    // whole numbers are exact in a double up to here

// "12", "243.12": at most 15 digits, so that one division of whole numbers gives the nearest double. Nothing
// where there is more to it.
std::optional<ScannedNumber> scan_plain(std::string_view text, std::size_t at) {
  static constexpr double kPowers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  constexpr std::size_t kMostDigits = 15;
  std::int64_t digits = 0;
  std::size_t count = 0;
  std::size_t places = 0;
  const auto take = [&] {
    const std::size_t before = count;
    for (; at < text.size() && is_digit(text[at]) && count <= kMostDigits; ++at, ++count)
      digits = 10 * digits + (text[at] - '0');
    return count - before;
  };
  if (take() == 0) return std::nullopt;
  if (at < text.size() && text[at] == '.') {
    ++at;
    places = take();
  }
  if (count > kMostDigits || (at < text.size() && (text[at] | 0x20) == 'e')) return std::nullopt;
  return ScannedNumber{static_cast<double>(digits) / kPowers[places], at};
}

// "1,234,567": groups of three behind one to three digits. Nothing when there is no group.
std::optional<ScannedNumber> scan_grouped(std::string_view text, std::size_t at) {
  std::size_t digits = 0;
  while (at + digits < text.size() && digits < 4 && is_digit(text[at + digits])) ++digits;
  if (digits == 0 || digits > 3) return std::nullopt;
  std::size_t end = at + digits;
  const auto group_at = [&](std::size_t comma) {
    return comma + 3 < text.size() && text[comma] == ',' && is_digit(text[comma + 1]) &&
           is_digit(text[comma + 2]) && is_digit(text[comma + 3]) &&
           (comma + 4 == text.size() || !is_digit(text[comma + 4]));
  };
  if (!group_at(end)) return std::nullopt;
  std::string plain(text.substr(at, digits));
  for (; group_at(end) && plain.size() < 18; end += 4) plain += text.substr(end + 1, 3);
  double value = 0;
  fast_float::from_chars(plain.data(), plain.data() + plain.size(), value);
  if (end + 1 < text.size() && text[end] == '.' && is_digit(text[end + 1])) {
    double fraction = 0;
    const auto read = fast_float::from_chars(text.data() + end, text.data() + text.size(), fraction);
    return ScannedNumber{value + fraction, static_cast<std::size_t>(read.ptr - text.data())};
  }
  return ScannedNumber{value, end};
}

// Exactly `count` digits at `at`.
std::optional<int> digits_at(std::string_view text, std::size_t at, std::size_t count) {
  if (at + count > text.size()) return std::nullopt;
  int value = 0;
  for (std::size_t i = at; i < at + count; ++i) {
    if (!is_digit(text[i])) return std::nullopt;
    value = 10 * value + (text[i] - '0');
  }
  return value;
}

// ",800", ".832123" at `at`; moves behind it.
double fraction_at(std::string_view text, std::size_t& at) {
  if (at >= text.size() || (text[at] != '.' && text[at] != ',')) return 0;
  double value = 0;
  double place = 0.1;
  std::size_t end = at + 1;
  for (; end < text.size() && is_digit(text[end]); ++end) {
    value += place * (text[end] - '0');
    place /= 10;
  }
  if (end > at + 1) at = end;
  return value;
}

// "Z", "+02:00", "-0800": seconds east of UTC.
double zone_at(std::string_view text, std::size_t at) {
  if (at >= text.size() || (text[at] != '+' && text[at] != '-')) return 0;
  const auto hours = digits_at(text, at + 1, 2);
  const std::size_t colon = at + 3 < text.size() && text[at + 3] == ':' ? 1 : 0;
  const auto minutes = digits_at(text, at + 3 + colon, 2);
  if (!hours || !minutes || *hours > 14 || *minutes > 59) return 0;
  return (text[at] == '-' ? -1 : 1) * (*hours * 3600.0 + *minutes * 60.0);
}

// A date whose year starts at `at`.
std::optional<double> date_at(std::string_view text, std::size_t at) {
  if (at + 19 > text.size() || text[at + 7] != '-' || text[at + 13] != ':' || text[at + 16] != ':' ||
      (text[at + 10] != ' ' && text[at + 10] != 'T'))
    return std::nullopt;
  const auto year = digits_at(text, at, 4);
  const auto month = digits_at(text, at + 5, 2);
  const auto day = digits_at(text, at + 8, 2);
  const auto hour = digits_at(text, at + 11, 2);
  const auto minute = digits_at(text, at + 14, 2);
  const auto second = digits_at(text, at + 17, 2);
  if (!year || !month || !day || !hour || !minute || !second) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  // A clock that was never set prints dates near 1970.
  if (!date.ok() || *year < 2010 || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
  const auto days = std::chrono::sys_days(date).time_since_epoch().count();
  std::size_t end = at + 19;
  const double fraction = fraction_at(text, end);
  return static_cast<double>(days) * 86400.0 + *hour * 3600.0 + *minute * 60.0 + *second + fraction -
         zone_at(text, end);
}

// The place behind a word that stands by itself, at `from` or later.
std::size_t end_of_word(std::string_view text, std::string_view word, std::size_t from) {
  for (std::size_t at = find_text(text, word, from); at != kNowhere; at = find_text(text, word, at + 1)) {
    if (at > 0 && is_word(text[at - 1])) continue;
    const std::size_t end = at + word.size();
    if (end < text.size() && !is_word(text[end]) && text[end] != '/') return end;
  }
  return kNowhere;
}

std::optional<int> rank_number(std::string_view text, std::size_t at) {
  while (at < text.size() && (text[at] == ' ' || text[at] == '=')) ++at;
  if (at >= text.size() || !is_digit(text[at])) return std::nullopt;
  int value = 0;
  for (; at < text.size() && is_digit(text[at]) && value < 1'000'000; ++at)
    value = 10 * value + (text[at] - '0');
  return value;
}

}  // namespace

// Bytes that equal the part's first and, that far on, its last are candidates: sixteen places at a time. On
// the short lines of a log memmem takes four times as long.
std::size_t find_text(std::string_view text, std::string_view part, std::size_t from) {
#ifdef __SSE2__
  constexpr std::size_t kWidth = 16;
  if (part.size() >= 2 && from < text.size() && text.size() - from >= kWidth + part.size() - 1) {
    const __m128i first = _mm_set1_epi8(part.front());
    const __m128i last = _mm_set1_epi8(part.back());
    const std::size_t last_block = text.size() - kWidth - (part.size() - 1);
    for (std::size_t at = from;; at += kWidth) {
      if (at > last_block) at = last_block;  // overlaps the block before
      const char* const block = text.data() + at;
      const auto firsts = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block));
      const auto lasts = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + part.size() - 1));
      auto candidates = static_cast<unsigned>(
          _mm_movemask_epi8(_mm_and_si128(_mm_cmpeq_epi8(firsts, first), _mm_cmpeq_epi8(lasts, last))));
      for (; candidates != 0; candidates &= candidates - 1) {
        const auto offset = static_cast<std::size_t>(std::countr_zero(candidates));
        if (std::memcmp(block + offset + 1, part.data() + 1, part.size() - 2) == 0) return at + offset;
      }
      if (at == last_block) return kNowhere;
    }
  }
#endif
  return text.find(part, from);
}

std::optional<ScannedNumber> scan_number(std::string_view text, std::size_t at) {
  while (at < text.size() && text[at] == ' ') ++at;
  if (at < text.size() && text[at] == '+') ++at;
  if (at >= text.size()) return std::nullopt;
  const char first = text[at];
  if (!is_digit(first) && first != '-' && first != '.') return std::nullopt;  // also nan and inf
  std::optional<ScannedNumber> number = scan_plain(text, at);
  if (!number) {
    double value = 0;
    const auto read = fast_float::from_chars(text.data() + at, text.data() + text.size(), value);
    if (read.ec != std::errc() || !std::isfinite(value)) return std::nullopt;
    number = {value, static_cast<std::size_t>(read.ptr - text.data())};
  }
  if (number->end < text.size() && text[number->end] == ',' && number->end - at <= 3 && is_digit(first)) {
    if (const auto grouped = scan_grouped(text, at)) return grouped;
  }
  return number;
}

std::optional<double> number_at(std::string_view text, std::size_t at) {
  const auto number = scan_number(text, at);
  return number ? std::optional(number->value) : std::nullopt;
}

std::optional<double> number_behind(std::string_view text, std::string_view key) {
  const std::size_t at = find_text(text, key);
  return at == kNowhere ? std::nullopt : number_at(text, at + key.size());
}

std::optional<std::int64_t> count_behind(std::string_view text, std::string_view key) {
  const auto number = number_behind(text, key);
  if (!number || *number < 0 || *number > kLargestCount || *number != std::floor(*number))
    return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

std::optional<double> number_of_word(std::string_view text, std::string_view word) {
  for (std::size_t end = end_of_word(text, word, 0); end != kNowhere; end = end_of_word(text, word, end)) {
    std::size_t behind = end;
    while (behind < text.size() && std::strchr(" :='\"|", text[behind]) != nullptr) ++behind;
    if (const auto number = number_at(text, behind)) return number;
  }
  return std::nullopt;
}

bool has_word(std::string_view text, std::string_view word) {
  return end_of_word(text, word, 0) != kNowhere;
}

bool is_nan_behind(std::string_view text, std::string_view key) {
  std::size_t at = find_text(text, key);
  if (at == kNowhere) return false;
  at += key.size();
  while (at < text.size() && std::strchr(" :='\"", text[at]) != nullptr) ++at;
  return at + 3 <= text.size() && (text[at] | 0x20) == 'n' && (text[at + 1] | 0x20) == 'a' &&
         (text[at + 2] | 0x20) == 'n';
}

std::optional<double> stamp_of(std::string_view text) {
  text = text.substr(0, kStampReach);
  for (std::size_t dash = text.find('-'); dash != kNowhere; dash = text.find('-', dash + 1)) {
    if (dash < 4 || !is_digit(text[dash - 1]) || (dash > 4 && is_digit(text[dash - 5]))) continue;
    if (const auto stamp = date_at(text, dash - 4)) return stamp;
  }
  return std::nullopt;
}

int rank_of(std::string_view text) {
  text = text.substr(0, kRankReach);
  std::size_t front = 0;
  while (front < text.size() && front < 4 && is_digit(text[front])) ++front;
  // `srun -l` and `mpirun -tag-output` put the rank first.
  if (front > 0 && front + 1 < text.size() && text[front] == ':' && text[front + 1] == ' ')
    return rank_number(text, 0).value_or(-1);
  constexpr std::string_view kTorchrun = "[default";
  if (text.starts_with(kTorchrun)) return rank_number(text, kTorchrun.size()).value_or(-1);
  for (std::size_t at = find_text(text, "ank"); at != kNowhere; at = find_text(text, "ank", at + 1)) {
    const std::size_t end = at + 3;
    if (at == 0 || (text[at - 1] | 0x20) != 'r') continue;
    const bool opened = at > 1 && (text[at - 2] == '[' || text[at - 2] == '(');
    const bool assigned = end < text.size() && text[end] == '=';
    if (!opened && !assigned) continue;
    if (const auto rank = rank_number(text, end)) return *rank;
  }
  return -1;
}

std::optional<double> clock_span(std::string_view text) {
  double seconds = 0;
  int parts = 0;
  std::size_t at = 0;
  while (parts < 4 && at < text.size() && is_digit(text[at])) {
    double part = 0;
    for (; at < text.size() && is_digit(text[at]); ++at) part = 10 * part + (text[at] - '0');
    if (part > kLargestCount) return std::nullopt;
    seconds = 60 * seconds + part;
    ++parts;
    if (at >= text.size() || text[at] != ':') break;
    ++at;
  }
  if (parts < 2 || parts > 3) return std::nullopt;
  return seconds;
}

}  // namespace wattflex::logs
