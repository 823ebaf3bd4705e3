#include "apps/wattflex/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "apps/wattflex/arguments.h"
#include "apps/wattflex/console.h"
#include "apps/wattflex/help.h"
#include "apps/wattflex/invocation.h"
#include "apps/wattflex/option_rules.h"
#include "apps/wattflex/settings.h"
#include "base/counted.h"
#include "report/display_text.h"

namespace wattflex::app {
namespace {

constexpr int kExitNotDone = 1;
constexpr int kExitUsage = 2;
constexpr std::size_t kHanging = 4;  // of a message, further in than the remedy below it

bool colour_wanted() {
  const char* const terminal = std::getenv("TERM");
  return std::getenv("NO_COLOR") == nullptr && (terminal == nullptr || std::string_view(terminal) != "dumb");
}

Style style_of(const Streams& streams) {
  return streams.out_is_terminal && colour_wanted() ? Style::terminal : Style::plain;
}

Format format_of(std::string_view text) {
  if (text == "json") return Format::json;
  return text == "csv" ? Format::csv : Format::table;
}

// For errors found before all of the line is understood: what it says of the format, else the environment.
// `verb`: whose option -o is.
Format early_format(const Verb& verb, std::span<const std::string> words) {
  const bool short_name = common_options(verb).front().name.starts_with("-o,");
  const char* const variable = std::getenv("WATTFLEX_FORMAT");
  std::string_view format = variable == nullptr ? "" : variable;
  for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    const std::string_view word = words[i];
    if (word == "--format" || (short_name && word == "-o")) {
      if (i + 1 < words.size()) format = words[++i];
    } else if (word.starts_with("--format=")) {
      format = word.substr(word.find('=') + 1);
    } else if (short_name && word.starts_with("-o")) {
      format = word.substr(word.starts_with("-o=") ? 3 : 2);
    }
  }
  return format_of(format);
}

int report_error(const Error& error, std::string_view command, Format format, Streams& streams) {
  const auto flowed = [&](const std::string& text) {
    return report::flowed(report::terminal_text(text), streams.err_width, kHanging) + '\n';
  };
  streams.err << flowed(fmt::format("{}: {}", command, error.message));
  if (!error.remedy.empty()) streams.err << flowed("  " + error.remedy);
  if (format == Format::json) {
    const nlohmann::json document = {{"status", to_string(error.kind)},
                                     {"error", {{"message", error.message}, {"remedy", error.remedy}}}};
    streams.out << document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
  }
  return error.kind == ErrorKind::usage ? kExitUsage : kExitNotDone;
}

// Without a name the usual place is read, and its absence is fine.
Result<Settings> read_settings(const std::string& path) {
  if (!path.empty()) return Settings::read(path);
  std::error_code absent;
  return std::filesystem::exists(kSettingsFile, absent) ? Settings::read(kSettingsFile) : Settings();
}

Result<Settings> settings_for(const Values& written) {
  if (const auto found = written.find("config"); found != written.end()) {
    const std::string& path = found->second.front();
    if (!path.empty()) return Settings::read(path);
    return fail(ErrorKind::usage, "--config: the file name is empty", "name one or leave it out");
  }
  const char* const named = std::getenv("WATTFLEX_CONFIG");
  return read_settings(named == nullptr ? "" : named);
}

// A value and where it came from, for messages about it.
struct Sourced {
  std::vector<std::string> values;
  std::string origin;  // "WATTFLEX_SEED", "wattflex.toml:4"; empty: the command line or the default
};

std::vector<std::string> values_of_flag(bool set) {
  return set ? std::vector<std::string>{"true"} : std::vector<std::string>();
}

// Flags, then WATTFLEX_*, then the settings file, then the default.
Result<Sourced> value_of(const Verb& verb, const Option& option, const Values& written,
                         const Settings& settings) {
  if (const auto found = written.find(plain_name(option)); found != written.end())
    return Sourced{found->second, ""};
  const std::string variable = environment_name(option);
  const char* const text = std::getenv(variable.c_str());
  if (text != nullptr && *text != '\0' && !is_positional(option)) {
    if (option.takes != Takes::flag) return Sourced{{text}, variable};
    const auto set = parse_switch(text);
    if (set) return Sourced{values_of_flag(*set), variable};
    return fail(ErrorKind::usage, fmt::format("{}: '{}' is neither true nor false", variable, text),
                "write 1 or 0, or unset it");
  }
  if (const Setting* const setting = settings.find(verb, option)) {
    const bool flag = option.takes == Takes::flag;
    return Sourced{flag ? values_of_flag(setting->values.front() == "true") : setting->values,
                   setting->place};
  }
  return Sourced{
      option.fallback.empty() ? std::vector<std::string>() : std::vector{std::string(option.fallback)}, ""};
}

// What the options are, and where those came from that do not stand on the command line.
struct Merged {
  Values values;
  std::map<std::string, std::string> origins;
};

// A value that the user does not see on the command line is told with its origin; also where the message
// starts with the value itself, a file's name.
Error with_origin(Error error, const Merged& merged) {
  for (const auto& [name, origin] : merged.origins) {
    const std::vector<std::string>& values = merged.values.at(name);
    const bool is_file = std::ranges::any_of(values, [&](const std::string& value) {
      return !value.empty() && error.message.starts_with(value + ":");
    });
    if (!is_file && !is_about(error, name)) continue;
    error.message += fmt::format(" (from {})", origin);
    break;
  }
  return error;
}

Result<Merged> merge(const Verb& verb, const Values& written, const Settings& settings) {
  Merged merged;
  for (const Option& option : options_of(verb)) {
    const std::string name = plain_name(option);
    const auto found = value_of(verb, option, written, settings);
    if (!found) return std::unexpected(found.error());
    if (!found->values.empty()) merged.values[name] = found->values;
    if (!found->values.empty() && !found->origin.empty()) merged.origins[name] = found->origin;
    auto checked = check_list(option, found->values);
    for (const std::string& value : found->values) {
      if (checked && option.takes != Takes::flag) checked = check_choice(option, value);
    }
    if (!checked) return std::unexpected(with_origin(checked.error(), merged));
    if (found->values.empty() && option.required) {
      return fail(ErrorKind::usage, fmt::format("{} is needed", is_positional(option) ? name : "--" + name),
                  fmt::format("{}; 'wattflex {} --help' has examples", usage_line(verb), verb.name));
    }
  }
  pass_over(verb, written, merged.values);
  std::erase_if(merged.origins, [&](const auto& origin) { return !merged.values.contains(origin.first); });
  if (auto checked = check_together(verb, written, merged.values); !checked)
    return std::unexpected(with_origin(checked.error(), merged));
  return merged;
}

int run_verb(const Verb& verb, const Merged& merged, Streams& streams) {
  const std::string command = fmt::format("wattflex {}", verb.name);
  std::set<std::string, std::less<>> defaults;
  for (const auto& [name, origin] : merged.origins) defaults.insert(name);
  const Arguments arguments(merged.values, std::move(defaults));
  const Format format = format_of(arguments.text("format"));
  Console console(streams.out, streams.err,
                  {.format = format,
                   .out_is_terminal = streams.out_is_terminal && colour_wanted(),
                   .err_is_terminal = streams.err_is_terminal,
                   .quiet = arguments.flag("quiet"),
                   .out_width = streams.out_width,
                   .err_width = streams.err_width});
  const Result<Outcome> outcome = verb.run(arguments, console);
  console.end_progress();
  if (!outcome) return report_error(with_origin(outcome.error(), merged), command, format, streams);
  return *outcome == Outcome::done ? 0 : kExitNotDone;
}

int start_verb(const Verb& verb, std::vector<std::string> words, Streams& streams) {
  const std::string command = fmt::format("wattflex {}", verb.name);
  Format format = early_format(verb, words);
  const auto written = parse_invocation(verb, std::move(words));
  if (!written) return report_error(written.error(), command, format, streams);
  if (written->contains("help")) {
    streams.out << verb_help(verb, style_of(streams));
    return 0;
  }
  const auto settings = settings_for(*written);
  if (!settings) return report_error(settings.error(), command, format, streams);
  const Option format_option = common_options(verb).front();
  if (const auto known = value_of(verb, format_option, *written, *settings))
    format = format_of(known->values.front());
  const auto merged = merge(verb, *written, *settings);
  if (!merged) return report_error(merged.error(), command, format, streams);
  return run_verb(verb, *merged, streams);
}

int check_config(const Values& written, Format format, Streams& streams) {
  const auto settings = settings_for(written);
  if (!settings) return report_error(settings.error(), "wattflex", format, streams);
  streams.out << (settings->path().empty()
                      ? fmt::format("no settings file ({}); the defaults apply\n", kSettingsFile)
                      : fmt::format("{}: right, {}\n", report::terminal_text(settings->path()),
                                    counted(settings->count(), "setting")));
  return 0;
}

// Its options stand where a verb could: before it, or alone.
const Verb& program_options() {
  static const Verb kProgram{
      .name = "VERB",
      .summary = "",
      .details = "",
      .options = {{"--version", "", "", "", Takes::flag}, {"--check-config", "", "", "", Takes::flag}},
      .examples = {},
      .json_fields = {},
      .run = nullptr};
  return kProgram;
}

int run_program(std::vector<std::string> words, Streams& streams) {
  const Format format = early_format(program_options(), words);
  const auto written = parse_invocation(program_options(), std::move(words));
  if (!written) return report_error(written.error(), "wattflex", format, streams);
  if (written->contains("version")) {
    streams.out << "wattflex " << WATTFLEX_VERSION << '\n';
    return 0;
  }
  if (written->contains("check-config")) return check_config(*written, format, streams);
  streams.out << program_help(style_of(streams));
  return 0;
}

int unknown_verb(std::string_view word, Format format, Streams& streams) {
  std::vector<std::string> names;
  for (const Verb* const verb : all_verbs()) names.emplace_back(verb->name);
  return report_error({ErrorKind::usage, fmt::format("no verb '{}'", word),
                       suggestion(word, names, "'wattflex --help' lists the verbs")},
                      "wattflex", format, streams);
}

int run_words(std::vector<std::string> arguments, Streams& streams) {
  if (!arguments.empty() && arguments.front() == "help") {  // `help plan` is `plan --help`
    arguments.erase(arguments.begin());
    arguments.emplace_back("--help");
  }
  // `--config FILE` and the format may stand before the verb.
  const auto has_value = [](std::string_view word) {
    return word == "--config" || word == "--format" || word == "-o";
  };
  auto word = arguments.begin();
  while (word != arguments.end() && word->starts_with('-'))
    word += has_value(*word) && word + 1 != arguments.end() ? 2 : 1;
  if (word == arguments.end()) return run_program(std::move(arguments), streams);
  const std::string name = *word;
  const Verb* const verb = find_verb(name);
  if (verb == nullptr) return unknown_verb(name, early_format(program_options(), arguments), streams);
  arguments.erase(word);
  return start_verb(*verb, std::move(arguments), streams);
}

}  // namespace

int run_command_line(std::vector<std::string> arguments, Streams streams) {
  const int status = run_words(std::move(arguments), streams);
  if (streams.out.flush()) return status;
  streams.err << "wattflex: standard output: write failed; is the disk full?\n";
  return std::max(status, kExitNotDone);
}

}  // namespace wattflex::app
