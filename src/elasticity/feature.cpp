#include "elasticity/feature.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "base/parse.h"
#include "elasticity/verdict.h"
#include "ingest/telemetry_names.h"

namespace wattflex::elasticity {
namespace {

enum class Operation { product, quotient };

struct Composite {
  std::string_view name;
  std::string_view first;
  std::string_view second;
  Operation operation;
};

constexpr std::array kComposites = std::to_array<Composite>({
    {"dram_copy_product", "dram_active", "mem_copy_util", Operation::product},
    {"arithmetic_intensity", "tensor_active", "dram_active", Operation::quotient},
    {"tensor_per_sm", "tensor_active", "sm_active", Operation::quotient},
});

constexpr std::array<std::string_view, 3> kMetadata{"is_moe", "is_fine_tuning", "log2_gpus"};

// No job makes progress without these.
constexpr std::array<std::string_view, 3> kNeverZero{"dram_active", "sm_active", "gr_engine_active"};

bool contains(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

const Composite* find_composite(std::string_view name) {
  const auto* const found = std::ranges::find(kComposites, name, &Composite::name);
  return found == kComposites.end() ? nullptr : found;
}

bool has_column(std::span<const std::string> columns, std::string_view name) {
  return std::ranges::find(columns, name) != columns.end();
}

FeatureReading refused(std::string reason) {
  return {.value = std::nullopt, .reason = std::move(reason)};
}

std::optional<double> raw(std::string_view column, std::span<const std::string> columns,
                          const SweepPoint& point) {
  const auto found = std::ranges::find(columns, column);
  const auto index = static_cast<std::size_t>(found - columns.begin());
  return index < point.telemetry.size() ? point.telemetry[index] : std::nullopt;
}

bool profiling_is_dead(std::span<const std::string> columns, const SweepPoint& point) {
  bool any = false;
  bool all_zero = true;
  for (const std::string& name : columns) {
    const auto value = raw(name, columns, point);
    if (!value || !find_telemetry_name(name)->profiling) continue;
    any = true;
    if (*value != 0) all_zero = false;
    if (*value == 0 && contains(kNeverZero, name)) return true;
  }
  return any && all_zero;
}

FeatureReading read_column(std::string_view name, std::span<const std::string> columns,
                           const SweepGroup& group) {
  const SweepPoint& point = group.uncapped();
  if (!has_column(columns, name)) return refused(fmt::format("the table has no column {}", name));
  const auto value = raw(name, columns, point);
  if (!value) return refused(fmt::format("{} has no valid reading in the uncapped row", name));
  const TelemetryName& known = *find_telemetry_name(name);
  if (!std::isfinite(*value) || *value < known.lowest || *value > known.highest) {
    return refused(fmt::format("{} = {:g} is impossible (possible: {:g} to {:g})", name, *value, known.lowest,
                               known.highest));
  }
  if (known.profiling && profiling_is_dead(columns, point)) {
    return refused(
        fmt::format("{} is invalid: profiling counters read exactly 0 although the job made progress "
                    "at {:.0f} W per GPU",
                    name, (point.power / group.gpus).watts()));
  }
  return {.value = value, .reason = {}};
}

FeatureReading read_composite(const Composite& composite, std::span<const std::string> columns,
                              const SweepGroup& group) {
  const FeatureReading first = read_column(composite.first, columns, group);
  if (!first.value) return refused(first.reason);
  const FeatureReading second = read_column(composite.second, columns, group);
  if (!second.value) return refused(second.reason);
  if (composite.operation == Operation::product) return {.value = *first.value * *second.value, .reason = {}};
  if (*second.value == 0)
    return refused(fmt::format("{} is 0, so there is no {}", composite.second, composite.name));
  return {.value = *first.value / *second.value, .reason = {}};
}

FeatureReading read_metadata(std::string_view name, const SweepGroup& group) {
  if (name == "log2_gpus") return {.value = std::log2(group.gpus), .reason = {}};
  if (name == "is_moe") {
    if (group.architecture == Architecture::unknown) return refused("the group does not state its arch");
    return {.value = group.architecture == Architecture::moe ? 1 : 0, .reason = {}};
  }
  if (group.task == Task::unknown) return refused("the group does not state its task");
  return {.value = group.task == Task::fine_tuning ? 1 : 0, .reason = {}};
}

std::vector<std::string> known_features() {
  std::vector<std::string> names;
  for (const TelemetryName& column : telemetry_names()) names.emplace_back(column.name);
  for (const Composite& composite : kComposites) names.emplace_back(composite.name);
  names.insert(names.end(), kMetadata.begin(), kMetadata.end());
  return names;
}

}  // namespace

FeatureReading read_feature(std::string_view name, std::span<const std::string> columns,
                            const SweepGroup& group) {
  assert(is_feature(name));
  if (contains(kMetadata, name)) return read_metadata(name, group);
  if (const auto fault = fault_of(group.uncapped()))
    return refused("the uncapped run is no reference: " + fault->reason);
  const Composite* const composite = find_composite(name);
  return composite != nullptr ? read_composite(*composite, columns, group)
                              : read_column(name, columns, group);
}

bool is_feature(std::string_view name) {
  return contains(kMetadata, name) || find_composite(name) != nullptr || find_telemetry_name(name) != nullptr;
}

std::vector<std::string> telemetry_features(std::span<const std::string> columns) {
  std::vector<std::string> names(columns.begin(), columns.end());
  for (const Composite& composite : kComposites) {
    if (has_column(columns, composite.first) && has_column(columns, composite.second)) {
      names.emplace_back(composite.name);
    }
  }
  return names;
}

Result<std::vector<std::string>> parse_features(std::string_view list, std::span<const std::string> columns) {
  std::vector<std::string> features;
  const auto add = [&](std::string name) {
    if (std::ranges::find(features, name) == features.end()) features.push_back(std::move(name));
  };
  const auto names = parse_list(list);
  if (!names) return std::unexpected(names.error());
  for (const std::string_view name : *names) {
    if (name == "job_metadata") {
      for (const std::string_view member : kMetadata) add(std::string(member));
    } else if (name == "all_telemetry") {
      std::ranges::for_each(telemetry_features(columns), add);
    } else if (is_feature(name)) {
      add(std::string(name));
    } else {
      return fail(ErrorKind::usage, fmt::format("'{}' is not a feature", name),
                  fmt::format("known: {}, and the sets job_metadata and all_telemetry",
                              fmt::join(known_features(), ", ")));
    }
  }
  if (features.empty()) {
    return fail(ErrorKind::no_data, "the table has no telemetry columns",
                "add dram_active and mem_copy_util");
  }
  return features;
}

}  // namespace wattflex::elasticity
