#include "apps/wattflex/invocation.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cassert>
#include <memory>

namespace wattflex::app {
namespace {

// What CLI11 found for one option.
struct Slot {
  Option option;
  std::vector<std::string> values;
  bool flag = false;
};

// CLI11 keeps references into them.
using Slots = std::vector<std::unique_ptr<Slot>>;

void bind(CLI::App& parser, Slot& slot) {
  if (slot.option.takes == Takes::flag) {
    parser.add_flag(std::string(slot.option.name), slot.flag);
    return;
  }
  CLI::Option* const added = parser.add_option(std::string(slot.option.name), slot.values);
  // One value each time, so that a list option never swallows the table's name; commas and brackets are the
  // values' own.
  added->allow_extra_args(false);
  added->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  added->delimiter('\0');
}

std::vector<std::string> option_names(const Verb& verb) {
  std::vector<std::string> names;
  for (const Option& option : options_of(verb)) {
    if (!is_positional(option)) names.push_back("--" + plain_name(option));
  }
  return names;
}

std::string see_help(const Verb& verb) {
  return fmt::format("'wattflex {} --help' lists them", verb.name);
}

// The words that belong to no option; refuses those that look like one.
Result<std::vector<std::string>> positional_words(const Verb& verb, const std::vector<std::string>& rest) {
  std::vector<std::string> words;
  bool only_positional = false;
  for (const std::string& word : rest) {
    if (!only_positional && word == "--") {
      only_positional = true;
    } else if (!only_positional && word.size() > 1 && word.starts_with('-')) {
      const std::string name = word.substr(0, word.find('='));
      return fail(ErrorKind::usage, fmt::format("no option '{}'", name),
                  suggestion(name, option_names(verb), see_help(verb)));
    } else {
      words.push_back(word);
    }
  }
  return words;
}

// Hands the words to the positional options in order; a list takes all that are left.
Result<void> assign_positional(const Verb& verb, std::vector<std::string> words, Values& values) {
  auto next = words.begin();
  for (const Option& option : verb.options) {
    if (!is_positional(option) || next == words.end()) continue;
    const auto end = option.takes == Takes::list ? words.end() : next + 1;
    values[plain_name(option)].assign(next, end);
    next = end;
  }
  if (next == words.end()) return {};
  return fail(ErrorKind::usage, fmt::format("'{}' is one word too many", *next),
              fmt::format("quote words with spaces; 'wattflex {} --help' shows the usage", verb.name));
}

Result<void> take(const Slot& slot, Values& values) {
  const std::string name = plain_name(slot.option);
  if (slot.flag) values[name] = {"true"};
  if (slot.values.empty()) return {};
  if (slot.option.takes == Takes::value && slot.values.size() > 1) {
    return fail(ErrorKind::usage,
                fmt::format("--{} is given {} times ('{}')", name, slot.values.size(),
                            fmt::join(slot.values, "', '")),
                "give it once");
  }
  values[name] = slot.values;
  return {};
}

}  // namespace

Result<Values> parse_invocation(const Verb& verb, std::vector<std::string> words) {
  CLI::App parser;
  parser.set_help_flag();  // --help is an option like any other here
  parser.allow_extras();
  Slots slots;
  for (const Option& option : options_of(verb)) {
    if (is_positional(option)) continue;
    slots.push_back(std::make_unique<Slot>(Slot{option, {}, false}));
    bind(parser, *slots.back());
  }
  try {
    std::ranges::reverse(words);  // CLI11 takes them last first
    parser.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    return fail(ErrorKind::usage, error.what(), see_help(verb));
  }
  Values values;
  for (const auto& slot : slots) {
    if (auto taken = take(*slot, values); !taken) return std::unexpected(taken.error());
  }
  const auto positional = positional_words(verb, parser.remaining());
  if (!positional) return std::unexpected(positional.error());
  if (auto assigned = assign_positional(verb, *positional, values); !assigned)
    return std::unexpected(assigned.error());
  return values;
}

}  // namespace wattflex::app
