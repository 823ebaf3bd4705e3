// Readings in JSON and in tables: a missing one is null, or "-".
#pragma once

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <string>

#include "model/gpu.h"

namespace wattflex::app {

inline nlohmann::json json_of(const Reading<Power>& reading) {
  return reading ? nlohmann::json(reading->watts()) : nlohmann::json();
}

inline nlohmann::json json_of(const Reading<Frequency>& reading) {
  return reading ? nlohmann::json(reading->megahertz()) : nlohmann::json();
}

template <class T>
nlohmann::json json_of(const Reading<T>& reading) {
  return reading ? nlohmann::json(*reading) : nlohmann::json();
}

// "450", or "149.4" where it is no whole number of watts.
inline std::string watts_text(const Reading<Power>& reading) {
  return reading ? fmt::format("{:g}", reading->watts()) : "-";
}

inline std::string switch_text(const Reading<bool>& reading) {
  if (!reading) return "-";
  return *reading ? "on" : "off";
}

}  // namespace wattflex::app
