// Short names of the cohort's jobs, as people type them: "moe-ft-30b", "dense-pt-32b-x32-seq8192-bs4",
// "moe-pt-20b-h100". Class, size of the model, GPUs unless 8, what sets the group apart, the board unless
// H200. Each belongs to one job.
#pragma once

#include <string>

#include "base/error.h"
#include "twin/cohort.h"

namespace wattflex::twin {

std::string short_name(const SimulatedJob& job);
// By its short name; the error lists near ones.
Result<const SimulatedJob*> find_job(std::string_view short_name);

}  // namespace wattflex::twin
