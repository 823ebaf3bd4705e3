// Checks an allocation against its problem from scratch. Shares no code with the policies or the solver: it
// reads curves point by point and adds everything up itself, so that one mistake cannot hide in both.
#pragma once

#include <span>

#include "allocate/allocation.h"

namespace wattflex::allocate {

// Every draw within its job's range and floor, the sum within the budget (or the stated shortfall above it),
// the objective as recomputed, no bound below the objective or above what any draw could yield. An error here
// (ErrorKind::internal) is a bug of Wattflex and says so.
Result<void> verify(const Problem& problem, Power cut, const Allocation& allocation);

// The caps to be written, one a job, against the rows of each job's sweep: what they drew when they were
// measured, linear between caps, adds up to no more than the budget of a plan that is met.
Result<void> verify_caps(const Problem& problem, const Allocation& allocation, std::span<const Power> caps);

}  // namespace wattflex::allocate
