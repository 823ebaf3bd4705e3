// Sweep groups for tests, as nested values.
#pragma once

#include <vector>

#include "model/sweep.h"

namespace wattflex::elasticity {

struct Row {
  double cap = 0;
  double power = 0;
  double throughput = 0;
  double power_stderr = -1;  // negative: no such cell
  double throughput_stderr = -1;
};

// On one GPU.
inline SweepGroup group_of(const std::vector<Row>& rows) {
  SweepGroup group;
  group.id = {.table = "table", .group = "job", .accelerator = "H200"};
  group.gpus = 1;
  for (const Row& row : rows) {
    SweepPoint& point = group.points.emplace_back();
    point.cap = Power::from_watts(row.cap);
    point.power = Power::from_watts(row.power);
    point.throughput = row.throughput;
    if (row.power_stderr >= 0) point.power_stderr = Power::from_watts(row.power_stderr);
    if (row.throughput_stderr >= 0) point.throughput_stderr = row.throughput_stderr;
  }
  return group;
}

}  // namespace wattflex::elasticity
