// The words behind the verb, sorted by option. Only what was written: environment, settings file and defaults
// are merged later (command_line.cpp).
#pragma once

#include <string>
#include <vector>

#include "apps/wattflex/grammar.h"

namespace wattflex::app {

// Refuses unknown options, missing values, options given twice and too many positional words. Values stay as
// written ("10%,25%" is one value); a list option takes one value each time it is given; after "--"
// everything is positional.
Result<Values> parse_invocation(const Verb& verb, std::vector<std::string> words);

}  // namespace wattflex::app
