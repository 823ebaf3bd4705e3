#include "ingest/group_walker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace wattflex::ingest {
namespace {

// A row set aside: where it stood, and its text.
struct RecordHead {
  std::uint64_t row;
  std::uint32_t bytes;
  bool terminated;
};

Result<bool> read_exactly(ScratchFile& file, char* into, std::size_t count) {
  const auto got = file.read({into, count});
  if (!got) return std::unexpected(got.error());
  return *got == count;
}

}  // namespace

bool SplitGroups::add_run(std::uint64_t group_hash) {
  seen_.push_back(group_hash);
  if (seen_.size() < compact_at_) return true;
  compact();
  compact_at_ = std::max(kFewGroups, 2 * seen_.size());
  return seen_.size() < kMostGroups;
}

void SplitGroups::settle() {
  compact();
  seen_ = {};
}

void SplitGroups::compact() {
  std::ranges::sort(seen_);
  for (std::size_t i = 1; i < seen_.size(); ++i) {
    if (seen_[i] == seen_[i - 1]) split_.push_back(seen_[i]);
  }
  seen_.erase(std::ranges::unique(seen_).begin(), seen_.end());
  std::ranges::sort(split_);
  split_.erase(std::ranges::unique(split_).begin(), split_.end());
}

bool SplitGroups::contains(std::uint64_t group_hash) const {
  return !split_.empty() && std::ranges::binary_search(split_, group_hash);
}

GroupWalker::GroupWalker(Inputs inputs)
    : inputs_(std::move(inputs)), stream_(inputs_.source, inputs_.findings) {}

Result<bool> GroupWalker::open() {
  if (const auto done = inputs_.source.rewind(); !done) return std::unexpected(done.error());
  return stream_.open();
}

std::optional<SweepGroup> GroupWalker::close_open_group() {
  if (!open_) return std::nullopt;
  std::optional<OpenGroup> open = std::exchange(open_, std::nullopt);
  if (close_group(*open, inputs_.findings)) return std::move(open->group);
  if (!open->dropped_because.empty()) {
    note_dropped({std::move(open->group.id), std::move(open->dropped_because)});
  }
  return std::nullopt;
}

void GroupWalker::note_dropped(DroppedGroup group) {
  if (dropped_.size() < kMostDropped) dropped_.push_back(std::move(group));
}

bool GroupWalker::start_group(const SweepRow& row, std::uint64_t hash) {
  open_.emplace();
  open_->group.id = {inputs_.table, std::string(row.group), std::string(row.accelerator)};
  open_->first_row = row.point.row;
  return inputs_.runs == nullptr || inputs_.runs->add_run(hash);
}

Result<void> GroupWalker::set_aside(std::uint64_t hash) {
  parts_.resize(kParts);
  std::optional<ScratchFile>& part = parts_[(hash >> 32) % kParts];
  if (!part) {
    auto created = ScratchFile::create();
    if (!created) return std::unexpected(created.error());
    part = *std::move(created);
  }
  const Line& line = stream_.line();
  const RecordHead head{line.number, static_cast<std::uint32_t>(line.text.size()), line.terminated};
  char bytes[sizeof head];
  std::memcpy(bytes, &head, sizeof head);
  if (const auto done = part->append({bytes, sizeof bytes}); !done) return done;
  return part->append(line.text);
}

Result<std::optional<SweepGroup>> GroupWalker::next_together() {
  while (rows_left_) {
    const auto more = stream_.next(row_);
    if (!more) return std::unexpected(more.error());
    rows_left_ = *more;
    if (!rows_left_) break;
    if (row_.group.empty()) continue;
    if (open_ && open_->is_of(row_)) {
      open_->add(row_, inputs_.findings);
      continue;
    }
    std::optional<SweepGroup> finished = close_open_group();
    const std::uint64_t hash = group_hash(row_);
    if (inputs_.split.contains(hash)) {
      if (const auto done = set_aside(hash); !done) return std::unexpected(done.error());
    } else {
      if (!start_group(row_, hash)) {
        return fail(ErrorKind::refused,
                    fmt::format("{}: more than {} million groups", inputs_.source.name(),
                                SplitGroups::kMostGroups / 1'000'000),
                    "split the table into several files");
      }
      open_->add(row_, inputs_.findings);
    }
    if (finished) return finished;
  }
  return close_open_group();
}

// Reads the next part's groups into loaded_; false when there is none.
Result<bool> GroupWalker::load_part() {
  while (next_part_ < parts_.size() && !parts_[next_part_]) ++next_part_;
  if (next_part_ >= parts_.size()) return false;
  ScratchFile& part = *parts_[next_part_];
  if (const auto done = part.rewind(); !done) return std::unexpected(done.error());
  GroupCollector collector(inputs_.table);
  // The rows' own findings were recorded when they were first read.
  Findings again;
  SweepRowReader rows(stream_.layout(), again);
  std::string text;
  for (;;) {
    char bytes[sizeof(RecordHead)];
    const auto more = read_exactly(part, bytes, sizeof bytes);
    if (!more) return more;
    if (!*more) break;
    RecordHead head{};
    std::memcpy(&head, bytes, sizeof head);
    text.resize(head.bytes);
    if (const auto body = read_exactly(part, text.data(), text.size()); !body) return body;
    rows.read({.text = text, .number = head.row, .terminated = head.terminated}, row_);
    collector.add(row_, inputs_.findings);
  }
  parts_[next_part_++].reset();
  loaded_ = collector.take(inputs_.findings);
  for (const DroppedGroup& group : collector.dropped()) note_dropped(group);
  std::ranges::reverse(loaded_);
  return true;
}

Result<std::optional<SweepGroup>> GroupWalker::next() {
  auto group = next_together();
  if (!group || *group) return group;
  while (loaded_.empty()) {
    const auto more = load_part();
    if (!more) return std::unexpected(more.error());
    if (!*more) return std::nullopt;
  }
  group = std::move(loaded_.back());
  loaded_.pop_back();
  return group;
}

}  // namespace wattflex::ingest
