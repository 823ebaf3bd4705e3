// Where a verb writes: results to `out`, warnings and progress to `err`, in the format the user asked for.
// Colour and progress only appear on a terminal; prose and tables are fitted to the width of a line. Not
// thread-safe. What it says, warns and prints as a table may hold any bytes: none reaches the terminal as a
// control character.
#pragma once

#include <chrono>
#include <ostream>
#include <string>
#include <string_view>

#include "report/text_table.h"

namespace wattflex::app {

enum class Format { table, json, csv };

class Console {
 public:
  struct Settings {
    Format format = Format::table;
    bool out_is_terminal = false;
    bool err_is_terminal = false;
    bool quiet = false;
    std::size_t out_width = report::TextTable::kUnbroken;  // characters a line
    std::size_t err_width = report::TextTable::kUnbroken;
  };

  Console(std::ostream& out, std::ostream& err, Settings settings)
      : out_(out), err_(err), settings_(settings) {}

  Format format() const { return settings_.format; }
  std::ostream& out() { return out_; }

  // The table as text or CSV, as asked; not for Format::json.
  void print(const report::TextTable& table);
  // Prose, broken at spaces where a line is too long; printed in table format only.
  void say(std::string_view line);
  // To `err`, in every format; its further lines hang in.
  void warn(std::string_view line);
  // "  label  42 %", redrawn in place at most ten times a second, on a terminal only. `done` 0..1.
  void progress(std::string_view label, double done);
  // Removes the progress line.
  void end_progress();

 private:
  std::ostream& out_;
  std::ostream& err_;
  Settings settings_;
  bool progress_shown_ = false;
  std::chrono::steady_clock::time_point last_progress_;
};

}  // namespace wattflex::app
