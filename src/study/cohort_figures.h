// The paper's tables of indices and group tests (6 to 11), computed from any cohort: from the published
// two-decimal indices, or from a simulated sweep table. Which of the two it was is the caller's to say
// (reproduction.h).
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "model/sweep.h"

namespace wattflex::study {

// One number of one table of the paper.
struct Figure {
  std::string table;     // "6", "10", "allocation"
  std::string subject;   // the row: a group, a pair, a predictor set
  std::string quantity;  // the column: "PFI", "rho", ...
  double value = 0;
};

struct IndexedGroup {
  std::string name;
  Architecture architecture = Architecture::unknown;
  Task task = Task::unknown;
  double pfi = 0;
};

struct IndexPair {
  std::string name;
  double first = 0;
  double second = 0;
};

struct IndexedCohort {
  std::vector<IndexedGroup> headline;    // Table 6
  std::vector<IndexedGroup> validation;  // Table 7
  std::vector<IndexPair> boards;         // Table 8: PFI on H200 and on H100
  std::vector<IndexPair> grids;          // Table 9: PFI on six caps and on 200/500/600/700 W
};

// The cohort as the paper prints it.
IndexedCohort published_cohort();

// The cohort as swept: groups of both boards under the names of src/twin/cohort.h. Refused when a published
// group is missing or has no index.
Result<IndexedCohort> indexed_cohort(const SweepTable& table);

// Tables 6 to 11 of a cohort. No value when a test has none, as for constant indices.
Result<std::vector<Figure>> index_figures(const IndexedCohort& cohort);

}  // namespace wattflex::study
