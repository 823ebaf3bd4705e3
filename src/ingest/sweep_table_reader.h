// Reads a sweep table of any size in bounded memory: checks the whole file first, then gives one group at a
// time. What does not fit memory is on disk: standard input and groups whose rows do not stand together go
// through unnamed files in $TMPDIR.
//
//   auto reader = SweepTableReader::open(path);            // refused tables fail here, before any result
//   for (;;) {
//     auto group = reader->next();                         // Result<std::optional<SweepGroup>>
//     if (!group) return std::unexpected(group.error());   // the file changed, or the disk failed
//     if (!*group) break;                                  // the end
//     use(**group);
//   }
//
// Groups come in the file's order, those whose rows do not stand together last. Not thread-safe.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/sweep.h"

namespace wattflex {

namespace ingest {
class TextSource;
}

class SweepTableReader {
 public:
  // `path` "-" is standard input.
  static Result<SweepTableReader> open(const std::string& path);
  // `text` must outlive the reader; `name` stands for the file in messages and names the table.
  static Result<SweepTableReader> of_text(std::string_view text, const std::string& name);

  SweepTableReader(const SweepTableReader&) = delete;
  SweepTableReader& operator=(const SweepTableReader&) = delete;
  SweepTableReader(SweepTableReader&&) noexcept;
  SweepTableReader& operator=(SweepTableReader&&) noexcept;
  ~SweepTableReader();

  const std::string& name() const;
  const std::vector<std::string>& telemetry_columns() const;
  const std::vector<std::string>& warnings() const;
  std::size_t group_count() const;
  // Groups that were left out; the first thousand, warnings() count all.
  const std::vector<DroppedGroup>& dropped() const;

  // The next group; nothing at the end.
  Result<std::optional<SweepGroup>> next();

 private:
  struct State;
  static Result<SweepTableReader> check(ingest::TextSource source);
  explicit SweepTableReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace wattflex
