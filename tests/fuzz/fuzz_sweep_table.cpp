// Any bytes as a sweep table: never a crash; whole and streaming reading agree; what is accepted is sound and
// reads back exactly after writing; what is refused says why.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "ingest/sweep_table.h"
#include "ingest/sweep_table_reader.h"
#include "ingest/sweep_table_writer.h"

namespace {

using namespace wattflex;

void require(bool holds, const char* law) {
  if (holds) return;
  std::fprintf(stderr, "broken law: %s\n", law);
  std::abort();
}

void require_sound(const SweepTable& table) {
  require(!table.groups.empty(), "an accepted table has groups");
  for (const SweepGroup& group : table.groups) {
    require(group.points.size() >= 2, "a group has two points");
    require(group.gpus > 0, "a job has GPUs");
    require(!group.id.group.empty(), "a group has a name");
    for (std::size_t i = 0; i < group.points.size(); ++i) {
      const SweepPoint& point = group.points[i];
      require(point.power.watts() > 0 && point.throughput > 0, "draw and throughput are positive");
      require(std::isfinite(point.power.watts()) && std::isfinite(point.throughput), "numbers are finite");
      require(i == 0 || point.cap < group.points[i - 1].cap, "caps fall");
      require(point.telemetry.size() == table.telemetry_columns.size(),
              "telemetry is parallel to its columns");
      for (const auto& reading : point.telemetry) {
        require(!reading || std::isfinite(*reading), "readings are finite or missing");
      }
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto table = parse_sweep_table(text, "t.csv");
  auto reader = SweepTableReader::of_text(text, "t.csv");
  require(table.has_value() == reader.has_value(), "whole and streaming reading agree");
  if (!table) {
    require(!table.error().message.empty() && !table.error().remedy.empty(),
            "a refusal says why and what to do");
    return 0;
  }
  require_sound(*table);
  std::size_t streamed = 0;
  for (;;) {
    const auto group = reader->next();
    require(group.has_value(), "a checked table can be read");
    if (!*group) break;
    ++streamed;
  }
  require(streamed == table->groups.size(), "streaming gives every group");
  const std::string written = write_sweep_table(*table);
  const auto again = parse_sweep_table(written, "t.csv");
  require(again.has_value(), "what is written can be read");
  require(write_sweep_table(*again) == written, "what is read back is the same");
  return 0;
}
