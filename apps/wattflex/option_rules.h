// What a command line says as a whole: options that do not go together, file names that are empty, standard
// input named twice. What one value is worth is its verb's business.
#pragma once

#include "apps/wattflex/grammar.h"

namespace wattflex::app {

// Refuses an empty name of a file or folder.
Result<void> check_file_name(const Option& option, std::string_view value);

// Takes out of `values` what environment or settings file say and what `written` contradicts.
void pass_over(const Verb& verb, const Values& written, Values& values);

// `written` stood on the command line; `values` has environment, settings file and defaults besides.
Result<void> check_together(const Verb& verb, const Values& written, const Values& values);

}  // namespace wattflex::app
