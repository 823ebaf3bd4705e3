// The texts made from the verb tables: nothing here knows a verb, and no page is written by hand.
#pragma once

#include <string>
#include <string_view>

#include "apps/wattflex/verb.h"

namespace wattflex::app {

// docs/reference/<verb>.md and its README.md, which lists them.
std::string reference_page(const Verb& verb);
std::string reference_index();

// roff for wattflex.1 and wattflex-<verb>.1.
std::string manual_page(const Verb& verb, std::string_view version);
std::string program_manual_page(std::string_view version);

std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

}  // namespace wattflex::app
