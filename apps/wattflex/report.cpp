// `wattflex report`: one HTML file with everything a sweep says, and its figures as SVG and PNG. Reads, has
// the report made and writes; what is in it is src/report.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>

#include "allocate/fleet_problem.h"
#include "apps/wattflex/arguments.h"
#include "apps/wattflex/console.h"
#include "apps/wattflex/grammar.h"
#include "apps/wattflex/output.h"
#include "apps/wattflex/predicted_pfi.h"
#include "apps/wattflex/verbs.h"
#include "apps/wattflex/written_files.h"
#include "base/file.h"
#include "elasticity/predictor_file.h"
#include "ingest/fleet_file.h"
#include "ingest/sweep_table.h"
#include "report/html_page.h"
#include "report/sweep_report.h"

namespace wattflex::app {
namespace {

namespace fs = std::filesystem;

struct Written {
  report::Document document;
  std::vector<std::string> files;
  std::vector<std::string> warnings;
  std::string figure_style;
  std::string_view status = "done";
};

Result<void> check_output(const Arguments& arguments) {
  const std::string_view output = arguments.text("output");
  const auto formats = choices_of(common_options(report_verb()).front());
  if (std::ranges::find(formats, output) != formats.end()) {
    return fail(ErrorKind::usage,
                fmt::format("--output: '{}' is a format, and the page needs a file", output),
                fmt::format("use --format {0}; a file of this name is -o ./{0}", output));
  }
  return {};
}

Result<double> share_from(const Arguments& arguments) {
  const auto cut = arguments.percent("cut");
  if (!cut || (*cut >= 0 && *cut < 1)) return cut;
  return fail(ErrorKind::usage, fmt::format("--cut: {:g} % cannot be cut", 100 * *cut),
              "use 0 % to below 100 %");
}

// What no table makes right.
Result<void> check_report_options(const Arguments& arguments) {
  if (auto output = check_output(arguments); !output) return output;
  const auto cut = share_from(arguments);
  return cut ? Result<void>() : std::unexpected(cut.error());
}

Result<void> check_outputs(const Arguments& arguments) {
  if (auto output = check_output(arguments); !output) return output;
  const std::initializer_list<std::string_view> inputs = {"TABLE", "fleet", "model", "config"};
  const auto kept = keep_inputs(arguments, "output", inputs);
  return kept ? keep_inputs_in_folder(arguments, "figures", inputs, {".svg", ".png"}) : kept;
}

Result<std::vector<SweepTable>> tables_from(const Arguments& arguments) {
  std::vector<SweepTable> tables;
  for (const std::string& path : arguments.list("TABLE")) {
    auto table = read_sweep_table(path);
    if (!table) return std::unexpected(table.error());
    tables.push_back(std::move(*table));
  }
  return tables;
}

Result<std::optional<Fleet>> question_fleet(const Arguments& arguments) {
  if (!arguments.has("fleet")) return std::nullopt;
  if (arguments.list("TABLE").size() > 1) {
    if (!arguments.is_written("fleet")) return std::nullopt;  // a default for runs with one table
    return fail(ErrorKind::usage, "--fleet: a fleet goes with one sweep table, and several are given",
                "name only the table with the fleet's groups");
  }
  auto fleet = read_fleet(std::string(arguments.text("fleet")));
  if (!fleet) return std::unexpected(fleet.error());
  return std::optional(std::move(*fleet));
}

Result<std::optional<elasticity::Predictor>> predictor_from(const Arguments& arguments) {
  if (!arguments.has("model")) return std::nullopt;
  auto predictor = elasticity::load_predictor(std::string(arguments.text("model")));
  if (!predictor) return std::unexpected(predictor.error());
  return std::optional(std::move(*predictor));
}

// With a model, policies weigh by its predictions instead of the measured indices.
allocate::FleetOptions fleet_options(const SweepTable& table,
                                     const std::optional<elasticity::Predictor>& predictor,
                                     std::vector<std::string>& warnings) {
  if (!predictor) return {};
  PredictedPfi predicted = predict_all(*predictor, table);
  std::ranges::move(predicted.warnings, std::back_inserter(warnings));
  return {.predicted_pfi = std::move(predicted.values)};
}

// What the options ask, read and checked.
struct Question {
  std::optional<Fleet> fleet;
  std::optional<elasticity::Predictor> predictor;
  double cut = 0;
};

Result<Question> question_from(const Arguments& arguments) {
  auto fleet = question_fleet(arguments);
  if (!fleet) return std::unexpected(fleet.error());
  auto predictor = predictor_from(arguments);
  if (!predictor) return std::unexpected(predictor.error());
  const auto cut = share_from(arguments);
  if (!cut) return std::unexpected(cut.error());
  return Question{std::move(*fleet), std::move(*predictor), *cut};
}

// A table without a usable curve has no study, and a warning instead.
Result<void> add_study(const SweepTable& table, const Question& question, report::ReportParts& parts) {
  allocate::FleetOptions options = fleet_options(table, question.predictor, parts.warnings);
  const auto problem = allocate::make_problem(table, question.fleet, options);
  if (!problem) {
    if (question.fleet) return std::unexpected(problem.error());
    parts.warnings.push_back(problem.error().message);
    return {};
  }
  parts.warnings.insert(parts.warnings.end(), problem->warnings.begin(), problem->warnings.end());
  auto study = report::study_cuts(
      *problem, table,
      {.name = question.fleet ? question.fleet->name : table.name,
       .pedigree = parts.evidence.pedigree() + (question.predictor ? "; indices of Eq. 2: predicted" : ""),
       .cut = question.cut,
       .predicted = question.predictor.has_value(),
       .options = std::move(options)});
  if (study) {
    parts.studies.push_back(std::move(*study));
  } else if (study.error().kind == ErrorKind::no_data) {
    parts.warnings.push_back(study.error().message);
  } else {
    return std::unexpected(study.error());
  }
  return {};
}

Result<report::Document> document_for(const std::vector<SweepTable>& tables, const Arguments& arguments,
                                      Console& console) {
  const auto question = question_from(arguments);
  if (!question) return std::unexpected(question.error());
  const report::Evidence evidence =
      report::gather(tables, {}, [&](double done) { console.progress("measuring", done); });
  report::ReportParts parts{.evidence = evidence, .studies = {}, .signals = {}, .warnings = {}};
  for (const SweepTable& table : tables) {
    console.progress("dividing cuts",
                     static_cast<double>(parts.studies.size()) / static_cast<double>(tables.size()));
    parts.warnings.insert(parts.warnings.end(), table.warnings.begin(), table.warnings.end());
    if (const auto added = add_study(table, *question, parts); !added) return std::unexpected(added.error());
    for (auto& study : report::study_signals(table, evidence, question->predictor)) {
      parts.signals.push_back(std::move(study));
    }
  }
  console.end_progress();
  report::Document document = report::sweep_report(parts);
  if (arguments.has("title")) document.title = arguments.text("title");
  return document;
}

using Files = std::vector<std::pair<std::string, const std::string*>>;  // name and text

Files figure_files(const std::string& folder, const std::vector<report::Figure>& figures,
                   const std::vector<report::Drawing>& drawings) {
  Files files;
  for (std::size_t i = 0; i < drawings.size(); ++i) {
    const std::string stem = (fs::path(folder) / figures[i].id).string();
    files.emplace_back(stem + ".svg", &drawings[i].svg);
    files.emplace_back(stem + ".png", &drawings[i].png);
  }
  return files;
}

// The page and a figure under one name: one of them would be lost.
Result<void> keep_apart(const std::string& page, const std::string& folder,
                        const std::vector<report::Figure>& figures) {
  std::error_code ignored;
  const auto end = [&](const std::string& path) { return fs::weakly_canonical(behind_links(path), ignored); };
  for (const report::Figure& drawn : figures) {
    for (const char* const ending : {".svg", ".png"}) {
      const std::string figure = (fs::path(folder) / (drawn.id + ending)).string();
      const bool same_name = !end(page).empty() && end(figure) == end(page);
      if (!same_name && !fs::equivalent(figure, page, ignored)) continue;
      return fail(ErrorKind::usage,
                  fmt::format("--output: '{}' is a figure of --figures ('{}')", page, figure),
                  "name another file for the page");
    }
  }
  return {};
}

Result<void> make_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error) return {};
  return fail(ErrorKind::io, fmt::format("{}: cannot create the folder: {}", folder, error.message()),
              "name a folder that can be written to with --figures");
}

