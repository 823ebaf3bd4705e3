// Do classes of jobs differ in flexibility, and which ones (arXiv:2609.11542, Tables 10 and 11)?
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "elasticity/indexed_groups.h"
#include "elasticity/job_class.h"
#include "stats/rank_tests.h"

namespace wattflex::elasticity {

struct ClassSummary {
  std::string name;
  std::size_t n = 0;
  double median = 0;  // of the index
};

struct ClassComparison {
  Grouping by = Grouping::paper_class;
  std::vector<ClassSummary> classes;  // by name, so that pairs are too
  stats::KruskalWallis kruskal_wallis;
  std::vector<stats::DunnComparison> pairs;  // first and second are positions in `classes`
  std::vector<LeftOut> left_out;             // groups that do not state their class
};

// No value (ErrorKind::no_data, naming the missing column) when no group states its class, when all are of
// one class, or when all indices are equal.
Result<ClassComparison> compare_classes(const IndexedGroups& indexed, Grouping by);

}  // namespace wattflex::elasticity
