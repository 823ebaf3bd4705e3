// The settings file (/etc/wattflex/wattflex.toml): defaults for options, above those built in and below
// environment and command line. Common options stand at the top, a verb's own in a table of its name:
//
//   format = "json"
//   [study]
//   workloads = 200
//
// Parsed and checked as a whole: a key no verb takes and a value its verb would refuse are errors that name
// file and line.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "apps/wattflex/grammar.h"

namespace wattflex::app {

inline constexpr const char* kSettingsFile = "/etc/wattflex/wattflex.toml";

// What a file says of one option. A flag that is false says so: it beats one that is true further up.
struct Setting {
  std::vector<std::string> values;
  std::string place;  // "wattflex.toml:4"
};

class Settings {
 public:
  using Table = std::map<std::string, Setting, std::less<>>;

  Settings() = default;
  static Result<Settings> read(const std::string& path);
  // `path` only appears in messages.
  static Result<Settings> parse(std::string_view toml, const std::string& path);

  // What a verb's option is here: its own table first, then the top.
  const Setting* find(const Verb& verb, const Option& option) const;
  std::size_t count() const;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::map<std::string, Table, std::less<>> by_table_;  // "" is the top
};

}  // namespace wattflex::app
