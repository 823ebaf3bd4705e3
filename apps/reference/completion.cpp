#include <fmt/format.h>

#include <algorithm>

#include "apps/reference/pages.h"
#include "apps/wattflex/grammar.h"

namespace wattflex::app {
namespace {

// {"-o", "--format"}.
std::vector<std::string_view> flags_of(const Option& option) {
  std::vector<std::string_view> flags;
  std::string_view rest = option.name;
  for (std::size_t comma = rest.find(','); comma != std::string_view::npos; comma = rest.find(',')) {
    flags.push_back(rest.substr(0, comma));
    rest.remove_prefix(comma + 1);
  }
  flags.push_back(rest);
  return flags;
}

// Inside single quotes, as bash, zsh and fish take it.
std::string quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::string verb_names() {
  std::string names;
  for (const Verb* const verb : all_verbs()) names += std::string(verb->name) + ' ';
  return names;
}

// One line of bash's `case`: what follows VERB, or VERB and an option with choices.
std::string bash_options(const Verb& verb) {
  std::string flags;
  for (const Option& option : options_of(verb)) {
    if (!is_positional(option)) flags += fmt::format("{} ", fmt::join(flags_of(option), " "));
  }
  return fmt::format("    {}:) words={} ;;\n", verb.name, quoted(flags));
}

std::string bash_choices(const Verb& verb) {
  std::string lines;
  for (const Option& option : options_of(verb)) {
    if (choices_of(option).empty()) continue;
    for (const std::string_view flag : flags_of(option)) {
      lines += fmt::format("    {}:{}) words={} ;;\n", verb.name, flag,
                           quoted(fmt::format("{}", fmt::join(choices_of(option), " "))));
    }
  }
  return lines;
}

// "'(-o --format)'{-o,--format}'[help]:TABLE:_files'" for zsh's _arguments.
std::string zsh_option(const Option& option) {
  std::string help(option.help);
  std::erase_if(help, [](char c) { return c == '[' || c == ']' || c == ':'; });
  const auto choices = choices_of(option);
  const std::string values = choices.empty() ? "_files" : fmt::format("({})", fmt::join(choices, " "));
  const std::string argument = option.takes == Takes::flag ? "" : fmt::format(":value:{}", values);
  std::string lines;
  for (const std::string_view flag : flags_of(option)) {
    lines += fmt::format(" \\\n        {}", quoted(fmt::format("{}[{}]{}", flag, help, argument)));
  }
  return lines;
}

std::string fish_option(const Verb& verb, const Option& option) {
  std::string line = fmt::format("complete -c wattflex -n '__fish_seen_subcommand_from {}'", verb.name);
  for (const std::string_view flag : flags_of(option)) {
    const bool is_long = flag.starts_with("--");
    line += fmt::format(" -{} {}", is_long ? "l" : "s", flag.substr(is_long ? 2 : 1));
  }
  if (option.takes != Takes::flag) line += " -r";
  const auto choices = choices_of(option);
  if (!choices.empty()) line += fmt::format(" -f -a {}", quoted(fmt::format("{}", fmt::join(choices, " "))));
  return line + fmt::format(" -d {}\n", quoted(option.help));
}

}  // namespace

std::string bash_completion() {
  std::string cases;
  for (const Verb* const verb : all_verbs()) cases += bash_choices(*verb) + bash_options(*verb);
  return fmt::format(R"(# Completion of wattflex for bash, made from the verb tables.
_wattflex() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} key words=
  if [ "$COMP_CWORD" = 1 ]; then
    COMPREPLY=($(compgen -W '{}--help --version --check-config --config' -- "$word"))
    return
  fi
  # VERB: offers the options, VERB:OPTION the option's choices.
  key=${{COMP_WORDS[1]}}:$before
  [[ $word == -* ]] && key=${{COMP_WORDS[1]}}:
  case $key in
{}  esac
  compopt -o default
  COMPREPLY=()
  [ -z "$words" ] || COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -F _wattflex wattflex
)",
                     verb_names(), cases);
}

std::string zsh_completion() {
  std::string cases;
  for (const Verb* const verb : all_verbs()) {
    cases += fmt::format("    {})\n      _arguments", verb->name);
    for (const Option& option : options_of(*verb)) {
      if (!is_positional(option)) cases += zsh_option(option);
    }
    cases += " \\\n        '*:file:_files' ;;\n";
  }
  return fmt::format(R"(#compdef wattflex
# Completion of wattflex for zsh, made from the verb tables.
_wattflex() {{
  if (( CURRENT == 2 )); then
    compadd -- {}--help --version --check-config --config
    return
  fi
  local verb=${{words[2]}}
  shift words
  (( CURRENT-- ))
  case $verb in
{}  esac
}}
_wattflex "$@"
)",
                     verb_names(), cases);
}

std::string fish_completion() {
  std::string text = "# Completion of wattflex for fish, made from the verb tables.\n";
  for (const Verb* const verb : all_verbs()) {
    text += fmt::format("complete -c wattflex -f -n __fish_use_subcommand -a {} -d {}\n", verb->name,
                        quoted(verb->summary));
    for (const Option& option : options_of(*verb)) {
      if (!is_positional(option)) text += fish_option(*verb, option);
    }
  }
  return text;
}

}  // namespace wattflex::app