// In order; what is written stays when a later one fails, so the page is the first.
Result<void> write_files(const Files& files, std::vector<std::string>& written) {
  for (const auto& [name, text] : files) {
    if (const auto done = write_file(name, *text); !done) return done;
    written.push_back(name);
  }
  return {};
}

Result<Written> write_report(report::Document document, const Arguments& arguments, Console& console) {
  Written out{.document = std::move(document), .files = {}, .warnings = {}, .figure_style = "charts"};
  const bool charts = report::has_chart_library();
  const bool to_folder = arguments.has("figures");
  report::PageOptions page{.version = WATTFLEX_VERSION};
  std::vector<report::Drawing> drawings;
  const std::vector<report::Figure> figures = report::figures_of(out.document);
  const std::string path = output_path(arguments, "output");
  const std::string folder(arguments.text("figures"));
  if (to_folder) {
    if (const auto apart = keep_apart(path, folder, figures); !apart) return std::unexpected(apart.error());
  }
  if (to_folder || !charts) {
    console.progress("drawing", 0.5);
    auto drawn = report::draw_with_gnuplot(figures, {.with_png = to_folder});
    if (drawn) {
      drawings = std::move(*drawn);
    } else if (to_folder) {
      return std::unexpected(drawn.error());
    } else {
      page.why_no_drawings = drawn.error().message + "; " + drawn.error().remedy;
      out.warnings.push_back(page.why_no_drawings);
    }
  }
  if (!charts) {
    page.style = report::FigureStyle::drawings;
    page.drawings = drawings;
    out.figure_style = drawings.empty() ? "none" : "drawings";
  }
  const auto html = report::html_page(out.document, page);
  if (!html) return std::unexpected(html.error());
  Files files = {{path, &*html}};
  if (to_folder) {
    Files drawn = figure_files(folder, figures, drawings);
    if (const auto made = make_folder(folder); !made) return std::unexpected(made.error());
    std::ranges::move(drawn, std::back_inserter(files));
  }
  if (const auto done = write_files(files, out.files); !done) return std::unexpected(done.error());
  return out;
}

