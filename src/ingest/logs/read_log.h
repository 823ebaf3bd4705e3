// For tests only: reads a log given as text, and gives its steps and what is said of them.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "ingest/logs/log_reader.h"

namespace wattflex::logs {

struct ReadLog {
  std::vector<StepRecord> steps;
  LogSummary summary;
};

inline ReadLog read_log(std::string_view text, LogOptions options = {}) {
  ReadLog read;
  auto reader = LogReader::create(std::move(options)).value();
  reader.on_step([&](const StepRecord& step) { read.steps.push_back(step); });
  reader.on_restart([&](Framework) { read.steps.clear(); });
  reader.feed(text);
  read.summary = reader.finish();
  return read;
}

inline ReadLog read_log(std::string_view text, const JobShape& given) {
  return read_log(text, {.meter = {.given = given}});
}

}  // namespace wattflex::logs
