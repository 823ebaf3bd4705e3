#include "apps/wattflex/logs_output.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "apps/wattflex/output.h"
#include "base/counted.h"
#include "report/text_table.h"

namespace wattflex::app {
namespace {

using logs::CrossCheck;
using logs::LogSummary;
using logs::PauseTotal;
using logs::RunFigures;
using logs::StepRecord;
using nlohmann::json;

constexpr std::size_t kMostPrintedRuns = 20;  // on a terminal; JSON has up to 1000

json of_shape(const logs::JobShape& shape) {
  json object = json::object();
  for (const logs::ShapeField& field : logs::shape_fields()) {
    if (shape.*field.member) object[std::string(field.name)] = *(shape.*field.member);
  }
  return object;
}

json of_check(const std::optional<CrossCheck>& check) {
  if (!check) return nullptr;
  return {{"ratio", check->ratio}, {"agrees", check->agrees}, {"explanation", check->explanation}};
}

json of_pause(const PauseTotal& pause) {
  return {{"count", pause.count}, {"time_s", pause.time}};
}

json of_figures(const RunFigures& run) {
  const auto& typical = run.typical;
  const auto of_typical = [&](auto member) { return typical ? or_null((*typical).*member) : json(nullptr); };
  const bool timed = typical && !run.rate_only;
  return {{"first_line", run.first_line},
          {"last_line", run.last_line},
          {"first_step", or_null(run.first_step)},
          {"last_step", or_null(run.last_step)},
          {"n_steps", static_cast<std::int64_t>(run.steps)},
          {"n_skipped", run.skipped},
          {"n_nan_losses", run.nan_losses},
          {"n_readings", typical ? typical->readings : 0},
          {"n_dropped", typical ? typical->dropped : 0},
          {"step_time_s", timed ? json(typical->step_time) : json(nullptr)},
          {"step_time_stderr_s", timed ? of_typical(&logs::TypicalSteps::step_time_stderr) : json(nullptr)},
          {"tokens_per_s", of_typical(&logs::TypicalSteps::tokens_per_s)},
          {"tokens_per_s_stderr", of_typical(&logs::TypicalSteps::tokens_per_s_stderr)},
          {"samples_per_s", of_typical(&logs::TypicalSteps::samples_per_s)},
          {"samples_per_s_stderr", of_typical(&logs::TypicalSteps::samples_per_s_stderr)},
          {"wall_s", or_null(run.wall)},
          {"wall_tokens_per_s", or_null(run.wall_tokens_per_s)},
          {"wall_samples_per_s", or_null(run.wall_samples_per_s)},
          {"evaluation", of_pause(run.evaluation)},
          {"checkpoint", of_pause(run.checkpoint)},
          {"evaluation_and_checkpoint", of_pause(run.both)},
          {"unlabelled", of_pause(run.other)}};
}

json of_lines(const LogSummary& summary) {
  return {{"bytes", summary.lines.bytes},
          {"total", summary.lines.lines},
          {"step_lines", summary.tracked.step_lines},
          {"duplicated", summary.tracked.duplicates},
          {"glued", summary.glued},
          {"damaged", summary.damaged},
          {"cut", summary.lines.cut},
          {"overlong", summary.lines.overlong},
          {"with_nul", summary.lines.with_nul}};
}

std::string_view name_of(logs::Scope scope) {
  switch (scope) {
    case logs::Scope::job:
      return "job";
    case logs::Scope::device:
      return "gpu";
    case logs::Scope::unknown:
      break;
  }
  return "unknown";
}

std::string figure(const std::optional<double>& value, int digits) {
  return value ? fmt::format("{:.{}g}", *value, digits) : "";
}

// A rate with its error: digits down to a tenth of the error.
std::string rate(const std::optional<double>& value) {
  if (!value) return "";
  return *value >= 1000 ? fmt::format("{:.0f}", *value) : fmt::format("{:.4g}", *value);
}

std::vector<std::string> row_of(std::string name, const RunFigures& run) {
  const auto& typical = run.typical;
  const bool timed = typical && !run.rate_only;
  const bool in_tokens = typical && typical->tokens_per_s;
  const auto& mean = in_tokens ? typical->tokens_per_s : std::optional<double>();
  return {std::move(name),
          run.first_step && run.last_step ? fmt::format("{}..{}", *run.first_step, *run.last_step) : "",
          timed ? figure(typical->step_time, 4) : "",
          timed ? figure(typical->step_time_stderr, 2) : "",
          rate(mean),
          in_tokens ? figure(typical->tokens_per_s_stderr, 2) : "",
          typical ? rate(typical->samples_per_s) : "",
          rate(run.wall_tokens_per_s),
          run.wall ? fmt::format("{:.1f}", *run.wall) : "",
          run.wall ? fmt::format("{:.1f}", run.pause_time()) : ""};
}

void print_runs(const LogSummary& summary, Console& console) {
  report::TextTable table({{"run", "run", report::Align::left},
                           {"steps", "steps"},
                           {"step_time_s", "step s"},
                           {"step_time_stderr_s", "+-"},
                           {"tokens_per_s", "tokens/s"},
                           {"tokens_per_s_stderr", "+-"},
                           {"samples_per_s", "samples/s"},
                           {"wall_tokens_per_s", "wall tokens/s"},
                           {"wall_s", "wall s"},
                           {"pause_s", "of it paused"}});
  if (summary.n_segments != 1) table.add_row(row_of("all", summary.all));
  for (const RunFigures& run : summary.segments) {
    if (table.size() > kMostPrintedRuns) break;
    table.add_row(row_of(std::to_string(run.segment + 1), run));
  }
  console.print(table);
  if (summary.n_segments > kMostPrintedRuns)
    console.say(fmt::format("... and {} (-o json lists them)",
                            counted(summary.n_segments - kMostPrintedRuns, "more run")));
}

std::string shape_text(const logs::JobShape& shape) {
  std::string text;
  for (const logs::ShapeField& field : logs::shape_fields()) {
    if (!(shape.*field.member)) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", field.name, *(shape.*field.member));
  }
  return text;
}

void print_origin(const LogSummary& summary, Console& console) {
  const std::string declared = shape_text(summary.declared);
  const std::string given = shape_text(summary.given);
  console.say("Declared by the log: " + (declared.empty() ? "nothing" : declared) +
              (given.empty() ? "." : ". Given: " + given + "."));
  if (summary.source == logs::TokenSource::none) {
    console.say("Tokens: unknown. Give --seq-len and, where the log has no batch, --global-batch.");
  } else {
    console.say(fmt::format("Tokens: {} ({}).", to_string(summary.source),
                            summary.token_kind == logs::TokenKind::unknown
                                ? "with or without padding: unknown"
                            : summary.token_kind == logs::TokenKind::real ? "without padding"
                                                                          : "padding included"));
  }
  for (const auto* const check :
       {&summary.tokens_check, &summary.samples_check, &summary.counter_check, &summary.time_check}) {
    if (*check && (*check)->agrees && !(*check)->explanation.empty())
      console.say("Checked: " + (*check)->explanation + ".");
  }
  const auto confirm = [&](const std::optional<CrossCheck>& check, std::string_view what) {
    if (check && check->agrees && check->explanation.empty())
      console.say(fmt::format("Checked: the printed {} agrees with the computed one.", what));
  };
  confirm(summary.tokens_check, "tokens/s");
  confirm(summary.samples_check, "samples/s");
  confirm(summary.time_check, "step time");
}

void print_pauses(const RunFigures& run, Console& console) {
  std::string text;
  const auto add = [&](const PauseTotal& pause, std::string_view name) {
    if (pause.count > 0)
      text +=
          fmt::format("{}{} {} s in {}", text.empty() ? "" : ", ", name, figure(pause.time, 4), pause.count);
  };
  add(run.evaluation, "evaluation");
  add(run.checkpoint, "checkpoint");
  add(run.both, "evaluation and checkpoint");
  add(run.other, "unlabelled");
  if (!text.empty()) console.say("Pauses: " + text + ".");
}

void print_lines(const LogSummary& summary, Console& console) {
  std::string text = fmt::format("Lines: {}, {} of steps", summary.lines.lines, summary.tracked.step_lines);
  const auto add = [&](std::uint64_t count, std::string_view what) {
    if (count > 0) text += fmt::format(", {} {}", count, what);
  };
  add(summary.tracked.duplicates, "said again");
  add(summary.glued, "glued");
  add(summary.damaged, "damaged");
  add(summary.lines.cut, "cut");
  add(summary.lines.overlong, "overlong");
  add(summary.lines.with_nul, "with NUL bytes");
  console.say(text + ".");
}

std::string csv_number(const std::optional<double>& value) {
  return value ? fmt::format("{:.9g}", *value) : "";
}

}  // namespace

json to_json(const LogReport& report) {
  const LogSummary& summary = report.summary;
  json document = {{"status", "done"},
                   {"file", report.file},
                   {"framework", summary.framework ? json(to_string(*summary.framework)) : json(nullptr)},
                   {"framework_source", report.framework_given ? "given" : "detected"},
                   {"lines", of_lines(summary)},
                   {"declared", of_shape(summary.declared)},
                   {"given", of_shape(summary.given)},
                   {"used", of_shape(summary.used)},
                   {"token_source", to_string(summary.source)},
                   {"token_kind", to_string(summary.token_kind)},
                   {"all", of_figures(summary.all)},
                   {"n_segments", summary.n_segments},
                   {"segments", json::array()},
                   {"n_pauses", summary.n_pauses},
                   {"pauses", json::array()},
                   {"printed_tokens_per_s", or_null(summary.printed_tokens_per_s)},
                   {"printed_scope", name_of(summary.printed_scope)},
                   {"printed_is_cumulative", summary.printed_is_cumulative},
                   {"checks",
                    {{"tokens_per_s", of_check(summary.tokens_check)},
                     {"samples_per_s", of_check(summary.samples_check)},
                     {"token_counter", of_check(summary.counter_check)},
                     {"step_time", of_check(summary.time_check)}}},
                   {"end_of_run", nullptr},
                   {"warnings", summary.warnings}};
  for (const RunFigures& run : summary.segments) document["segments"].push_back(of_figures(run));
  for (const logs::PauseEntry& pause : summary.pauses) {
    document["pauses"].push_back(
        {{"line", pause.line},
         {"segment", pause.segment + 1},
         {"kind", pause.kind == logs::Pause::none ? "unlabelled" : to_string(pause.kind)},
         {"time_s", pause.time}});
  }
  if (summary.end_of_run) {
    document["end_of_run"] = {{"line", summary.end_of_run->line},
                              {"copies", summary.end_of_run->copies},
                              {"runtime_s", or_null(summary.end_of_run->runtime)},
                              {"samples_per_s", or_null(summary.end_of_run->samples_per_s)},
                              {"tokens_per_s", or_null(summary.end_of_run->tokens_per_s)}};
  }
  return document;
}

void print_tables(const LogReport& report, Console& console) {
  const LogSummary& summary = report.summary;
  console.say(fmt::format("{}: {} ({}), {} in {}", report.file,
                          summary.framework ? to_string(*summary.framework) : "nothing known",
                          report.framework_given ? "given" : "detected",
                          counted(static_cast<std::size_t>(summary.all.steps), "step"),
                          counted(summary.n_segments, "run")));
  if (summary.n_segments > 0) print_runs(summary, console);
  if (summary.end_of_run) {
    console.say(fmt::format(
        "At its end the log prints: {} s, {} samples/s{}.", figure(summary.end_of_run->runtime, 6),
        figure(summary.end_of_run->samples_per_s, 5),
        summary.end_of_run->tokens_per_s ? ", " + rate(summary.end_of_run->tokens_per_s) + " tokens/s" : ""));
  }
  print_origin(summary, console);
  print_pauses(summary.all, console);
  print_lines(summary, console);
}

std::string step_csv_header() {
  return "time_s,step,steps,step_time_s,tokens_per_s,samples_per_s,printed_tokens_per_s,segment,pause,line\n";
}

std::string step_line(const StepRecord& record, Format format) {
  const logs::Interval& interval = record.interval;
  const auto& step = interval.line.step;
  const std::string name = step ? std::to_string(*step) : "";
  switch (format) {
    case Format::csv:
      return fmt::format("{},{},{:g},{},{},{},{},{},{},{}\n",
                         interval.time ? fmt::format("{:.3f}", *interval.time) : "", name, interval.steps,
                         csv_number(record.step_time), csv_number(record.tokens_per_s),
                         csv_number(record.samples_per_s), csv_number(interval.line.printed_tokens_rate),
                         interval.segment + 1, to_string(interval.pause), interval.number);
    case Format::json:
      return json{{"event", "step"},
                  {"time_s", or_null(interval.time)},
                  {"step", or_null(step)},
                  {"steps", static_cast<std::int64_t>(interval.steps)},
                  {"step_time_s", or_null(record.step_time)},
                  {"tokens_per_s", or_null(record.tokens_per_s)},
                  {"samples_per_s", or_null(record.samples_per_s)},
                  {"printed_tokens_per_s", or_null(interval.line.printed_tokens_rate)},
                  {"segment", interval.segment + 1},
                  {"pause", to_string(interval.pause)},
                  {"line", interval.number}}
                 .dump() +
             "\n";
    case Format::table:
      break;
  }
  std::string text = "step " + (name.empty() ? "?" : name);
  if (record.step_time) text += fmt::format("  {:.4g} s", *record.step_time);
  if (record.tokens_per_s) text += "  " + rate(record.tokens_per_s) + " tokens/s";
  if (!record.tokens_per_s && record.samples_per_s) text += "  " + rate(record.samples_per_s) + " samples/s";
  if (interval.first) text += "  (a run begins)";
  if (interval.pause != logs::Pause::none) text += fmt::format("  ({})", to_string(interval.pause));
  return text + "\n";
}

}  // namespace wattflex::app
