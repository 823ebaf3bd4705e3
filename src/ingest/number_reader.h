// Reads the numbers of one file, in the C locale whatever the process's is, and says what is wrong with those
// it refuses. Where ';' or tabs separate cells, a decimal comma is accepted when the file leaves no doubt:
// "12,5" can only be one, "1,234" may be a thousands mark and counts as a decimal comma only if another cell
// of the file proves it. Points and commas as decimal marks are never mixed.
#pragma once

#include <string_view>

namespace wattflex::ingest {

enum class NumberFault {
  none,
  empty,
  not_finite,      // NaN, infinity
  out_of_range,    // "1e400" (kLargestNumber, base/parse.h)
  not_available,   // "N/A", "[Not Supported]", "-": how tools write a missing reading
  thousands_mark,  // "1,234.5", "1 234", "1'234"
  decimal_comma,   // where it cannot be one: separator ',', or points used elsewhere in the file
  unit,            // "450 W"
  not_a_number,
};

class NumberReader {
 public:
  explicit NumberReader(char separator) : comma_possible_(separator != ',') {}

  // The number; 0 and a fault otherwise.
  double read(std::string_view cell, NumberFault& fault);

  bool uses_decimal_comma() const { return mark_ == Mark::comma; }
  // A number like "1,234" was read as 1.234 and nothing yet proves that the file writes decimal commas.
  bool comma_in_doubt() const { return mark_ == Mark::comma_in_doubt; }

 private:
  enum class Mark { unknown, point, comma_in_doubt, comma };

  double read_odd(std::string_view cell, NumberFault& fault);
  double read_comma(std::string_view cell, NumberFault& fault);

  bool comma_possible_;
  Mark mark_ = Mark::unknown;
};

}  // namespace wattflex::ingest
