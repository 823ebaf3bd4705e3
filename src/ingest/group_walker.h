// One pass over a sweep table that gives its groups one by one. Groups whose rows stand together are built
// straight from the file. The others (`SplitGroups`, learnt by a pass before) are dealt out by hash to
// scratch files, each small enough to be read whole, and come last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "ingest/finding.h"
#include "ingest/sweep_groups.h"
#include "ingest/sweep_row_stream.h"
#include "ingest/text_source.h"
#include "model/sweep.h"

namespace wattflex::ingest {

// Hashes of groups met more than once. A collision only sends a whole group through a scratch file.
class SplitGroups {
 public:
  // At most this many groups in one table: 8 bytes each, 128 MiB.
  static constexpr std::size_t kMostGroups = std::size_t{1} << 24;

  // Once for every run of rows of one group, then settle(). False when there are too many groups.
  bool add_run(std::uint64_t group_hash);
  void settle();
  bool contains(std::uint64_t group_hash) const;
  bool empty() const { return split_.empty(); }

 private:
  // Below this many, forgetting repeated runs saves nothing.
  static constexpr std::size_t kFewGroups = std::size_t{1} << 16;

  void compact();

  std::size_t compact_at_ = kFewGroups;
  std::vector<std::uint64_t> seen_;   // sorted and unique up to the last compact()
  std::vector<std::uint64_t> split_;  // sorted
};

class GroupWalker {
 public:
  // All must outlive the walker. `split` are the groups to deal out; every run of rows is told to `runs` when
  // it is given.
  struct Inputs {
    TextSource& source;
    std::string table;
    const SplitGroups& split;
    SplitGroups* runs;
    Findings& findings;
  };
  explicit GroupWalker(Inputs inputs);

  // False when the header is unusable.
  Result<bool> open();
  // The next usable group; nothing at the end.
  Result<std::optional<SweepGroup>> next();

  SweepRowStream& rows() { return stream_; }
  // The first kMostDropped groups left out so far; the findings count all.
  const std::vector<DroppedGroup>& dropped() const { return dropped_; }

 private:
  // 1 GiB of rows dealt out by these leaves 8 MiB a file.
  static constexpr std::size_t kParts = 128;
  // As many as people read; a table may have millions.
  static constexpr std::size_t kMostDropped = 1000;

  Result<std::optional<SweepGroup>> next_together();
  Result<void> set_aside(std::uint64_t hash);
  Result<bool> load_part();
  void note_dropped(DroppedGroup group);
  bool start_group(const SweepRow& row, std::uint64_t hash);
  std::optional<SweepGroup> close_open_group();

  Inputs inputs_;
  SweepRowStream stream_;
  SweepRow row_;
  std::optional<OpenGroup> open_;
  bool rows_left_ = true;
  std::vector<std::optional<ScratchFile>> parts_;
  std::size_t next_part_ = 0;
  std::vector<SweepGroup> loaded_;  // of the current part, last first
  std::vector<DroppedGroup> dropped_;
};

}  // namespace wattflex::ingest
