// Caps a board takes: shares of its default as whole milliwatts, and lists for a sweep (CAP-09). A cap
// outside the range is refused or clamped as the caller says, never rounded into it unseen. Not for jobs of
// several boards.
#pragma once

#include <vector>

#include "base/error.h"
#include "base/quantity.h"
#include "model/gpu.h"

namespace wattflex::device {

enum class OutOfRange { refuse, clamp };

struct FittedCap {
  Power asked;
  Power cap;  // what can be written, in whole milliwatts

  bool clamped() const { return asked != cap; }
};

class CapRange {
 public:
  // Fails where the board does not tell its range.
  static Result<CapRange> of(const PowerLimits& limits, const std::string& gpu);

  Power least() const { return least_; }
  Power most() const { return most_; }
  Result<FittedCap> fit(Power asked, OutOfRange policy) const;
  // A share of the default limit, 0.83 for 83 %.
  Result<FittedCap> fit_share(double share, OutOfRange policy) const;
  // From the largest limit down by `step`, all within the range.
  Result<std::vector<Power>> ladder(Power step) const;

 private:
  CapRange(Power least, Power most, Reading<Power> factory, std::string gpu)
      : least_(least), most_(most), factory_(factory), gpu_(std::move(gpu)) {}

  Power least_;
  Power most_;
  Reading<Power> factory_;
  std::string gpu_;
};

}  // namespace wattflex::device
