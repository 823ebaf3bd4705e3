// For tests only: figures of a log that several of them ask for.
#pragma once

#include "ingest/logs/read_log.h"

namespace wattflex::logs {

// The whole log's typical tokens/s, -1 without one.
inline double tokens_rate(const ReadLog& log) {
  return log.summary.all.typical ? log.summary.all.typical->tokens_per_s.value_or(-1) : -1;
}

}  // namespace wattflex::logs
