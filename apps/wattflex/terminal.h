// How many characters a line of a stream holds.
#pragma once

#include <cstddef>

namespace wattflex::app {

// COLUMNS where it is set to a number, else the terminal's width, else 100 (files, pipes); never below 20.
std::size_t line_width(int descriptor);

}  // namespace wattflex::app