void print(const Written& written, Console& console) {
  if (console.format() == Format::json) {
    const nlohmann::json document = {{"status", written.status},
                                     {"headline", written.document.headline},
                                     {"pedigree", written.document.pedigree},
                                     {"figure_style", written.figure_style},
                                     {"files", written.files},
                                     {"warnings", written.document.warnings}};
    return print_json(document, console);
  }
  report::TextTable files({{"file", "file", report::Align::left}});
  for (const std::string& file : written.files) files.add_row({file});
  for (const std::string& sentence : written.document.headline) console.say(sentence);
  console.say("");
  console.print(files);
}

Result<Outcome> run_report(const Arguments& arguments, Console& console) {
  if (const auto right = check_outputs(arguments); !right) return std::unexpected(right.error());
  const auto tables = tables_from(arguments);
  if (!tables) return std::unexpected(tables.error());
  auto document = document_for(*tables, arguments, console);
  if (!document) return std::unexpected(document.error());
  auto written = write_report(std::move(*document), arguments, console);
  if (!written) return std::unexpected(written.error());
  if (std::ranges::any_of(*tables, [](const SweepTable& table) { return !table.dropped.empty(); })) {
    written->status = "partial";
  }
  for (const std::string& warning : written->document.warnings) console.warn(warning);
  for (const std::string& warning : written->warnings) console.warn(warning);
  if (!is_standard_output(written->files.front())) print(*written, console);
  return written->status == "done" ? Outcome::done : Outcome::partial;
}

}  // namespace

const Verb& report_verb() {
  static const Verb kVerb = {
      .name = "report",
      .summary = "Everything about a sweep in one HTML file",
      .details =
          "Writes one self-contained page: what a power cut costs and under which policy, the power curve of "
          "every job, the flexibility index with its intervals and definitions, and the verdict on every "
          "point. "
          "It needs no network and no other file. With --figures every figure also becomes an SVG and a PNG.",
      .options = {{"TABLE", "TABLE", "", "sweep tables; - for standard input", Takes::list, true},
                  {"-o,--output", "FILE", "report.html",
                   "the page; - for standard output, then without the summary"},
                  {"--figures", "DIR", "",
                   "also write every figure as SVG and PNG into this folder (needs gnuplot)"},
                  {"--title", "TEXT", "", "of the page; without it the tables' names"},
                  {"--fleet", "FLEET", "",
                   "the jobs a cut is divided over; without it every group is one job"},
                  {"--cut", "PERCENT", "25%", "the cut the headline speaks of"},
                  {"-m,--model", "MODEL", "",
                   "predictor to show and to weigh by, from wattflex fit; without it the measured indices"}},
      .examples = {{"wattflex report sweep.csv -o report.html", "every group of the table as one job"},
                   {"wattflex report examples/phoenix/sweep.csv --fleet examples/phoenix/fleet.csv --cut 25% "
                    "-o report.html",
                    "a fleet under a quarter less power"},
                   {"wattflex report h100.csv h200.csv --figures figures",
                    "two tables, figures as files too"}},
      .json_fields = {{"status", "", "done, or partial: a warning names a group that is left out"},
                      {"headline[]", "", "the answer, a sentence each"},
                      {"pedigree", "", "where the numbers come from and how many points count"},
                      {"figure_style", "", "charts, drawings (without chart library) or none (nor gnuplot)"},
                      {"files[]", "", "what was written, the page first"},
                      {"warnings[]", "", "as on the page"}},
      .run = run_report,
      .check = check_report_options};
  return kVerb;
}

}  // namespace wattflex::app
