// What a power-cap sweep measured: groups of points, one job configuration each, at several caps.
// Values only; reading them is src/ingest, judging them src/elasticity.
#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/quantity.h"

namespace wattflex {

enum class Architecture { unknown, dense, moe };
enum class Task { unknown, pretraining, fine_tuning, training, inference };

// Which statistic of the draw a table's power column holds. Only the mean belongs into an index.
enum class PowerKind { mean, p95, peak, instant };

// What held the job back while the point was measured. `unstated`: the table has no such column or cell.
enum class Limiter { unstated, none, power_cap, thermal, other };

// Where the numbers come from; never mixed unlabelled.
enum class Pedigree { measured, simulated, predicted };

std::string_view to_string(Architecture architecture);
std::string_view to_string(Task task);
std::string_view to_string(PowerKind kind);
std::string_view to_string(Limiter limiter);
std::string_view to_string(Pedigree pedigree);

// Texts as tables carry them ("dense", "fine-tuning", "p95", "hw_thermal", ...); nothing when unknown.
std::optional<Architecture> parse_architecture(std::string_view text);
std::optional<Task> parse_task(std::string_view text);
std::optional<PowerKind> parse_power_kind(std::string_view text);
std::optional<Limiter> parse_limiter(std::string_view text);
std::optional<Pedigree> parse_pedigree(std::string_view text);

// One row: a job held at one cap. Power and throughput are the whole job's, the cap is per GPU.
struct SweepPoint {
  Power cap;
  Power power;            // > 0
  double throughput = 0;  // > 0, in the table's own unit; only ratios within a group mean anything
  std::optional<Power> power_stderr;
  std::optional<double> throughput_stderr;
  std::optional<Power> requested;  // cap asked for, per GPU
  std::optional<Power> enforced;   // cap the driver really applied, per GPU
  Limiter limited_by = Limiter::unstated;
  PowerKind power_kind = PowerKind::mean;
  std::vector<std::optional<double>> telemetry;  // parallel to SweepTable::telemetry_columns, or empty
  std::size_t row = 0;                           // line in the source file, 1-based; 0 when not from a file
};

// Groups of different tables are never merged, nor the same name on two accelerators.
struct GroupId {
  std::string table;  // file stem
  std::string group;
  std::string accelerator;

  friend bool operator==(const GroupId&, const GroupId&) = default;
  friend auto operator<=>(const GroupId&, const GroupId&) = default;
};

struct SweepGroup {
  GroupId id;
  Architecture architecture = Architecture::unknown;
  Task task = Task::unknown;
  std::string model;
  Pedigree pedigree = Pedigree::measured;
  int gpus = 0;                    // > 0
  std::vector<SweepPoint> points;  // by falling cap; never empty

  // The row with the largest cap.
  const SweepPoint& uncapped() const { return points.front(); }
};

// A group of a table that reading left out: what its rows lost without numbers cannot be done without.
struct DroppedGroup {
  GroupId id;
  std::string reason;  // "its uncapped run has no numbers"
};

struct SweepTable {
  std::string name;                            // file stem
  std::vector<std::string> telemetry_columns;  // our own names (docs/telemetry.md)
  std::vector<SweepGroup> groups;              // in order of first appearance
  std::vector<std::string> warnings;           // accepted, but the reader should know
  std::vector<DroppedGroup> dropped;           // not among the groups
};

}  // namespace wattflex
