// Which telemetry of the uncapped run goes with flexibility, and how far that rests on a few groups or on one
// class (arXiv:2609.11542, Tables 12 and 13). Rank correlations only; no model of the relation.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "elasticity/indexed_groups.h"
#include "stats/correlation.h"

namespace wattflex::elasticity {

// A correlation over n groups; without value, `reason` says why.
struct Association {
  std::size_t n = 0;
  std::optional<stats::RankCorrelation> correlation;
  std::string reason;
};

struct Signal {
  std::string metric;
  Association association;
  std::optional<double> q;  // Benjamini-Hochberg over all metrics that have a p value
};

// Every telemetry column and composite (feature.h), strongest first. Each over the groups that have it.
std::vector<Signal> correlate_signals(std::span<const std::string> columns, const IndexedGroups& indexed);

struct DropStep {
  std::optional<GroupId> dropped;  // none in the first step
  double leverage = 0;             // of the dropped group, among those before it was dropped
  Association association;
};

// The group with the largest leverage on a straight line in `metric` (that is, farthest from its mean) is
// dropped, again and again, `drops` times or until five groups remain. No value (ErrorKind::no_data) when
// fewer than three groups have the metric.
Result<std::vector<DropStep>> drop_by_leverage(std::span<const std::string> columns,
                                               const IndexedGroups& indexed, std::string_view metric,
                                               int drops);

struct Subgroup {
  std::string name;
  Association association;
};

// dense; moe; all but MoE fine-tuning; all.
std::vector<Subgroup> correlate_subgroups(std::span<const std::string> columns, const IndexedGroups& indexed,
                                          std::string_view metric);

}  // namespace wattflex::elasticity
