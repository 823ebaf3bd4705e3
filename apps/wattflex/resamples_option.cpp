#include "apps/wattflex/resamples_option.h"

#include <fmt/core.h>

namespace wattflex::app {

Option resamples_option(const ResamplesRule& rule) {
  return {"--ci", "N", rule.fallback, rule.help};
}

Result<int> resamples_from(const Arguments& arguments, const ResamplesRule& rule) {
  const auto count = arguments.integer("ci", 0, rule.most);
  if (count && (*count >= kFewestResamples || (*count == 0 && rule.zero))) return static_cast<int>(*count);
  return fail(
      ErrorKind::usage,
      fmt::format("--ci: '{}' is not a number of resamples{}", arguments.text("ci"),
                  count ? "; fewer than 100 say nothing about the ends of an interval" : ""),
      fmt::format("give {} to {}{}", kFewestResamples, rule.most, rule.zero ? ", or 0 for none" : ""));
}

}  // namespace wattflex::app
