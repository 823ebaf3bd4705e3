// The tables of a report: one row a group, one a measured point, one a policy.
#pragma once

#include "report/cut_study.h"
#include "report/document.h"
#include "report/evidence.h"

namespace wattflex::report {

Table groups_table(const Evidence& evidence);

// Every point with its verdict and reason, folded away. Above kMostPointRows the rest is left to `wattflex
// pfi`.
inline constexpr std::size_t kMostPointRows = 3000;
Table verdicts_table(const Evidence& evidence);

// Throughput kept by policy at round cuts and at the one asked for; tinted by the difference to equal
// sharing.
Table policies_table(const CutStudy& study);

// What to expect of each policy's promise at the cut asked for (allocate/certainty.h).
Table expectations_table(const CutStudy& study);

// The cap every policy gives each job at the cut asked for, and the throughput it keeps.
Table jobs_table(const CutStudy& study);

}  // namespace wattflex::report
