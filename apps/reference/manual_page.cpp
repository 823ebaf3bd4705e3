#include <fmt/format.h>

#include "apps/reference/pages.h"
#include "apps/wattflex/grammar.h"
#include "apps/wattflex/help.h"

namespace wattflex::app {
namespace {

// Text as roff takes it: no control lines, no hyphenation of options, no escapes by accident.
std::string roff(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool starts_line = result.empty() || result.back() == '\n';
    if (starts_line && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
  }
  return result;
}

std::string title(std::string_view name, std::string_view summary, std::string_view version) {
  return fmt::format(".TH {} 1 \"\" \"wattflex {}\" \"Wattflex\"\n.SH NAME\n{} \\- {}\n", roff(name), version,
                     roff(name), roff(summary));
}

std::string item(std::string_view term, std::string_view meaning) {
  return fmt::format(".TP\n.B {}\n{}\n", roff(term), roff(meaning));
}

std::string options(const Verb& verb) {
  std::string text = ".SH OPTIONS\n";
  for (const Option& option : options_of(verb)) {
    const std::string fallback = option.fallback.empty() ? "" : fmt::format(" (default {})", option.fallback);
    text += item(usage_of(option), std::string(option.help) + fallback);
  }
  return text;
}

constexpr std::string_view kStatus =
    ".SH EXIT STATUS\n0 done, 1 not or only partly done (the reason is on standard error), 2 wrong usage.\n";

}  // namespace

std::string manual_page(const Verb& verb, std::string_view version) {
  std::string text = title(fmt::format("wattflex-{}", verb.name), verb.summary, version);
  text += fmt::format(".SH SYNOPSIS\n.B {}\n.SH DESCRIPTION\n{}\n", roff(usage_line(verb)),
                      roff(verb.details.empty() ? verb.summary : verb.details));
  text += options(verb) + ".SH EXAMPLES\n";
  for (const Example& example : verb.examples) text += item(example.command, example.meaning);
  text += ".SH JSON\n";
  for (const JsonField& field : verb.json_fields) {
    const std::string unit = field.unit.empty() ? "" : fmt::format(" [{}]", field.unit);
    text += item(fmt::format("{}{}", field.path, unit), field.meaning);
  }
  return text + std::string(kStatus) + ".SH SEE ALSO\n.BR wattflex (1)\n";
}

std::string program_manual_page(std::string_view version) {
  std::string text = title("wattflex", "power flexibility of AI training jobs", version);
  text +=
      ".SH SYNOPSIS\n.B wattflex\n.I VERB\n[OPTION...]\n.SH DESCRIPTION\n"
      "Measures what AI training jobs lose per watt, and divides power cuts accordingly.\n.SH VERBS\n";
  for (const Verb* const verb : all_verbs()) text += item(verb->name, verb->summary);
  text += ".SH OPTIONS\n";
  text += item("-h, --help", "the verbs; after a verb, its options and examples");
  text += item("--version", "the version");
  text += item("--check-config", "reads the settings file, says whether it is right, and ends");
  text += item("--config FILE", "settings file instead of /etc/wattflex/wattflex.toml");
  text += ".SH ENVIRONMENT\n" + item("WATTFLEX_<OPTION>", "stands in for the option: WATTFLEX_CUT for --cut");
  text += item("NO_COLOR", "when set, nothing is coloured");
  text += ".SH FILES\n" +
          item("/etc/wattflex/wattflex.toml", "defaults: common options at the top, a verb's in its table");
  text += std::string(kStatus) + ".SH SEE ALSO\n";
  for (const Verb* const verb : all_verbs()) text += fmt::format(".BR wattflex\\-{} (1)\n", verb->name);
  return text;
}

}  // namespace wattflex::app
