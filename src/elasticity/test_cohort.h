// A small table to learn from, for tests: the paper's 25 headline groups with their published two-decimal
// index (Table 6) and telemetry of the simulated cohort, computed once by an independent Python program from
// the equations of docs/math/chip-physics.md. Each group is one cut of half the draw, whose ratio is the
// index.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "model/sweep.h"

namespace wattflex::elasticity {

struct CohortRow {
  Architecture architecture;
  Task task;
  int gpus;
  double dram_active;
  double mem_copy_util;
  double tensor_active;
  double pfi;
};

inline constexpr std::array kCohortRows = std::to_array<CohortRow>({
    {Architecture::dense, Task::fine_tuning, 16, 0.308249, 0.394408, 0.644189, 1.10},
    {Architecture::dense, Task::fine_tuning, 8, 0.260471, 0.378294, 0.585218, 1.22},
    {Architecture::dense, Task::fine_tuning, 8, 0.245930, 0.319675, 0.545425, 1.27},
    {Architecture::dense, Task::fine_tuning, 16, 0.376720, 0.390466, 0.652396, 1.52},
    {Architecture::dense, Task::pretraining, 8, 0.279233, 0.365210, 0.646870, 1.17},
    {Architecture::dense, Task::pretraining, 32, 0.186036, 0.249547, 0.746859, 1.23},
    {Architecture::dense, Task::pretraining, 32, 0.259235, 0.295654, 0.829013, 1.25},
    {Architecture::dense, Task::pretraining, 8, 0.271819, 0.311726, 0.622963, 1.26},
    {Architecture::dense, Task::pretraining, 32, 0.275613, 0.328382, 0.789056, 1.27},
    {Architecture::dense, Task::pretraining, 8, 0.256511, 0.248920, 0.591743, 1.30},
    {Architecture::dense, Task::pretraining, 32, 0.198541, 0.195548, 0.679162, 1.30},
    {Architecture::dense, Task::pretraining, 16, 0.187192, 0.194167, 0.560104, 1.34},
    {Architecture::dense, Task::pretraining, 16, 0.192969, 0.236655, 0.498114, 1.47},
    {Architecture::dense, Task::pretraining, 8, 0.314923, 0.355754, 0.483192, 1.51},
    {Architecture::moe, Task::fine_tuning, 8, 0.380001, 0.516611, 0.239404, 1.79},
    {Architecture::moe, Task::fine_tuning, 8, 0.599313, 0.746431, 0.351558, 2.00},
    {Architecture::moe, Task::fine_tuning, 16, 0.452048, 0.543454, 0.280928, 2.20},
    {Architecture::moe, Task::fine_tuning, 8, 0.647385, 0.759516, 0.196853, 2.67},
    {Architecture::moe, Task::pretraining, 8, 0.420676, 0.556812, 0.362002, 1.24},
    {Architecture::moe, Task::pretraining, 8, 0.353336, 0.400505, 0.343763, 1.35},
    {Architecture::moe, Task::pretraining, 8, 0.271508, 0.360294, 0.311711, 1.36},
    {Architecture::moe, Task::pretraining, 8, 0.288524, 0.353808, 0.381676, 1.43},
    {Architecture::moe, Task::pretraining, 8, 0.423362, 0.584876, 0.379443, 1.45},
    {Architecture::moe, Task::pretraining, 8, 0.326423, 0.401646, 0.381938, 1.52},
    {Architecture::moe, Task::pretraining, 8, 0.279646, 0.312524, 0.318114, 1.57},
});

// A sweep of one cut whose ratio of losses is exactly `pfi`.
inline SweepGroup group_with_index(std::string name, double pfi,
                                   std::vector<std::optional<double>> telemetry) {
  SweepGroup group{.id = {"cohort", std::move(name), "H200"}, .pedigree = Pedigree::simulated, .gpus = 8};
  SweepPoint uncapped{.cap = Power::from_watts(700), .power = Power::from_watts(5600), .throughput = 1000};
  uncapped.telemetry = std::move(telemetry);
  SweepPoint capped{
      .cap = Power::from_watts(350), .power = Power::from_watts(2800), .throughput = 1000 * (1 - 0.5 / pfi)};
  capped.telemetry.resize(uncapped.telemetry.size());
  group.points = {uncapped, capped};
  return group;
}

inline SweepTable cohort_table() {
  SweepTable table{.name = "cohort", .telemetry_columns = {"dram_active", "mem_copy_util", "tensor_active"}};
  for (const CohortRow& row : kCohortRows) {
    SweepGroup group = group_with_index("group " + std::to_string(table.groups.size() + 1), row.pfi,
                                        {row.dram_active, row.mem_copy_util, row.tensor_active});
    group.architecture = row.architecture;
    group.task = row.task;
    group.gpus = row.gpus;
    table.groups.push_back(std::move(group));
  }
  return table;
}

}  // namespace wattflex::elasticity
