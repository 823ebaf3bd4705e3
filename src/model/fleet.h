// The jobs a power cut is divided over. Values only; how to read them is src/ingest, how to divide
// src/allocate.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wattflex {

// A job's promise: at most 0, 10, 25 or 50 % average throughput loss. `none`: no promise was made.
enum class FlexTier { none, flex0, flex1, flex2, flex3 };

// Share of its uncapped throughput a job of this tier keeps at least (Phoenix fleet: 1, 0.90, 0.75, 0.50; 0
// for none).
double promised_throughput(FlexTier tier);
std::string_view to_string(FlexTier tier);                       // "Flex 2", "none"
std::optional<FlexTier> parse_flex_tier(std::string_view text);  // "Flex 2", "flex2", "2", "none", ""

struct FleetJob {
  std::string job;
  std::string group;        // name of its sweep group
  std::string accelerator;  // empty: the group has one accelerator in the table
  int gpus = 0;             // > 0
  FlexTier tier = FlexTier::none;
  double value = 1;     // > 0, per GPU: price or priority
  std::size_t row = 0;  // line in the source file
};

struct Fleet {
  std::string name;
  std::string file;  // as given, for messages
  std::vector<FleetJob> jobs;
  std::vector<std::string> warnings;  // accepted, but the reader should know
};

}  // namespace wattflex
