// `wattflex study --reproduce`: the paper's numbers beside ours on one page.
#pragma once

#include "apps/wattflex/verb.h"
#include "study/reproduction.h"

namespace wattflex::app {

class Arguments;
class Console;

// Whether a published number lies more than two standard deviations, and more than its rounding, from the
// simulated mean; not where either is missing.
bool differs(const study::ReproducedNumber& number);

// Uses the options --seed, --seeds and --workloads of `study`.
Result<Outcome> reproduce_paper(const Arguments& arguments, Console& console);

}  // namespace wattflex::app
