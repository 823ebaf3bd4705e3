#include <fmt/format.h>

#include <algorithm>

#include "apps/reference/pages.h"
#include "apps/wattflex/grammar.h"
#include "apps/wattflex/help.h"

namespace wattflex::app {
namespace {

// A bar would end a cell of a Markdown table.
std::string cell(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

std::string code(std::string_view text) {
  return text.empty() ? "" : fmt::format("`{}`", cell(text));
}

std::string option_table(const Verb& verb) {
  std::string text = "| option | default | environment | meaning |\n|---|---|---|---|\n";
  for (const Option& option : options_of(verb)) {
    if (plain_name(option) == "help") continue;
    const std::string environment = is_positional(option) ? "" : code(environment_name(option));
    text += fmt::format("| {} | {} | {} | {}{} |\n", code(usage_of(option)), code(option.fallback),
                        environment, cell(option.help), option.required ? " (needed)" : "");
  }
  return text;
}

std::string field_table(const Verb& verb) {
  std::string text = "| key | unit | meaning |\n|---|---|---|\n";
  for (const JsonField& field : verb.json_fields) {
    text += fmt::format("| {} | {} | {} |\n", code(field.path), cell(field.unit), cell(field.meaning));
  }
  return text;
}

std::string example_list(const Verb& verb) {
  std::string text;
  for (const Example& example : verb.examples) {
    text += fmt::format("```sh\n{}\n```\n\n{}.\n\n", example.command, example.meaning);
  }
  return text;
}

constexpr std::string_view kNote =
    "<!-- Generated from the verb tables by scripts/check_docs.sh --fix; edit apps/wattflex instead. -->\n";

}  // namespace

std::string reference_page(const Verb& verb) {
  std::string text = fmt::format("{}# wattflex {}\n\n{}.\n\n```\n{}\n```\n\n", kNote, verb.name, verb.summary,
                                 usage_line(verb));
  if (!verb.details.empty()) text += fmt::format("{}\n\n", verb.details);
  text += fmt::format("Guide with a worked example: [docs/verbs/{0}.md](../verbs/{0}.md).\n\n", verb.name);
  text += "## Options\n\n" + option_table(verb) + "\n## Examples\n\n" + example_list(verb);
  if (!verb.json_fields.empty()) {
    text += "## JSON\n\nKeys of `-o json`; a key without value is `null`, never NaN.\n\n" +
            field_table(verb) + '\n';
  }
  text +=
      "## Exit status\n\n| status | meaning |\n|---|---|\n| 0 | done |\n"
      "| 1 | not or only partly done; the reason is on standard error, with `-o json` also as `status` and "
      "`error` |\n"
      "| 2 | the command line, environment or settings file is wrong |\n";
  return text;
}

std::string reference_index() {
  std::string text = fmt::format(
      "{}# Reference\n\nOne page a verb, made from the tables that also make `--help`, the manual "
      "pages and shell completion.\n\n| verb | |\n|---|---|\n",
      kNote);
  for (const Verb* const verb : all_verbs()) {
    text += fmt::format("| [{0}]({0}.md) | {1} |\n", verb->name, cell(verb->summary));
  }
  text +=
      "\nA flag beats the environment, which beats the settings file (`/etc/wattflex/wattflex.toml`), which "
      "beats the "
      "default; see [configuration](../configuration.md).\n";
  return text;
}

}  // namespace wattflex::app
