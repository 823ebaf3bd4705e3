// Prints flexibility indices group by group as they are measured, so that a table of any size needs no more
// memory than one group: JSON and CSV as a stream, the terminal table in pages.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/wattflex/console.h"
#include "elasticity/flexibility.h"
#include "model/sweep.h"
#include "report/text_table.h"

namespace wattflex::app {

// Which definitions the terminal table shows; JSON and CSV always carry all.
enum class Definition { ratio, area, elasticity, all };

struct PfiSettings {
  Definition definition = Definition::ratio;
  elasticity::FlexibilityOptions options;
  bool several_tables = false;
};

// What is known when all groups were measured.
struct PfiEnd {
  std::string_view status;  // as in JSON
  std::vector<DroppedGroup> left_out;
  std::vector<std::string> warnings;  // for JSON only, being on standard error already
};

// Use: begin, add for every group, finish.
class PfiPrinter {
 public:
  PfiPrinter(Console& console, const PfiSettings& settings) : console_(console), settings_(settings) {}

  void begin();
  void add(const SweepGroup& group, const elasticity::Flexibility& flexibility);
  void finish(const PfiEnd& end);

 private:
  void print_page();

  Console& console_;
  PfiSettings settings_;
  std::size_t printed_ = 0;
  std::optional<report::TextTable> page_;
};

}  // namespace wattflex::app
