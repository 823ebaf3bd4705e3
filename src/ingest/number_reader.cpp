#include "ingest/number_reader.h"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <system_error>

#include "base/parse.h"

namespace wattflex::ingest {
namespace {

constexpr std::size_t kLongestNumber = 64;  // longer ones are no measurements

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

NumberFault word_fault(std::string_view cell) {
  std::string word = lower_case(cell.substr(0, kLongestNumber));
  if (word.starts_with('[') && word.ends_with(']')) word = word.substr(1, word.size() - 2);
  for (const char* missing : {"n/a", "na", "-", "--", "none", "null", "not supported", "not available"}) {
    if (word == missing) return NumberFault::not_available;
  }
  if (word.starts_with('+') || word.starts_with('-')) word.erase(0, 1);
  for (const char* endless : {"nan", "inf", "infinity"}) {
    if (word == endless) return NumberFault::not_finite;
  }
  return NumberFault::not_a_number;
}

// Digits in groups of three between `mark`s, as in 1,234 or 12'345.67.
bool has_thousands_marks(std::string_view cell, std::string_view mark) {
  const std::size_t first = cell.find(mark);
  if (first == std::string_view::npos || first == 0 || first > 3) return false;
  std::size_t at = first;
  while (cell.substr(at).starts_with(mark)) {
    at += mark.size();
    for (int i = 0; i < 3; ++i, ++at) {
      if (at >= cell.size() || !is_digit(cell[at])) return false;
    }
  }
  return at == cell.size() || cell[at] == '.' || cell[at] == ',';
}

bool has_any_thousands_mark(std::string_view cell) {
  for (const char* mark : {",", "'", " ", "_", "\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x99"}) {
    if (has_thousands_marks(cell, mark)) return true;
  }
  // 1.234,5 and 1.234.567
  return has_thousands_marks(cell, ".") && std::ranges::count(cell, '.') + std::ranges::count(cell, ',') > 1;
}

// Number, then letters: "450 W", "12%".
bool has_unit(std::string_view cell) {
  const std::size_t digits = cell.find_last_of("0123456789");
  if (digits == std::string_view::npos || digits + 1 == cell.size() || !is_digit(cell.front())) return false;
  const std::size_t letter = cell.find_first_not_of("0123456789.,+-eE");
  return letter != std::string_view::npos && letter > digits;
}

// As std::from_chars, and inlined: a large part of the time of a table goes into this.
bool is_plain(std::string_view cell, double& value) {
  const char* const end = cell.data() + cell.size();
  const auto [stop, error] = fast_float::from_chars(cell.data(), end, value);
  if (error != std::errc() || stop != end || !(std::abs(value) <= kLargestNumber)) return false;
  // fast_float takes what is too small for a double as 0; std::from_chars refuses it.
  return value != 0 || std::from_chars(cell.data(), end, value).ec == std::errc();
}

}  // namespace

double NumberReader::read(std::string_view cell, NumberFault& fault) {
  double value = 0;
  if (!is_plain(cell, value)) return read_odd(cell, fault);
  if (comma_possible_ && cell.contains('.')) {
    if (mark_ == Mark::comma || mark_ == Mark::comma_in_doubt) {
      fault = NumberFault::decimal_comma;
      return 0;
    }
    mark_ = Mark::point;
  }
  fault = NumberFault::none;
  return value;
}

double NumberReader::read_odd(std::string_view cell, NumberFault& fault) {
  fault = NumberFault::none;
  if (cell.empty()) return fault = NumberFault::empty, 0;
  if (cell.size() > kLongestNumber) return fault = NumberFault::not_a_number, 0;
  const auto number = parse_number(cell);
  if (number) return *number;  // with a leading '+'
  if (number.error() == NumberProblem::out_of_range) return fault = NumberFault::out_of_range, 0;
  if (cell.contains(',')) return read_comma(cell, fault);
  if (has_any_thousands_mark(cell)) {
    fault = NumberFault::thousands_mark;
  } else {
    fault = has_unit(cell) ? NumberFault::unit : word_fault(cell);
  }
  return 0;
}

double NumberReader::read_comma(std::string_view cell, NumberFault& fault) {
  const bool one_mark = std::ranges::count(cell, ',') == 1 && !cell.contains('.');
  std::string with_point(cell);
  std::ranges::replace(with_point, ',', '.');
  const auto value = one_mark ? parse_number(with_point) : std::unexpected(NumberProblem::malformed);
  const bool in_doubt = has_any_thousands_mark(cell) && !cell.starts_with('0');
  if (!value && value.error() == NumberProblem::out_of_range) return fault = NumberFault::out_of_range, 0;
  if (!value) {
    fault = in_doubt ? NumberFault::thousands_mark
                     : (has_unit(cell) ? NumberFault::unit : NumberFault::not_a_number);
    return 0;
  }
  if (!comma_possible_ || mark_ == Mark::point) {
    fault = in_doubt ? NumberFault::thousands_mark : NumberFault::decimal_comma;
    return 0;
  }
  if (!in_doubt) {
    mark_ = Mark::comma;
  } else if (mark_ != Mark::comma) {
    mark_ = Mark::comma_in_doubt;
  }
  return *value;
}

}  // namespace wattflex::ingest
