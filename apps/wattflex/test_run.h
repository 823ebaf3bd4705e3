// For tests only: runs a command line in this process and reads what it printed.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/wattflex/command_line.h"
#include "apps/wattflex/verb.h"

namespace wattflex::app {

// The public sweep of examples/phoenix.
inline const std::string kPhoenixSweep = WATTFLEX_SOURCE_DIR "/examples/phoenix/sweep.csv";

struct Ran {
  int status = 0;
  std::string out;
  std::string err;

  nlohmann::json document() const { return nlohmann::json::parse(out); }
};

inline Ran run(std::vector<std::string> words) {
  std::ostringstream out;
  std::ostringstream err;
  const int status = run_command_line(std::move(words), {.out = out, .err = err});
  return {status, out.str(), err.str()};
}

inline Ran run_verb(std::string_view verb, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), std::string(verb));
  return run(std::move(arguments));
}

// Paths as the verbs' tables write them, "groups[].points[].cap_w", of every value in a document.
inline void collect_paths(const nlohmann::json& node, const std::string& path, std::set<std::string>& paths) {
  if (node.is_object() && !node.empty()) {
    for (const auto& [key, value] : node.items())
      collect_paths(value, path.empty() ? key : fmt::format("{}.{}", path, key), paths);
  } else if (node.is_array() && !node.empty()) {
    for (const nlohmann::json& value : node) collect_paths(value, path + "[]", paths);
  } else {
    paths.insert(path);
  }
}

// A list of plain values may be listed without its brackets; a null, an empty list or an empty object may
// stand where the table documents what it would hold.
inline bool documents(const JsonField& field, const std::string& path) {
  return field.path == path || std::string(field.path) + "[]" == path || field.path.starts_with(path + ".") ||
         field.path.starts_with(path + "[");
}

// The paths of a document that the verb's table does not list.
inline std::vector<std::string> undocumented(std::string_view verb, const nlohmann::json& document) {
  std::set<std::string> paths;
  collect_paths(document, "", paths);
  const auto& fields = find_verb(verb)->json_fields;
  std::vector<std::string> unlisted(paths.begin(), paths.end());
  std::erase_if(unlisted, [&](const std::string& path) {
    return std::ranges::any_of(fields, [&](const JsonField& field) { return documents(field, path); });
  });
  return unlisted;
}

}  // namespace wattflex::app
