// Rows into groups, and what only a whole group or a whole table can show: doubled caps, a missing reference,
// draw above the cap, sweeps with fewer caps than their peers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ingest/finding.h"
#include "ingest/group_index.h"
#include "ingest/sweep_rows.h"
#include "model/sweep.h"

namespace wattflex::ingest {

// One row for every whole watt up to 10 kW; more is many jobs under one name.
inline constexpr std::size_t kMostPoints = 10'000;

// A group while its rows come in.
struct OpenGroup {
  SweepGroup group;
  std::size_t first_row = 0;
  RowUse worst = RowUse::used;  // of its rows
  Power largest_left_out;       // cap of rows that were left out
  std::string dropped_because;  // set when it is closed and left out

  void add(SweepRow& row, Findings& findings);
  bool is_of(const SweepRow& row) const {
    return group.id.group == row.group && group.id.accelerator == row.accelerator;
  }
};

// Whether a group of one row can be used: not for an index, which needs a capped point besides.
enum class LoneRow { refused, accepted };

// Sorts the points by falling cap and judges the group. False when it cannot be used: refused (an error is
// recorded) or left out (a warning is).
bool close_group(OpenGroup& open, Findings& findings, LoneRow lone_row = LoneRow::refused);

// Collects rows into groups by (group, accelerator), in order of first appearance.
class GroupCollector {
 public:
  explicit GroupCollector(std::string table, LoneRow lone_row = LoneRow::refused)
      : table_(std::move(table)), lone_row_(lone_row) {}

  void add(SweepRow& row, Findings& findings);
  // Closes all groups, drops the unusable ones and leaves the collector empty.
  std::vector<SweepGroup> take(Findings& findings);
  // Some group's rows do not stand together.
  bool has_split_groups() const { return has_split_groups_; }
  // Those that `take` left out.
  const std::vector<DroppedGroup>& dropped() const { return dropped_; }

 private:
  std::string table_;
  LoneRow lone_row_;
  std::vector<OpenGroup> groups_;
  std::vector<DroppedGroup> dropped_;
  GroupIndex index_;
  std::size_t last_ = 0;
  bool has_split_groups_ = false;
};

// What a table is told that has no usable group: the first that was left out, and why.
std::string none_usable(const std::vector<DroppedGroup>& dropped);

// Says that the rows of a group do not all stand together.
void note_split_groups(Findings& findings);

// Of the row's group and accelerator, all bits mixed; different groups may have one hash.
std::uint64_t group_hash(const SweepRow& row);

struct GroupSummary {
  GroupId id;
  Pedigree pedigree = Pedigree::measured;
  int gpus = 0;
  std::size_t caps = 0;
  Power largest_cap;
  Power smallest_cap;
  Power uncapped_draw;
  std::size_t row = 0;  // of the uncapped point
};

// What is told about the table as a whole, from its groups one after the other.
class TableSurvey {
 public:
  void add(const SweepGroup& group);
  void finish(Findings& findings) const;

  std::size_t groups() const { return groups_; }
  std::size_t points() const { return points_; }
  // Those that have a name.
  std::vector<std::string> accelerators() const;
  // The first kMostListed groups.
  const std::vector<GroupSummary>& listed() const { return listed_; }

 private:
  // Beyond these a table is no longer one about accelerators; counting stops.
  static constexpr std::size_t kMostAccelerators = 1000;
  // As many as people read; a table may have millions.
  static constexpr std::size_t kMostListed = 1000;

  struct SameSize {
    std::size_t groups = 0;
    std::string first_group;
    std::size_t first_row = 0;
  };

  std::size_t groups_ = 0;
  std::size_t points_ = 0;
  std::vector<GroupSummary> listed_;
  std::map<std::string, std::map<std::size_t, SameSize>> by_accelerator_;  // then by number of caps
};

}  // namespace wattflex::ingest
