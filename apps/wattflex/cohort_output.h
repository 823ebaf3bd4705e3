// How `wattflex cohort` shows simulated groups, the assumptions behind their token rates, and the bias of
// the averaging rules. Everything says simulated or assumption.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "model/sweep.h"
#include "report/text_table.h"
#include "study/cohort.h"
#include "twin/cohort.h"

namespace wattflex::app {

// One row a group: draw and telemetry of the uncapped run, index beside the paper's.
report::TextTable summary_of_cohort(const SweepTable& table);
nlohmann::json json_of_cohort(const SweepTable& table);

report::TextTable assumptions_table(std::span<const twin::SimulatedJob* const> jobs);
nlohmann::json json_of_assumptions(std::span<const twin::SimulatedJob* const> jobs);

struct BiasRow {
  const twin::SimulatedJob* job = nullptr;
  study::AveragingBias bias;
};
report::TextTable bias_table(std::span<const BiasRow> rows);
nlohmann::json json_of_bias(std::span<const BiasRow> rows);

}  // namespace wattflex::app
