#include "device/cap_range.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace wattflex::device {
namespace {

Power from_milliwatts(long long value) {
  return Power::from_watts(static_cast<double>(value) / 1000);
}

}  // namespace

Result<CapRange> CapRange::of(const PowerLimits& limits, const std::string& gpu) {
  if (!limits.least || !limits.most || *limits.least > *limits.most) {
    return fail(ErrorKind::unsupported, gpu + ": its range of power limits can't be read",
                "'wattflex doctor' says what this GPU lets us read and set");
  }
  return CapRange(*limits.least, *limits.most, limits.factory, gpu);
}

Result<FittedCap> CapRange::fit(Power asked, OutOfRange policy) const {
  const long long least = whole_milliwatts(least_);
  const long long most = whole_milliwatts(most_);
  const double wanted = asked.watts() * 1000;
  const bool inside = wanted >= static_cast<double>(least) && wanted <= static_cast<double>(most);
  if (!inside && policy == OutOfRange::refuse) {
    return fail(ErrorKind::refused,
                fmt::format("{}: {:g} W is outside what it takes, {:g} to {:g} W", gpu_, asked.watts(),
                            least_.watts(), most_.watts()),
                "ask for a cap within the range");
  }
  const double clamped = std::clamp(wanted, static_cast<double>(least), static_cast<double>(most));
  return FittedCap{asked, from_milliwatts(std::llround(clamped))};
}

Result<FittedCap> CapRange::fit_share(double share, OutOfRange policy) const {
  if (!factory_) {
    return fail(ErrorKind::unsupported, gpu_ + ": its default limit can't be read, so no share of it either",
                "give the cap in watts");
  }
  return fit(from_milliwatts(std::llround(share * factory_->watts() * 1000)), policy);
}

Result<std::vector<Power>> CapRange::ladder(Power step) const {
  const long long down = whole_milliwatts(step);
  if (down < 1) return fail(ErrorKind::usage, "a step between caps must be above 0 W", "give e.g. 25W");
  std::vector<Power> caps;
  for (long long cap = whole_milliwatts(most_); cap >= whole_milliwatts(least_); cap -= down)
    caps.push_back(from_milliwatts(cap));
  return caps;
}

}  // namespace wattflex::device
