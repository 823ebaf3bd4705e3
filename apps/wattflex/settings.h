// The settings file (/etc/wattflex/wattflex.toml): defaults for options, above those built in and below
// environment and command line. Common options stand at the top, a verb's own in a table of its name:
//
//   format = "json"
//   [study]
//   workloads = 200
//
// Parsed and checked as a whole: a key no verb takes is an error that names file and line.
#pragma once

#include <string>

#include "apps/wattflex/grammar.h"

namespace wattflex::app {

inline constexpr const char* kSettingsFile = "/etc/wattflex/wattflex.toml";

class Settings {
 public:
  Settings() = default;
  static Result<Settings> read(const std::string& path);
  // `path` only appears in messages.
  static Result<Settings> parse(std::string_view toml, const std::string& path);

  // The value a verb's option has here: its own table first, then the top.
  const std::vector<std::string>* find(const Verb& verb, const Option& option) const;
  std::size_t count() const;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::map<std::string, Values, std::less<>> by_table_;  // "" is the top
};

}  // namespace wattflex::app
