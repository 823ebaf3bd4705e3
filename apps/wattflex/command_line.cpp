#include "apps/wattflex/command_line.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>

#include "apps/wattflex/arguments.h"
#include "apps/wattflex/console.h"
#include "apps/wattflex/verb.h"

namespace wattflex::app {
namespace {

constexpr int kExitNotDone = 1;
constexpr int kExitUsage = 2;

const Option kFormatOption{"-o,--format", "table|json|csv", "table", "how the result is printed"};
// For verbs whose -o names a file.
const Option kLongFormatOption{"--format", "table|json|csv", "table", "how the result is printed"};
const Option kQuietOption{"-q,--quiet", "", "", "no warnings and no progress on standard error", Takes::flag};

// "-m,--model" -> "model"; "TABLE" -> "TABLE".
std::string plain_name(std::string_view name) {
  const std::size_t comma = name.rfind(',');
  if (comma != std::string_view::npos) name.remove_prefix(comma + 1);
  while (name.starts_with('-')) name.remove_prefix(1);
  return std::string(name);
}

std::string environment_name(std::string_view option) {
  std::string name = "WATTFLEX_";
  for (const char c : plain_name(option)) name += c == '-' ? '_' : static_cast<char>(std::toupper(c));
  return name;
}

// The parsed texts of one verb, filled by CLI11.
struct Bound {
  const Option* option;
  std::vector<std::string> values;
  bool flag = false;
};

using BoundOptions = std::vector<std::unique_ptr<Bound>>;

void bind(CLI::App& parser, const Option& option, BoundOptions& bound) {
  bound.push_back(std::make_unique<Bound>(Bound{&option, {}, false}));
  Bound& slot = *bound.back();
  const std::string help = std::string(option.help) +
                           (option.fallback.empty() ? "" : fmt::format(" (default {})", option.fallback));
  if (option.takes == Takes::flag) {
    parser.add_flag(std::string(option.name), slot.flag, help);
    return;
  }
  CLI::Option* const added = parser.add_option(std::string(option.name), slot.values, help);
  added->type_name(std::string(option.placeholder));
  added->required(option.required);
  if (option.takes == Takes::value) {
    added->expected(1);
    added->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  }
  // Commas belong to the values ("10%,25%").
  added->delimiter('\0');
}

bool uses_short_o(const Verb& verb) {
  return std::ranges::any_of(verb.options,
                             [](const Option& option) { return option.name.starts_with("-o,"); });
}

// Flags, then WATTFLEX_*, then the default.
std::map<std::string, std::vector<std::string>, std::less<>> merged(const BoundOptions& bound) {
  std::map<std::string, std::vector<std::string>, std::less<>> values;
  for (const auto& slot : bound) {
    const std::string name = plain_name(slot->option->name);
    const bool positional = !slot->option->name.starts_with('-');
    if (slot->flag) {
      values[name] = {"true"};
    } else if (!slot->values.empty()) {
      values[name] = slot->values;
    } else if (const char* const text = std::getenv(environment_name(name).c_str());
               text != nullptr && *text != '\0' && !positional && slot->option->takes != Takes::list) {
      values[name] = {text};
    } else if (!slot->option->fallback.empty()) {
      values[name] = {std::string(slot->option->fallback)};
    }
  }
  return values;
}

std::string examples_text(const Verb& verb) {
  std::string text = "\nExamples:\n";
  for (const Example& example : verb.examples) {
    text += fmt::format("  {}\n      {}\n", example.command, example.meaning);
  }
  return verb.examples.empty() ? "" : text;
}

Result<Format> parse_format(std::string_view text) {
  if (text == "table") return Format::table;
  if (text == "json") return Format::json;
  if (text == "csv") return Format::csv;
  return fail(ErrorKind::usage, fmt::format("'{}' is not an output format", text),
              "use -o table, json or csv");
}

int report_error(const Error& error, std::string_view verb, Format format, Streams& streams) {
  streams.err << fmt::format("wattflex {}: {}\n", verb, error.message);
  if (!error.remedy.empty()) streams.err << "  " << error.remedy << '\n';
  if (format == Format::json) {
    const nlohmann::json document = {{"status", to_string(error.kind)},
                                     {"error", {{"message", error.message}, {"remedy", error.remedy}}}};
    streams.out << document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
  }
  return error.kind == ErrorKind::usage ? kExitUsage : kExitNotDone;
}

int run_verb(const Verb& verb, const BoundOptions& bound, Streams& streams) {
  const Arguments arguments(merged(bound));
  const auto format = parse_format(arguments.text("format"));
  if (!format) return report_error(format.error(), verb.name, Format::table, streams);
  Console console(streams.out, streams.err,
                  {.format = *format,
                   .out_is_terminal = streams.out_is_terminal && std::getenv("NO_COLOR") == nullptr,
                   .err_is_terminal = streams.err_is_terminal,
                   .quiet = arguments.flag("quiet")});
  const Result<Outcome> outcome = verb.run(arguments, console);
  console.end_progress();
  if (!outcome) return report_error(outcome.error(), verb.name, *format, streams);
  streams.out.flush();
  if (!streams.out) {
    return report_error(
        {ErrorKind::io, "standard output: write failed", "is the disk full or the pipe closed?"}, verb.name,
        Format::table, streams);
  }
  return *outcome == Outcome::done ? 0 : kExitNotDone;
}

}  // namespace

int run_command_line(std::vector<std::string> arguments, Streams streams) {
  CLI::App parser(
      "Wattflex: measures what AI training jobs lose per watt, and divides power cuts accordingly.",
      "wattflex");
  parser.set_version_flag("--version", std::string(WATTFLEX_VERSION));
  parser.require_subcommand(1);
  parser.footer("\n'wattflex VERB --help' explains a verb, with examples.");

  std::map<std::string, BoundOptions, std::less<>> bound;
  for (const Verb* const verb : all_verbs()) {
    CLI::App* const sub = parser.add_subcommand(std::string(verb->name), std::string(verb->summary));
    sub->footer(examples_text(*verb));
    BoundOptions& options = bound[std::string(verb->name)];
    for (const Option& option : verb->options) bind(*sub, option, options);
    bind(*sub, uses_short_o(*verb) ? kLongFormatOption : kFormatOption, options);
    bind(*sub, kQuietOption, options);
  }
  try {
    std::ranges::reverse(arguments);  // CLI11 takes them last first
    parser.parse(std::move(arguments));
  } catch (const CLI::ParseError& error) {
    const int status = parser.exit(error, streams.out, streams.err);
    return status == 0 ? 0 : kExitUsage;
  }
  const CLI::App* const chosen = parser.get_subcommands().front();
  return run_verb(*find_verb(chosen->get_name()), bound[chosen->get_name()], streams);
}

}  // namespace wattflex::app
