#include "apps/wattflex/help.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/wattflex/grammar.h"

namespace wattflex::app {
namespace {

constexpr std::size_t kWidth = 100;  // of a text line
constexpr std::size_t kOptionColumn = 34;

std::string heading(std::string_view text, Style style) {
  return style == Style::terminal ? fmt::format("\x1b[1m{}\x1b[0m\n", text) : fmt::format("{}\n", text);
}

// Breaks `text` at spaces; lines after the first start with `indent` spaces. Line breaks of the text stay.
std::string wrapped(std::string_view text, std::size_t indent) {
  std::string result;
  std::size_t column = indent;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    const bool starts_line = column == indent;
    if (!starts_line && column + 1 + end > kWidth) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (!starts_line) {
      result += ' ';
      ++column;
    }
    result += text.substr(0, end);
    column += end;
    if (end < text.size() && text[end] == '\n') {
      result += "\n" + std::string(indent, ' ');
      column = indent;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

std::string two_columns(std::string_view left, std::string_view right, std::size_t column) {
  std::string line = "  " + std::string(left);
  line += line.size() + 2 > column ? "\n" + std::string(column, ' ') : std::string(column - line.size(), ' ');
  return line + wrapped(right, column) + '\n';
}

std::string option_lines(const std::vector<Option>& options) {
  std::string text;
  for (const Option& option : options) {
    std::string help(option.help);
    if (!option.fallback.empty()) help += fmt::format(" (default {})", option.fallback);
    if (option.required) help += " (needed)";
    text += two_columns(usage_of(option), help, kOptionColumn);
  }
  return text;
}

std::string example_lines(const Verb& verb) {
  std::string text;
  for (const Example& example : verb.examples) {
    text += fmt::format("  {}\n      {}\n", example.command, wrapped(example.meaning, 6));
  }
  return text;
}

}  // namespace

std::string usage_line(const Verb& verb) {
  std::string line = fmt::format("wattflex {} [OPTION...]", verb.name);
  for (const Option& option : verb.options) {
    if (!is_positional(option)) continue;
    const std::string word = plain_name(option) + (option.takes == Takes::list ? "..." : "");
    line += option.required ? " " + word : fmt::format(" [{}]", word);
  }
  return line;
}

std::string program_help(Style style) {
  std::string text =
      "Wattflex measures what AI training jobs lose per watt, and divides power cuts accordingly.\n\n";
  text += heading("Usage", style) + "  wattflex VERB [OPTION...]\n\n" + heading("Verbs", style);
  for (const Verb* const verb : all_verbs()) text += two_columns(verb->name, verb->summary, 13);
  text += "\n" + heading("Options", style);
  text += two_columns("-h, --help", "this text; 'wattflex VERB --help' explains a verb, with examples", 20);
  text += two_columns("--version", "the version", 20);
  text += two_columns("--check-config", "reads the settings file, says whether it is right, and ends", 20);
  text += two_columns("--config FILE", "settings file instead of /etc/wattflex/wattflex.toml", 20);
  text += "\nA flag beats the environment (--cut: WATTFLEX_CUT), which beats the settings file.\n";
  return text;
}

std::string verb_help(const Verb& verb, Style style) {
  std::string text = fmt::format("{}\n\n", wrapped(verb.summary, 0));
  text += heading("Usage", style) + "  " + usage_line(verb) + "\n\n";
  if (!verb.details.empty()) text += wrapped(verb.details, 0) + "\n\n";
  text += heading("Options", style) + option_lines(options_of(verb));
  if (!verb.examples.empty()) text += "\n" + heading("Examples", style) + example_lines(verb);
  text += "\n" + heading("Exit status", style);
  text += "  0 done, 1 not or only partly done (the reason is on standard error), 2 wrong usage\n";
  return text;
}

}  // namespace wattflex::app
