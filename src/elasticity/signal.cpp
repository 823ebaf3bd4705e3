#include "elasticity/signal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/counted.h"
#include "elasticity/feature.h"
#include "stats/descriptive.h"
#include "stats/multiple_testing.h"

namespace wattflex::elasticity {
namespace {

constexpr std::size_t kFewestLeft = 5;

struct MeasuredGroup {
  const SweepGroup* group;
  double metric;
  double index;
};

struct MeasuredGroups {
  std::vector<MeasuredGroup> groups;
  std::string last_reason;  // why some group is not among them
};

MeasuredGroups with_metric(std::span<const std::string> columns, const IndexedGroups& indexed,
                           std::string_view metric) {
  MeasuredGroups measured;
  for (const auto& [group, index] : indexed.groups) {
    FeatureReading reading = read_feature(metric, columns, *group);
    if (reading.value) {
      measured.groups.push_back({group, *reading.value, index});
    } else {
      measured.last_reason = std::move(reading.reason);
    }
  }
  return measured;
}

Association associate(const std::vector<MeasuredGroup>& groups) {
  std::vector<double> metric;
  std::vector<double> index;
  for (const MeasuredGroup& group : groups) {
    metric.push_back(group.metric);
    index.push_back(group.index);
  }
  Association association{.n = groups.size()};
  if (const auto correlation = stats::spearman(metric, index)) {
    association.correlation = *correlation;
  } else {
    association.reason = correlation.error().message;
  }
  return association;
}

std::vector<MeasuredGroup>::iterator farthest_from_mean(std::vector<MeasuredGroup>& groups,
                                                        double& leverage) {
  std::vector<double> metric;
  metric.reserve(groups.size());
  for (const MeasuredGroup& group : groups) metric.push_back(group.metric);
  const double centre = stats::mean(metric);
  const auto squared = [&](const MeasuredGroup& group) { return std::pow(group.metric - centre, 2); };
  double total = 0;
  for (const MeasuredGroup& group : groups) total += squared(group);
  const auto farthest = std::ranges::max_element(groups, {}, squared);
  const double share = total > 0 ? squared(*farthest) / total : 0;
  leverage = 1 / static_cast<double>(groups.size()) + share;
  return farthest;
}

}  // namespace

std::vector<Signal> correlate_signals(std::span<const std::string> columns, const IndexedGroups& indexed) {
  std::vector<Signal> signals;
  for (const std::string& metric : telemetry_features(columns)) {
    const MeasuredGroups measured = with_metric(columns, indexed, metric);
    Signal signal{.metric = metric, .association = associate(measured.groups)};
    if (measured.groups.empty()) signal.association.reason = measured.last_reason;
    signals.push_back(std::move(signal));
  }
  std::ranges::stable_sort(signals, std::greater(), [](const Signal& signal) {
    const auto& correlation = signal.association.correlation;
    return correlation ? std::abs(correlation->rho) : -1;
  });
  std::vector<double> p_values;
  for (const Signal& signal : signals) {
    if (signal.association.correlation) p_values.push_back(signal.association.correlation->p_value);
  }
  const auto q_values = stats::benjamini_hochberg(p_values);
  for (std::size_t i = 0; i < q_values.size(); ++i) signals[i].q = q_values[i];  // those without p sort last
  return signals;
}

Result<std::vector<DropStep>> drop_by_leverage(std::span<const std::string> columns,
                                               const IndexedGroups& indexed, std::string_view metric,
                                               int drops) {
  MeasuredGroups measured = with_metric(columns, indexed, metric);
  std::vector<MeasuredGroup>& groups = measured.groups;
  if (groups.size() < 3) {
    const std::string why = measured.last_reason.empty() ? "" : ": " + measured.last_reason;
    return fail(
        ErrorKind::no_data,
        fmt::format("{} with {}, at least 3 are needed{}", counted(groups.size(), "group"), metric, why), "");
  }
  std::vector<DropStep> steps{{.association = associate(groups)}};
  for (int drop = 0; drop < drops && groups.size() > kFewestLeft; ++drop) {
    DropStep step;
    const auto farthest = farthest_from_mean(groups, step.leverage);
    step.dropped = farthest->group->id;
    groups.erase(farthest);
    step.association = associate(groups);
    steps.push_back(std::move(step));
  }
  return steps;
}

std::vector<Subgroup> correlate_subgroups(std::span<const std::string> columns, const IndexedGroups& indexed,
                                          std::string_view metric) {
  const MeasuredGroups measured = with_metric(columns, indexed, metric);
  const auto select = [&](std::string name, auto predicate) {
    std::vector<MeasuredGroup> selected;
    for (const MeasuredGroup& group : measured.groups) {
      if (predicate(*group.group)) selected.push_back(group);
    }
    return Subgroup{.name = std::move(name), .association = associate(selected)};
  };
  const auto is = [](Architecture architecture) {
    return [architecture](const SweepGroup& group) { return group.architecture == architecture; };
  };
  return {select("dense", is(Architecture::dense)), select("moe", is(Architecture::moe)),
          select("all but moe fine-tuning",
                 [](const SweepGroup& group) {
                   return group.architecture != Architecture::unknown &&
                          !(group.architecture == Architecture::moe && group.task == Task::fine_tuning);
                 }),
          select("all", [](const SweepGroup&) { return true; })};
}

}  // namespace wattflex::elasticity
