#include "apps/wattflex/grammar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/parse.h"

namespace wattflex::app {
namespace {

// Levenshtein: insertions, deletions and replacements from one word to the other.
std::size_t distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = i;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t replaced = diagonal + (from[i - 1] == to[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

bool own_short_o(const Verb& verb) {
  return std::ranges::any_of(verb.options,
                             [](const Option& option) { return option.name.starts_with("-o,"); });
}

}  // namespace

std::vector<Option> common_options(const Verb& verb) {
  return {
      {own_short_o(verb) ? "--format" : "-o,--format", "table|json|csv", "table",
       "how the result is printed"},
      {"-q,--quiet", "", "", "no warnings and no progress on standard error", Takes::flag},
      {"--config", "FILE", "", "settings file instead of /etc/wattflex/wattflex.toml"},
      {"-h,--help", "", "", "this text", Takes::flag},
  };
}

std::vector<Option> options_of(const Verb& verb) {
  std::vector<Option> options = verb.options;
  std::ranges::copy(common_options(verb), std::back_inserter(options));
  return options;
}

std::string plain_name(const Option& option) {
  std::string_view name = option.name;
  name.remove_prefix(name.rfind(',') + 1);  // npos + 1 is 0
  name.remove_prefix(std::min(name.find_first_not_of('-'), name.size()));
  return std::string(name);
}

std::string environment_name(const Option& option) {
  std::string name = "WATTFLEX_" + plain_name(option);
  for (char& c : name) c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

std::string usage_of(const Option& option) {
  std::string text = fmt::format("{}", fmt::join(split(option.name, ','), ", "));
  if (!option.placeholder.empty() && !is_positional(option)) text += fmt::format(" {}", option.placeholder);
  return text;
}

bool is_positional(const Option& option) {
  return !option.name.starts_with('-');
}

std::vector<std::string_view> choices_of(const Option& option) {
  const auto is_word = [](char c) {
    return c == '|' || c == '-' || std::islower(static_cast<unsigned char>(c)) != 0;
  };
  if (!option.placeholder.contains('|') || !std::ranges::all_of(option.placeholder, is_word)) return {};
  return split(option.placeholder, '|');
}

Result<void> check_choice(const Option& option, std::string_view value) {
  const auto choices = choices_of(option);
  if (choices.empty()) return {};
  if (std::ranges::find(choices, value) != choices.end()) return {};
  const std::vector<std::string> words(choices.begin(), choices.end());
  return fail(ErrorKind::usage, fmt::format("--{}: '{}' is not a choice", plain_name(option), value),
              suggestion(value, words, fmt::format("choose from {}", fmt::join(words, ", "))));
}

Result<void> check_list(const Option& option, std::span<const std::string> values) {
  if (option.takes != Takes::list) return {};
  const std::string name = (is_positional(option) ? "" : "--") + plain_name(option);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].empty())
      return fail(ErrorKind::usage, fmt::format("{}: a value is empty", name), "name one or leave it out");
    if (std::ranges::find(values.first(i), values[i]) != values.first(i).end())
      return fail(ErrorKind::usage, fmt::format("{}: '{}' is there twice", name, values[i]), "name it once");
  }
  return {};
}

std::optional<bool> parse_switch(std::string_view text) {
  for (const char* const yes : {"true", "1", "yes", "on"}) {
    if (text == yes) return true;
  }
  for (const char* const no : {"false", "0", "no", "off"}) {
    if (text == no) return false;
  }
  return std::nullopt;
}

bool is_about(const Error& error, std::string_view plain_name) {
  std::string_view text = error.message;
  if (!text.starts_with("--")) return false;
  text.remove_prefix(2);
  if (!text.starts_with(plain_name)) return false;
  text.remove_prefix(plain_name.size());
  return text.starts_with(':') || text.starts_with(' ');
}

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> words) {
  const auto by_distance = [&](const std::string& other) { return distance(word, other); };
  const auto found = std::ranges::min_element(words, {}, by_distance);
  // A third of the letters wrong is a typing mistake; more is another word.
  const bool near = found != words.end() && by_distance(*found) <= std::max<std::size_t>(1, word.size() / 3);
  return near ? std::optional(*found) : std::nullopt;
}

std::string suggestion(std::string_view word, std::span<const std::string> words,
                       std::string_view otherwise) {
  const auto found = nearest(word, words);
  return found ? fmt::format("did you mean '{}'?", *found) : std::string(otherwise);
}

}  // namespace wattflex::app
