#include "apps/wattflex/option_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace wattflex::app {
namespace {

// Positional options have names in capitals.
std::string dashed(std::string_view name) {
  return (std::isupper(static_cast<unsigned char>(name.front())) != 0 ? "" : "--") + std::string(name);
}

// "mix=both" is --mix both.
struct OtherOption {
  explicit OtherOption(std::string_view text)
      : name(text.substr(0, text.find('='))),
        value(text.contains('=') ? text.substr(text.find('=') + 1) : std::string_view()) {}

  bool is_in(const Values& values) const {
    const auto found = values.find(name);
    return found != values.end() &&
           (value.empty() || std::ranges::find(found->second, value) != found->second.end());
  }
  std::string written() const { return fmt::format("{}{}{}", dashed(name), value.empty() ? "" : " ", value); }

  std::string_view name;
  std::string_view value;
};

// What stands on the command line and cannot go with the rule's option, which stands anywhere.
std::optional<OtherOption> contradiction(const OptionRule& rule, const Values& written,
                                         const Values& values) {
  if (rule.relation != OptionRule::Relation::not_with || !values.contains(rule.option)) return std::nullopt;
  for (const std::string_view text : rule.others) {
    if (const OtherOption other(text); other.is_in(written)) return other;
  }
  return std::nullopt;
}

Result<void> check_rule(const Verb& verb, const OptionRule& rule, const Values& written,
                        const Values& values) {
  if (rule.relation == OptionRule::Relation::not_with) {
    const auto other = contradiction(rule, written, values);
    if (!other) return {};
    return fail(ErrorKind::usage, fmt::format("--{} takes no {}", rule.option, other->written()),
                fmt::format("leave one of them out; 'wattflex {} --help' says what each is for", verb.name));
  }
  const OtherOption option(rule.option);
  if (!option.is_in(written)) return {};
  std::vector<std::string> wanted;
  for (const std::string_view text : rule.others) {
    const OtherOption other(text);
    if (other.is_in(values)) return {};
    wanted.push_back(other.written());
  }
  const std::string any = fmt::format("{}", fmt::join(wanted, " or "));
  return fail(ErrorKind::usage, fmt::format("{} means nothing without {}", option.written(), any),
              fmt::format("add {} or leave {} out", any, option.written()));
}

// A word in the place of a file: a limit, a choice, a name.
bool names_other_word(const Option& option) {
  return option.placeholder.contains('|') || option.placeholder == "NAME";
}

bool names_file(const Option& option) {
  constexpr std::array kFiles = {"FILE", "DIR", "FLEET", "MODEL"};
  if (is_positional(option)) return !names_other_word(option);
  return std::ranges::find(kFiles, option.placeholder) != kFiles.end();
}

// FILE and DIR behind an option are written.
bool names_input(const Option& option) {
  if (is_positional(option)) return !names_other_word(option);
  return option.placeholder == "FLEET" || option.placeholder == "MODEL";
}

bool is_standard_input(std::string_view path) {
  constexpr std::array kNames = {"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"};
  return std::ranges::find(kNames, path) != kNames.end();
}

Result<void> check_files(const Verb& verb, const Values& values) {
  std::string reads_standard_input;
  for (const Option& option : options_of(verb)) {
    const auto found = values.find(plain_name(option));
    if (found == values.end() || !names_file(option)) continue;
    for (const std::string& path : found->second) {
      if (auto checked = check_file_name(option, path); !checked) return checked;
      if (!names_input(option) || !is_standard_input(path)) continue;
      if (!reads_standard_input.empty())
        return fail(ErrorKind::usage,
                    fmt::format("{} and {}: standard input can be read only once", reads_standard_input,
                                dashed(plain_name(option))),
                    "write one of them to a file and name that");
      reads_standard_input = dashed(plain_name(option));
    }
  }
  return {};
}

}  // namespace

Result<void> check_file_name(const Option& option, std::string_view value) {
  if (!value.empty() || !names_file(option)) return {};
  return fail(ErrorKind::usage, fmt::format("{}: the file name is empty", dashed(plain_name(option))),
              is_positional(option) ? "name a file; - is standard input" : "name one or leave it out");
}

void pass_over(const Verb& verb, const Values& written, Values& values) {
  for (const OptionRule& rule : verb.rules) {
    if (!written.contains(rule.option) && contradiction(rule, written, values))
      values.erase(std::string(rule.option));
  }
}

Result<void> check_together(const Verb& verb, const Values& written, const Values& values) {
  for (const OptionRule& rule : verb.rules) {
    if (auto checked = check_rule(verb, rule, written, values); !checked) return checked;
  }
  return check_files(verb, values);
}

}  // namespace wattflex::app
