// From argv to a running verb: parses by the verb tables, merges environment and defaults, prints errors and
// turns results into exit statuses (0 done, 1 not or partly done or not all of `out` written, 2 usage).
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

namespace wattflex::app {

struct Streams {
  std::ostream& out;
  std::ostream& err;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  std::size_t out_width = static_cast<std::size_t>(-1);  // characters a line; by itself no line is broken
  std::size_t err_width = static_cast<std::size_t>(-1);
};

// `arguments` without the program's name.
int run_command_line(std::vector<std::string> arguments, Streams streams);

}  // namespace wattflex::app
