// The words of a verb's command line as its table gives them: the options it takes with those every verb
// takes, their names in flags, environment and settings file, and the nearest word to a mistyped one.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/wattflex/verb.h"

namespace wattflex::app {

// Texts by plain option name; an option nobody set has no entry.
using Values = std::map<std::string, std::vector<std::string>, std::less<>>;

// What every verb takes. `--format` has the short name -o unless the verb's own -o names a file.
std::vector<Option> common_options(const Verb& verb);
// The verb's own options, then the common ones.
std::vector<Option> options_of(const Verb& verb);

// "-m,--model" -> "model"; "TABLE" -> "TABLE".
std::string plain_name(const Option& option);
// "WATTFLEX_MODEL".
std::string environment_name(const Option& option);
// "-m, --model FILE".
std::string usage_of(const Option& option);
bool is_positional(const Option& option);
// "table|json|csv" -> the three words; nothing where the placeholder stands for any value.
std::vector<std::string_view> choices_of(const Option& option);
// Refuses a value that is none of the option's choices.
Result<void> check_choice(const Option& option, std::string_view value);
// Refuses an empty or doubled value of an option that takes several.
Result<void> check_list(const Option& option, std::span<const std::string> values);

// "true" or "false" from what the environment says of a flag; nothing where it is neither.
std::optional<bool> parse_switch(std::string_view text);
// Whether a message is about the option: "--seed: ...".
bool is_about(const Error& error, std::string_view plain_name);

// The word a mistyped one was meant to be, when one is near enough.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> words);
// "did you mean 'plan'?", or `otherwise`.
std::string suggestion(std::string_view word, std::span<const std::string> words, std::string_view otherwise);

}  // namespace wattflex::app
