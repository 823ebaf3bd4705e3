// Plain decimals ("431.25", "-7") to doubles, the same bit for bit as std::from_chars and several times as
// fast on the 16 to 18 digits that programs print. Not for exponents, signs '+', NaN or more than 19 digits.
//
// A number of `digits` d and k places is d / 10^k. With d < 2^64 shifted to its top bit and 10^-k as a
// rounded down 128-bit factor r 2^-s, the product d r is below the true value by less than 2^64 of its 192
// bits; its upper 128 bits hold 53 for the double and at least 73 that say how to round. Only when these are
// within 2 of one half can the error matter; then, as for all it does not know, there is no result (the
// method of Lemire, "Number parsing at a gigabyte per second", Software: Practice and Experience 51, 2021).
#pragma once

#include <optional>
#include <string_view>

namespace wattflex {

// Nothing where std::from_chars has to be asked.
std::optional<double> read_plain_decimal(std::string_view text);

}  // namespace wattflex
