#include "report/html_page.h"

#include <ctemplate/template.h>
#include <ctemplate/template_cache.h>
#include <ctemplate/template_dictionary.h>
#include <fmt/core.h>

#include <cmath>

#include "embedded/chart_library.h"
#include "embedded/page_code.h"
#include "embedded/page_style.h"
#include "embedded/page_template.h"
#include "report/chart_data.h"
#include "report/display_text.h"
#include "report/drawing_page.h"
#include "report/palette.h"

namespace wattflex::report {
namespace {

using ctemplate::TemplateDictionary;
using ctemplate::TemplateString;

TemplateString as_template_string(std::string_view text) {
  return {text.data(), text.size()};
}

void set(TemplateDictionary& dictionary, const char* name, std::string_view text, std::size_t most = 2000) {
  dictionary.SetValue(name, display_text(text, most));
}

// Trusted or already escaped text: our own style and code, JSON made safe, drawings.
void set_raw(TemplateDictionary& dictionary, const char* name, std::string_view text) {
  dictionary.SetValue(name, as_template_string(text));
}

// A section shown once with TEXT, or not at all when there is none.
void show(TemplateDictionary& dictionary, const char* section, std::string_view text) {
  if (!text.empty()) set(*dictionary.AddSectionDictionary(section), "TEXT", text);
}

// A per cent sign does not begin a line: the space before it becomes one that is not broken.
std::string with_its_number(std::string text) {
  constexpr std::string_view kKept = "\u00A0%";
  for (std::size_t at = text.find(" %"); at != std::string::npos; at = text.find(" %", at + kKept.size()))
    text.replace(at, 2, kKept);
  return text;
}

std::string ink_rules() {
  std::string light = fmt::format("--ground:{};--raised:#f4f6f8;--hair:#dfe3e8;", kLightGround);
  std::string dark = fmt::format("--ground:{};--raised:#1d2128;--hair:#2c323b;", kDarkGround);
  for (const Shade& each : kShades) {
    light += fmt::format("--ink-{}:{};", each.name, each.light);
    dark += fmt::format("--ink-{}:{};", each.name, each.dark);
  }
  std::string rules;
  for (const Shade& each : kShades) rules += fmt::format(".ink-{0}{{--ink:var(--ink-{0})}}\n", each.name);
  return rules + fmt::format(
                     ":root{{{0}}}\n@media screen and "
                     "(prefers-color-scheme:dark){{:root:not([data-theme=light]){{{1}}}}}\n"
                     ":root[data-theme=light]{{color-scheme:light}}\n"
                     "@media screen{{:root[data-theme=dark]{{color-scheme:dark;{1}}}}}\n",
                     light, dark);
}

std::string path_of(const std::vector<std::pair<double, double>>& curve) {
  std::string path;
  for (const auto& [x, y] : curve) {
    path += fmt::format("{}{:.1f},{:.1f}", path.empty() ? 'M' : 'L', 100 * x, 30 * (1 - y));
  }
  return path;
}

void add_charts(TemplateDictionary& dictionary, const Figure& figure) {
  TemplateDictionary& charts = *dictionary.AddSectionDictionary("CHARTS");
  charts.SetIntValue("COLUMNS", figure.columns);
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    TemplateDictionary& panel = *charts.AddSectionDictionary("PANEL");
    show(panel, "NAME", figure.panels[i].title);
    set(panel, "YTITLE", figure.panels[i].y.title);
    panel.SetIntValue("HEIGHT", std::lround(panel_height(figure)));
    panel.SetIntValue("INDEX", static_cast<long>(i));
  }
}

void add_figure(TemplateDictionary& part, const Figure& figure, const PageOptions& options,
                std::size_t index) {
  TemplateDictionary& dictionary = *part.AddSectionDictionary("FIGURE");
  set(dictionary, "ID", figure.id);
  set(dictionary, "TITLE", figure.title);
  set(dictionary, "SUBTITLE", figure.subtitle);
  set(dictionary, "PEDIGREE", figure.pedigree);
  for (const LegendEntry& entry : figure.legend) {
    TemplateDictionary& item = *dictionary.AddSectionDictionary("LEGEND");
    item.SetValue("INK", as_template_string(shade(entry.ink).name));
    set(item, "TEXT", entry.text, kMostLegend);
  }
  if (options.style == FigureStyle::charts) {
    add_charts(dictionary, figure);
  } else if (index < options.drawings.size()) {
    // Without the XML declaration, which HTML does not know.
    const std::string_view svg = options.drawings[index].svg;
    const std::size_t start = std::min(svg.find("<svg"), svg.size());
    set_raw(*dictionary.AddSectionDictionary("DRAWING"), "SVG", svg.substr(start));
  } else {
    set(*dictionary.AddSectionDictionary("NEITHER"), "WHY", options.why_no_drawings);
  }
}

const char* side(const Column& column) {
  return column.align == Align::left ? "left" : "right";
}

void add_cell(TemplateDictionary& row, const Cell& cell, const Column& column) {
  TemplateDictionary& dictionary = *row.AddSectionDictionary("CELL");
  dictionary.SetValue("SIDE", side(column));
  set(dictionary, "TEXT", cell.text, 300);
  if (cell.tint != 0) {
    TemplateDictionary& tint = *dictionary.AddSectionDictionary("TINT");
    tint.SetIntValue("STRENGTH", std::lround(10 + 35 * std::min(1.0, std::abs(cell.tint))));
    tint.SetValue("SIGN", cell.tint > 0 ? "better" : "worse");
  }
  if (!cell.curve.empty()) dictionary.AddSectionDictionary("CURVE")->SetValue("PATH", path_of(cell.curve));
}

void add_table(TemplateDictionary& part, const Table& table) {
  TemplateDictionary& dictionary = *part.AddSectionDictionary("TABLE");
  set(dictionary, "TITLE", table.title);
  dictionary.ShowSection(table.folded ? "FOLDED" : "OPEN");
  show(dictionary, "NOTE", table.note);
  for (const Column& column : table.columns) {
    TemplateDictionary& head = *dictionary.AddSectionDictionary("COLUMN");
    head.SetValue("SIDE", side(column));
    set(head, "TITLE", column.title);
  }
  for (const auto& cells : table.rows) {
    TemplateDictionary& row = *dictionary.AddSectionDictionary("ROW");
    for (std::size_t c = 0; c < cells.size(); ++c) add_cell(row, cells[c], table.columns[c]);
  }
}

void add_sections(TemplateDictionary& page, const Document& document, const PageOptions& options) {
  std::size_t figure_index = 0;
  for (const Section& section : document.sections) {
    TemplateDictionary& contents = *page.AddSectionDictionary("CONTENTS");
    set(contents, "ID", section.id);
    set(contents, "TITLE", section.title);
    TemplateDictionary& dictionary = *page.AddSectionDictionary("SECTION");
    set(dictionary, "ID", section.id);
    set(dictionary, "TITLE", section.title);
    show(dictionary, "PROSE", section.prose);
    for (const auto& part : section.parts) {
      TemplateDictionary& slot = *dictionary.AddSectionDictionary("PART");
      if (const auto* const figure = std::get_if<Figure>(&part)) {
        add_figure(slot, *figure, options, figure_index++);
      } else {
        add_table(slot, std::get<Table>(part));
      }
    }
  }
}

void add_closing(TemplateDictionary& page, const Document& document, const PageOptions& options) {
  if (!document.warnings.empty()) {
    TemplateDictionary& warnings = *page.AddSectionDictionary("WARNINGS");
    for (const std::string& warning : document.warnings) show(warnings, "WARNING", warning);
  }
  for (const Footnote& footnote : document.footnotes) {
    TemplateDictionary& note = *page.AddSectionDictionary("FOOTNOTE");
    set(note, "TEXT", footnote.text);
    show(note, "FORMULA", footnote.formula);
    if (!footnote.link.empty()) set(*note.AddSectionDictionary("LINK"), "URL", footnote.link);
  }
  const bool charts = options.style == FigureStyle::charts;
  set(page, "FIGURES_BY",
      charts ? "Figures by Chart.js (MIT licence)."
             : "Figures by gnuplot, still ones: this build has no chart library (Debian: libjs-chart.js).");
}

}  // namespace

