// --noise, the same for every verb that judges points: which published spread stands in for missing stderr
// columns.
#pragma once

#include "apps/wattflex/arguments.h"
#include "apps/wattflex/verb.h"
#include "elasticity/noise.h"

namespace wattflex::app {

Option noise_option();
Result<elasticity::DefaultNoise> noise_from(const Arguments& arguments);

}  // namespace wattflex::app
