// Reads a fleet file: CSV with `job,group,gpus` and, where jobs have them, `tier,value,accelerator`. Unlike
// in a sweep table an unknown column is refused: a mistyped `tier` would silently drop every promise. Whether
// the groups exist is for the planner to say, who has the sweep table.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/error.h"
#include "ingest/finding.h"
#include "ingest/text_source.h"
#include "model/fleet.h"

namespace wattflex {

// More jobs than any scheduler runs; bounds memory.
inline constexpr std::size_t kMostFleetJobs = 1'000'000;
// A job's worth per GPU: any price or priority; sums of values keep a share of each.
inline constexpr double kLeastValue = 1e-9;
inline constexpr double kMostValue = 1e9;

// `path` "-" is standard input. The fleet's name is the file's stem.
Result<Fleet> read_fleet(const std::string& path);
Result<Fleet> parse_fleet(std::string_view text, const std::string& name);

namespace ingest {

// What is wrong or odd goes to `findings`, which are a fleet's; the fleet is usable when there are no errors.
// The result is an error only when the bytes cannot be read.
Result<Fleet> check_fleet(TextSource& source, Findings& findings);

// Whether a header line is a fleet's and not a sweep table's.
bool looks_like_fleet(std::string_view header);

}  // namespace ingest
}  // namespace wattflex
