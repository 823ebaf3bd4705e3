// What a verb is: a table of its options, examples and JSON fields, and the function that runs it. The
// command line, --help, man pages, completion and docs/reference are all made from these tables.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace wattflex::app {

class Arguments;
class Console;

enum class Takes { value, flag, list };

struct Option {
  std::string_view name;         // "--cut", "-m,--model", or "TABLE" for a positional one
  std::string_view placeholder;  // "PERCENT", "FILE"; empty for a flag
  std::string_view fallback;     // value when neither flag, environment nor file sets it; empty: none
  std::string_view help;
  Takes takes = Takes::value;
  bool required = false;
};

struct Example {
  std::string_view command;
  std::string_view meaning;
};

// One documented key of the JSON output: "groups[].pfi".
struct JsonField {
  std::string_view path;
  std::string_view unit;  // "W", "1", "s"; empty for text
  std::string_view meaning;
};

// Which options go together. A verb that would not look at an option refuses it on the command line; in the
// environment and the settings file it may stand, as a default for other runs: there it is passed over.
struct OptionRule {
  enum class Relation { not_with, only_with };
  std::string_view option;  // plain name; of not_with, one without a default; of only_with also "floor=tier"
  Relation relation;
  std::vector<std::string_view> others;  // plain names; "mix=both" is that value of --mix
};

enum class Outcome { done, partial };  // exit status 0 and 1

struct Verb {
  std::string_view name;
  std::string_view summary;  // one line, as in `wattflex --help`
  std::string_view details;  // a paragraph or two
  std::vector<Option> options;
  std::vector<Example> examples;
  std::vector<JsonField> json_fields;
  Result<Outcome> (*run)(const Arguments&, Console&);
  // Refuses option values that no input makes right; tells them by their option ("--seed: ...").
  Result<void> (*check)(const Arguments&) = nullptr;
  std::vector<OptionRule> rules;
};

// For Verb::check: the function with which the verb reads its options.
template <auto Read>
Result<void> can_read(const Arguments& arguments) {
  const auto read = Read(arguments);
  return read ? Result<void>() : std::unexpected(read.error());
}

// In the order of `wattflex --help`.
std::span<const Verb* const> all_verbs();
const Verb* find_verb(std::string_view name);

}  // namespace wattflex::app
