// Finds groups by the hash of their names: a flat table of places, where std::unordered_map would allocate a
// node and a key for each of millions of groups (a third of the time of reading a table). The names
// themselves stay with the groups, and the caller compares them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace wattflex::ingest {

class GroupIndex {
 public:
  // The place entered with `hash` for which `is_it(place)` holds; when there is none, enters `fresh` and
  // gives it back.
  template <class IsIt>
  std::size_t find_or_enter(std::uint64_t hash, std::size_t fresh, IsIt is_it) {
    if (2 * (entered_ + 1) > slots_.size()) grow();
    for (std::size_t at = hash & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
      Slot& slot = slots_[at];
      if (slot.place == kFree) {
        slot = {hash, fresh};
        ++entered_;
        return fresh;
      }
      if (slot.hash == hash && is_it(slot.place)) return slot.place;
    }
  }

 private:
  static constexpr std::size_t kFree = static_cast<std::size_t>(-1);

  struct Slot {
    std::uint64_t hash = 0;
    std::size_t place = kFree;
  };

  // The number of slots stays a power of two, at most half of them taken.
  void grow() {
    const std::vector<Slot> old = std::move(slots_);
    slots_.assign(old.empty() ? 64 : 2 * old.size(), Slot());
    for (const Slot& slot : old) {
      if (slot.place == kFree) continue;
      std::size_t at = slot.hash & (slots_.size() - 1);
      while (slots_[at].place != kFree) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::size_t entered_ = 0;
};

}  // namespace wattflex::ingest
