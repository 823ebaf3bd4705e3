// What became of GPUs whose limits were put back, as `release` and `restore` print it.
#pragma once

#include <vector>

#include "apps/wattflex/console.h"
#include "apps/wattflex/gpu_options.h"
#include "control/cap_writer.h"

namespace wattflex::app {

struct BackReport {
  const ChosenGpus& gpus;
  std::vector<control::BackOutcome> outcomes;

  bool whole() const;  // nothing is left in the journal of what was to be put back
};

void print_back(const BackReport& report, Console& console);
std::vector<JsonField> back_json_fields();
Option foreign_option();
control::ForeignLimit foreign_from(const Arguments& arguments);

}  // namespace wattflex::app
