// How `wattflex compare` shows its results, in every format.
#pragma once

#include <string>
#include <vector>

#include "apps/wattflex/console.h"
#include "apps/wattflex/verb.h"
#include "elasticity/comparison.h"
#include "elasticity/predictor_comparison.h"

namespace wattflex::app {

struct TableComparison {
  std::string a;
  std::string b;
  elasticity::RunToRun run_to_run;
  std::vector<elasticity::GroupComparison> groups;
  std::vector<std::string> only_in_a;
  std::vector<std::string> only_in_b;
  std::vector<std::string> table_warnings;  // of both tables
};

// Significant differences only, or `all`; CSV and JSON hold all.
void print(const TableComparison& comparison, bool all, Console& console);
void print(const elasticity::PredictorComparison& comparison, const elasticity::Predictor& a,
           const elasticity::Predictor& b, Console& console);

// "a, b, c, d, e and 3 more".
std::string some_of(const std::vector<std::string>& names);

std::vector<JsonField> compare_json_fields();

}  // namespace wattflex::app