bool has_chart_library() {
  return !embedded::chart_library().empty();
}

std::vector<Figure> figures_of(const Document& document) {
  std::vector<Figure> figures;
  for (const Section& section : document.sections) {
    for (const auto& part : section.parts) {
      if (const auto* const figure = std::get_if<Figure>(&part)) figures.push_back(*figure);
    }
  }
  return figures;
}

Result<std::string> html_page(const Document& document, const PageOptions& options) {
  TemplateDictionary page("report");
  set(page, "TITLE", document.title);
  set(page, "VERSION", options.version);
  set(page, "PEDIGREE", document.pedigree);
  for (const std::string& sentence : document.headline) {
    set(*page.AddSectionDictionary("HEADLINE"), "SENTENCE", with_its_number(sentence));
  }
  set_raw(page, "INKS", ink_rules());
  set_raw(page, "STYLE", embedded::page_style());
  add_sections(page, document, options);
  add_closing(page, document, options);
  if (options.style == FigureStyle::charts) {
    TemplateDictionary& script = *page.AddSectionDictionary("SCRIPT");
    set_raw(script, "DATA", json_for_script(chart_data(figures_of(document))));
    set_raw(script, "LIBRARY", embedded::chart_library());
    set_raw(script, "CODE", embedded::page_code());
  }
  // A cache of our own: the library's global one would be shared by threads.
  ctemplate::TemplateCache cache;
  std::string out;
  if (!cache.StringToTemplateCache("report", as_template_string(embedded::page_template()),
                                   ctemplate::DO_NOT_STRIP) ||
      !cache.ExpandWithData("report", ctemplate::DO_NOT_STRIP, &page, nullptr, &out)) {
    return fail(ErrorKind::unsupported, "report: the page's template cannot be expanded",
                "this is a bug; please report it");
  }
  return out;
}

}  // namespace wattflex::report
