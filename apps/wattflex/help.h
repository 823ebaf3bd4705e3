// The texts of --help, from the verb tables.
#pragma once

#include <string>

#include "apps/wattflex/verb.h"

namespace wattflex::app {

enum class Style { plain, terminal };

std::string program_help(Style style);
std::string verb_help(const Verb& verb, Style style);
// "wattflex plan [OPTION...] TABLE".
std::string usage_line(const Verb& verb);

}  // namespace wattflex::app
