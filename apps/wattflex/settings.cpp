#include "apps/wattflex/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <numeric>

#include <toml++/toml.h>

#include "apps/wattflex/arguments.h"
#include "apps/wattflex/option_rules.h"

namespace wattflex::app {
namespace {

constexpr std::size_t kMostFileBytes = std::size_t{64} << 10;  // far above all settings there are

std::string place_in(const std::string& path, const toml::source_region& where) {
  return fmt::format("{}:{}", path, where.begin.line);
}

std::unexpected<Error> wrong(const std::string& path, const toml::source_region& where,
                             std::string_view problem, std::string remedy) {
  return fail(ErrorKind::usage, fmt::format("{}: {}", place_in(path, where), problem), std::move(remedy));
}

// The options a table may set; an empty verb name is the top of the file.
std::vector<Option> settable(const Verb* verb) {
  static const Verb kAnyVerb{};
  std::vector<Option> options = verb == nullptr ? common_options(kAnyVerb) : options_of(*verb);
  std::erase_if(options, [](const Option& option) {
    const std::string name = plain_name(option);
    return is_positional(option) || name == "help" || name == "config";
  });
  return options;
}

std::vector<std::string> names_of(const std::vector<Option>& options) {
  std::vector<std::string> names;
  names.reserve(options.size());
  for (const Option& option : options) names.push_back(plain_name(option));
  return names;
}

// As the value would stand on the command line; nothing for dates and tables.
std::optional<std::string> text_of(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return fmt::format("{}", number->get());
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  return std::nullopt;
}

// Reads one file; each function checks its part and adds it to `by_table`.
class Reader {
 public:
  Reader(std::string path, std::map<std::string, Settings::Table, std::less<>>& by_table)
      : path_(std::move(path)), by_table_(by_table) {}

  Result<void> read(const toml::table& root) {
    for (const auto& [key, node] : root) {
      const toml::table* const table = node.as_table();
      auto result = table == nullptr ? read_value(nullptr, key.str(), node) : read_verb(key.str(), *table);
      if (!result) return result;
    }
    return {};
  }

 private:
  Result<void> read_verb(std::string_view name, const toml::table& table) {
    const Verb* const verb = find_verb(name);
    if (verb == nullptr) {
      std::vector<std::string> names;
      for (const Verb* const other : all_verbs()) names.emplace_back(other->name);
      return wrong(path_, table.source(), fmt::format("no verb '{}'", name),
                   suggestion(name, names, "a table is named after a verb ('wattflex --help' lists them)"));
    }
    for (const auto& [key, node] : table) {
      if (auto result = read_value(verb, key.str(), node); !result) return result;
    }
    return {};
  }

  Result<void> read_value(const Verb* verb, std::string_view key, const toml::node& node) {
    const std::vector<Option> options = settable(verb);
    const auto option = std::ranges::find(options, key, plain_name);
    if (option == options.end()) {
      const std::string where =
          verb == nullptr ? "at the top of the file" : fmt::format("in [{}]", verb->name);
      return wrong(path_, node.source(), fmt::format("unknown key '{}' {}", key, where),
                   suggestion(key, names_of(options),
                              fmt::format("known there: {}", fmt::join(names_of(options), ", "))));
    }
    std::vector<std::string> texts;
    if (auto result = read_texts(*option, node, texts); !result) return result;
    if (!texts.empty()) {
      by_table_[verb == nullptr ? "" : std::string(verb->name)][std::string(key)] = {
          std::move(texts), place_in(path_, node.source())};
    }
    return {};
  }

  Result<void> read_texts(const Option& option, const toml::node& node, std::vector<std::string>& texts) {
    if (option.takes == Takes::flag) {
      const auto* const flag = node.as_boolean();
      if (flag == nullptr)
        return wrong(path_, node.source(), plain_name(option) + " is true or false", "write it bare");
      texts = {flag->get() ? "true" : "false"};
      return {};
    }
    if (const toml::array* const array = node.as_array(); array != nullptr && option.takes == Takes::list) {
      for (const toml::node& element : *array) {
        if (auto result = read_text(option, element, texts); !result) return result;
      }
      if (auto checked = check_list(option, texts); !checked)
        return wrong(path_, node.source(), checked.error().message, checked.error().remedy);
      return {};
    }
    return read_text(option, node, texts);
  }

  Result<void> read_text(const Option& option, const toml::node& node, std::vector<std::string>& texts) {
    const auto text = text_of(node);
    if (!text) {
      return wrong(path_, node.source(), fmt::format("{} cannot be read", plain_name(option)),
                   fmt::format("write it as on the command line, in quotes: \"{}\"", option.placeholder));
    }
    auto checked = check_choice(option, *text);
    if (checked) checked = check_file_name(option, *text);
    if (!checked) {
      return wrong(path_, node.source(), checked.error().message, checked.error().remedy);
    }
    texts.push_back(*text);
    return {};
  }

  std::string path_;
  std::map<std::string, Settings::Table, std::less<>>& by_table_;
};

// The verb's own check of what its table says, the other options at their defaults. A refusal of something
// that is not in the table (what only the command line names) is none of the file's.
Result<void> check_table(const Verb& verb, const Settings::Table& table) {
  Values values;
  for (const Option& option : options_of(verb)) {
    if (!option.fallback.empty()) values[plain_name(option)] = {std::string(option.fallback)};
  }
  for (const auto& [name, setting] : table) values[name] = setting.values;
  const auto checked = verb.check == nullptr ? Result<void>() : verb.check(Arguments(std::move(values)));
  if (checked) return {};
  for (const auto& [name, setting] : table) {
    if (!is_about(checked.error(), name)) continue;
    return fail(ErrorKind::usage, fmt::format("{}: {}", setting.place, checked.error().message),
                checked.error().remedy);
  }
  return {};
}

}  // namespace

Result<Settings> Settings::read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(kMostFileBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (!file.is_open() || file.bad()) {
    return fail(ErrorKind::usage, path + ": cannot read the settings file",
                "check the name and your permissions");
  }
  if (text.size() > kMostFileBytes)
    return fail(ErrorKind::usage, path + ": longer than 64 KiB", "is this the settings file?");
  return parse(text, path);
}

Result<Settings> Settings::parse(std::string_view toml, const std::string& path) {
  Settings settings;
  settings.path_ = path;
  try {
    const toml::table root = toml::parse(toml, path);
    if (auto result = Reader(path, settings.by_table_).read(root); !result)
      return std::unexpected(result.error());
    for (const auto& [name, table] : settings.by_table_) {
      const Verb* const verb = find_verb(name);
      if (verb == nullptr) continue;
      if (auto checked = check_table(*verb, table); !checked) return std::unexpected(checked.error());
    }
  } catch (const toml::parse_error& error) {
    return wrong(path, error.source(), error.description(),
                 "the file is TOML: key = \"value\", [verb] for a verb's own");
  }
  return settings;
}

const Setting* Settings::find(const Verb& verb, const Option& option) const {
  for (const std::string_view table : {verb.name, std::string_view()}) {
    const auto values = by_table_.find(table);
    if (values == by_table_.end()) continue;
    const auto found = values->second.find(plain_name(option));
    if (found != values->second.end()) return &found->second;
  }
  return nullptr;
}

std::size_t Settings::count() const {
  return std::accumulate(by_table_.begin(), by_table_.end(), std::size_t{0},
                         [](std::size_t sum, const auto& table) { return sum + table.second.size(); });
}

}  // namespace wattflex::app
