// A report as a value: headline, sections of prose, figures and tables, footnotes. html_page.h turns it into
// a page. Plain text throughout: nothing in here is markup.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "report/figure.h"
#include "report/text_table.h"

namespace wattflex::report {

// What a table's cell shows: a text, or a small curve (x and y in 0..1) drawn in line with the text.
struct Cell {
  std::string text;
  double tint = 0;  // -1 (worse than the reference) .. 1 (better); 0 none
  std::vector<std::pair<double, double>> curve;
};

struct Table {
  std::string title;
  std::string note;  // how to read it
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;  // as wide as columns
  bool folded = false;                  // shown when asked for
};

struct Section {
  std::string id;
  std::string title;
  std::string prose;
  std::vector<std::variant<Figure, Table>> parts;
};

struct Footnote {
  std::string text;
  std::string formula;  // in plain characters; empty: none
  std::string link;     // https://...; empty: none
};

struct Document {
  std::string title;
  std::vector<std::string> headline;  // the answer, a sentence each
  std::string pedigree;
  std::vector<Section> sections;
  std::vector<std::string> warnings;
  std::vector<Footnote> footnotes;
};

}  // namespace wattflex::report
