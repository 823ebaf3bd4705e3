// Checks an allocation against its problem from scratch. Shares no code with the policies or the solver: it
// reads curves point by point and adds everything up itself, so that one mistake cannot hide in both.
#pragma once

#include "allocate/allocation.h"

namespace wattflex::allocate {

// Every draw within its job's range and floor, the sum within the budget (or the stated shortfall above it),
// the objective as recomputed, no bound below the objective or above what any draw could yield. An error here
// is a bug of Wattflex and says so.
Result<void> verify(const Problem& problem, Power cut, const Allocation& allocation);

}  // namespace wattflex::allocate
