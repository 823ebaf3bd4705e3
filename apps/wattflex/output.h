// How verbs print what they found: JSON that stands any bytes in names, and a report in the format asked for.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "apps/wattflex/console.h"

namespace wattflex::app {

template <class Json = nlohmann::json, class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

template <class Json>
void print_json(const Json& document, Console& console) {
  console.out() << document.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

// Its warnings, then the report by its own to_json, print_csv or print_tables.
template <class Report>
void show(const Report& report, Console& console) {
  for (const std::string& warning : report.warnings) console.warn(warning);
  switch (console.format()) {
    case Format::json:
      return print_json(to_json(report), console);
    case Format::csv:
      return print_csv(report, console);
    case Format::table:
      return print_tables(report, console);
  }
}

}  // namespace wattflex::app
