// The groups of a table beside their flexibility index: what every comparison between groups starts from.
// Groups without an index are kept with the reason. One pedigree at a time: real and simulated groups never
// mix.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "elasticity/flexibility.h"
#include "model/sweep.h"

namespace wattflex::elasticity {

// Which index of flexibility.h is explained or predicted.
enum class Target { published, guarded, pooled };

std::string_view to_string(Target target);      // "pfi", "guarded", "pooled"
std::string_view definition_of(Target target);  // one sentence
std::optional<Target> parse_target(std::string_view text);
const Estimate& index_of(const Flexibility& flexibility, Target target);

struct IndexedGroup {
  const SweepGroup* group = nullptr;  // of the table it was made from, which must live on
  double index = 0;
};

struct LeftOut {
  GroupId id;
  std::string reason;
};

struct IndexedGroups {
  Pedigree pedigree = Pedigree::measured;
  Target target = Target::published;
  std::vector<IndexedGroup> groups;
  std::vector<LeftOut> left_out;
};

// By group and accelerator, so that nothing computed from them hangs on the order of a table. Refused when
// the groups' pedigrees differ. A result without groups is no error.
Result<IndexedGroups> index_groups(const SweepTable& table, Target target);

// In order of first appearance.
std::vector<std::string> accelerators_of(const SweepTable& table);
// The groups of one accelerator; with an empty `accelerator` the table must have only one.
Result<SweepTable> only_accelerator(SweepTable table, std::string_view accelerator);

}  // namespace wattflex::elasticity
