#include "apps/wattflex/resamples_option.h"

#include <fmt/core.h>

#include <limits>

#include "apps/wattflex/noise_option.h"

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

Result<elasticity::FlexibilityOptions> interval_options_from(const Arguments& arguments,
                                                             const ResamplesRule& rule) {
  const auto noise = noise_from(arguments);
  if (!noise) return std::unexpected(noise.error());
  const auto resamples = resamples_from(arguments, rule);
  if (!resamples) return std::unexpected(resamples.error());
  const auto seed = arguments.integer("seed", 0, std::numeric_limits<long long>::max());
  if (!seed) return std::unexpected(seed.error());
  return elasticity::FlexibilityOptions{
      .noise = *noise, .resamples = *resamples, .seed = static_cast<std::uint64_t>(*seed)};
}

}  // namespace wattflex::app
