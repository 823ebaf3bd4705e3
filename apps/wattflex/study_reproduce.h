// `wattflex study --reproduce`: the paper's numbers beside ours on one page.
#pragma once

#include "apps/wattflex/verb.h"

namespace wattflex::app {

class Arguments;
class Console;

// Uses the options --seed, --seeds and --workloads of `study`.
Result<Outcome> reproduce_paper(const Arguments& arguments, Console& console);

}  // namespace wattflex::app
