// Small readings out of a log line: the number behind a key, a date, a rank. All are linear in the line, know
// no locale, and give nothing rather than a guess.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace wattflex::logs {

// Where a text is not found.
inline constexpr std::size_t kNowhere = std::string_view::npos;

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// As std::string_view::find, and faster on lines of a log's length.
std::size_t find_text(std::string_view text, std::string_view part, std::size_t from = 0);
inline bool has_text(std::string_view text, std::string_view part) {
  return find_text(text, part) != kNowhere;
}

struct ScannedNumber {
  double value = 0;     // finite
  std::size_t end = 0;  // the byte behind it
};

// The number that starts at `at` (spaces are passed over): "12", "1.5e3", "1,234,567". NaN and infinity are
// no numbers here.
std::optional<ScannedNumber> scan_number(std::string_view text, std::size_t at);
std::optional<double> number_at(std::string_view text, std::size_t at);
// The number behind `key`, which is written with its separator: "tps: ".
std::optional<double> number_behind(std::string_view text, std::string_view key);
// A whole number of at most 15 digits.
std::optional<std::int64_t> count_behind(std::string_view text, std::string_view key);
// The number behind a word that stands by itself, over any of " :='\"": {'tok_s': 5.0}, step=5, step 5.
std::optional<double> number_of_word(std::string_view text, std::string_view word);
// Whether such a word is there, whatever stands behind it.
bool has_word(std::string_view text, std::string_view word);
// Whether NaN stands behind the key.
bool is_nan_behind(std::string_view text, std::string_view key);

// "2023-04-18 01:50:57,800", "2025-01-02T15:45:26.832Z", also with an offset: Unix seconds. Without a zone
// the date is read as UTC. Only the first 200 bytes are looked at.
std::optional<double> stamp_of(std::string_view text);
// "[rank3]", "[Rank 3]", "[default3]:", "(rank 3)", and "3: " at the start; -1 where there is none.
int rank_of(std::string_view text);
// "1:02:03", "02:03": seconds.
std::optional<double> clock_span(std::string_view text);

}  // namespace wattflex::logs
