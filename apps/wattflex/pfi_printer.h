// Prints flexibility indices group by group as they are measured, so that a table of any size needs no more
// memory than one group: JSON and CSV as a stream, the terminal table in pages.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "apps/wattflex/console.h"
#include "elasticity/flexibility.h"
#include "report/text_table.h"

namespace wattflex::app {

// Which definitions the terminal table shows; JSON and CSV always carry all.
enum class Definition { ratio, area, elasticity, all };

struct PfiSettings {
  Definition definition = Definition::ratio;
  elasticity::FlexibilityOptions options;
  bool several_tables = false;
};

// Use: begin, add for every group, finish.
class PfiPrinter {
 public:
  PfiPrinter(Console& console, const PfiSettings& settings) : console_(console), settings_(settings) {}

  void begin();
  void add(const SweepGroup& group, const elasticity::Flexibility& flexibility);
  // `status` as in JSON; `warnings` go into JSON only, being on standard error already.
  void finish(const std::string& status, const std::vector<std::string>& warnings);

 private:
  void print_page();

  Console& console_;
  PfiSettings settings_;
  std::size_t printed_ = 0;
  std::optional<report::TextTable> page_;
};

}  // namespace wattflex::app
