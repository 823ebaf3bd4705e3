// What every verb with intervals from resamples takes: --ci, how many, and never so few that an interval's
// ends are chance; --seed; --noise (noise_option.h).
#pragma once

#include "apps/wattflex/arguments.h"
#include "apps/wattflex/verb.h"
#include "elasticity/flexibility.h"

namespace wattflex::app {

// Below this many the 2.5th percentile lies between the lowest two or three values.
inline constexpr int kFewestResamples = 100;

// `help` and `most` are one statement: the help names the range that resamples_from() accepts.
struct ResamplesRule {
  std::string_view fallback;
  std::string_view help;
  int most = 0;
  bool zero = false;  // 0, for no intervals, is allowed
};

Option resamples_option(const ResamplesRule& rule);
Result<int> resamples_from(const Arguments& arguments, const ResamplesRule& rule);
// --noise, --ci and --seed at once.
Result<elasticity::FlexibilityOptions> interval_options_from(const Arguments& arguments,
                                                             const ResamplesRule& rule);

}  // namespace wattflex::app
