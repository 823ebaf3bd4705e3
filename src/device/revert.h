// Whose hand a limit shows that is no longer the one we set (CAP-01, CAP-02). Judged from one reading of
// limits and persistence mode together. Says nothing of when it happened.
#pragma once

#include <optional>
#include <string_view>

#include "model/gpu.h"

namespace wattflex::device {

enum class Revert {
  none,              // the limit is still ours
  persistence_off,   // back at the default, and the driver may forget when nobody holds it
  reset_to_default,  // back at the default: driver reload, reset, or someone who wanted just that
  foreign_writer,    // another value than ours or the default
};

std::string_view to_string(Revert revert);

// Nothing where the requested limit or the default can't be read.
std::optional<Revert> classify_revert(Power ours, const PowerLimits& now);

}  // namespace wattflex::device
