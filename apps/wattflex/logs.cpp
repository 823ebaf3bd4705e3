// `wattflex logs`: the throughput of a whole job from its training log, and whether the log's own figure is
// right.
#include <fmt/format.h>

#include <chrono>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "apps/wattflex/arguments.h"
#include "apps/wattflex/console.h"
#include "apps/wattflex/logs_output.h"
#include "apps/wattflex/output.h"
#include "apps/wattflex/verbs.h"
#include "base/held_signals.h"
#include "base/parse.h"
#include "ingest/logs/log_follower.h"

namespace wattflex::app {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{256} << 10;
constexpr std::chrono::milliseconds kPollPeriod{200};
constexpr std::chrono::milliseconds kPipePatience{
    1000};  // then it is looked again whether the pipe has ended

struct LogsOptions {
  logs::LogOptions log;
  bool follow = false;
  std::optional<Seconds> idle;
};

struct CountOption {
  std::string_view name;
  logs::Count logs::JobShape::* member;
};

constexpr CountOption kCounts[] = {{"seq-len", &logs::JobShape::seq_len},
                                   {"global-batch", &logs::JobShape::global_batch},
                                   {"micro-batch", &logs::JobShape::micro_batch},
                                   {"accumulation", &logs::JobShape::accumulation},
                                   {"data-parallel", &logs::JobShape::data_parallel},
                                   {"tensor-parallel", &logs::JobShape::tensor_parallel},
                                   {"context-parallel", &logs::JobShape::context_parallel},
                                   {"pipeline-parallel", &logs::JobShape::pipeline_parallel},
                                   {"gpus", &logs::JobShape::gpus}};

Result<LogsOptions> logs_options_from(const Arguments& arguments) {
  LogsOptions options;
  if (arguments.has("framework")) options.log.framework = logs::parse_framework(arguments.text("framework"));
  options.log.pattern = arguments.text("pattern");
  for (const CountOption& count : kCounts) {
    if (!arguments.has(count.name)) continue;
    const auto value = arguments.integer(count.name, 1, 1'000'000'000);
    if (!value) return std::unexpected(value.error());
    options.log.meter.given.*count.member = *value;
  }
  if (arguments.has("count"))
    options.log.meter.counted =
        arguments.text("count") == "real" ? logs::TokenKind::real : logs::TokenKind::padded;
  if (arguments.text("skipped") == "time") options.log.meter.skipped = logs::Skipped::as_time_only;
  options.follow = arguments.flag("follow");
  if (arguments.has("idle")) {
    const auto idle = parse_duration(arguments.text("idle"));
    if (!idle) return fail(ErrorKind::usage, "--idle: " + idle.error().message, idle.error().remedy);
    options.idle = *idle;
  }
  // A bad pattern is told before the file is opened.
  if (const auto reader = logs::LogReader::create(options.log); !reader) {
    return fail(ErrorKind::usage, "--pattern: " + reader.error().message, reader.error().remedy);
  }
  return options;
}

bool tells_something(const logs::LogSummary& summary) {
  return summary.all.typical.has_value() || summary.end_of_run.has_value();
}

std::unexpected<Error> nothing_in(const std::string& file, const logs::LogSummary& summary) {
  if (summary.lines.bytes == 0) return fail(ErrorKind::no_data, file + " is empty", "is it the right file?");
  if (summary.tracked.step_lines > 0) {
    return fail(ErrorKind::no_data,
                fmt::format("{}: {} step lines ({}), but no time between two of them", file,
                            summary.tracked.step_lines, to_string(*summary.framework)),
                "a longer log, or one with dates or step times; -o csv lists what there is");
  }
  return fail(ErrorKind::no_data, file + ": no line of a training step that is known",
              "name the --framework, or describe its lines by --pattern");
}

// Reads to the end, handing bytes to the reader.
Result<void> read_all(const std::string& path, logs::LogReader& reader) {
  auto file = logs::FollowedFile::open(path);
  if (!file) return std::unexpected(file.error());
  std::vector<char> block(kBlockBytes);
  for (;;) {
    const auto count = file->read(block);
    if (!count) return std::unexpected(count.error());
    if (*count > 0) {
      reader.feed({block.data(), *count});
    } else if (file->is_regular() || file->at_end()) {
      return {};
    } else {
      file->wait(kPipePatience);
    }
  }
}

Result<Outcome> show(const LogReport& report, Console& console) {
  for (const std::string& warning : report.summary.warnings) console.warn(warning);
  if (!tells_something(report.summary)) return nothing_in(report.file, report.summary);
  if (console.format() == Format::json) {
    print_json(to_json(report), console);
  } else {
    print_tables(report, console);
  }
  return Outcome::done;
}

std::string shown_name(const std::string& path) {
  return path == "-" ? "standard input" : path;
}

Result<logs::LogSummary> summarised(const std::string& path, const LogsOptions& options) {
  auto reader = logs::LogReader::create(options.log);
  if (!reader) return std::unexpected(reader.error());
  if (const auto read = read_all(path, *reader); !read) return std::unexpected(read.error());
  return reader->finish();
}

// Steps as rows, as they are read: there may be more than fit into memory.
Result<Outcome> print_rows(const std::string& path, LogsOptions options, Console& console) {
  if (path != "-" && !options.log.framework && options.log.pattern.empty()) {
    // A first pass finds the framework, so that no row is another's.
    const auto first = summarised(path, options);
    if (!first) return std::unexpected(first.error());
    options.log.framework = first->framework;
  }
  auto reader = logs::LogReader::create(options.log);
  if (!reader) return std::unexpected(reader.error());
  reader->on_step([&](const logs::StepRecord& record) { console.out() << step_line(record, Format::csv); });
  reader->on_restart([&](logs::Framework framework) {
    console.warn(fmt::format(
        "the rows so far do not count: the log turns out to be of {}; --framework says so from the start",
        to_string(framework)));
  });
  console.out() << step_csv_header();
  if (const auto read = read_all(path, *reader); !read) return std::unexpected(read.error());
  const logs::LogSummary summary = reader->finish();
  for (const std::string& warning : summary.warnings) console.warn(warning);
  if (summary.tracked.step_lines == 0) return nothing_in(shown_name(path), summary);
  return Outcome::done;
}

Result<Outcome> end_following(const LogReport& report, Console& console) {
  if (console.format() == Format::csv) return Outcome::done;
  if (console.format() == Format::table) return show(report, console);
  nlohmann::json document = to_json(report);
  document["event"] = "summary";
  console.out() << document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
  return Outcome::done;
}

Result<Outcome> follow(const std::string& path, const LogsOptions& options, Console& console) {
  auto follower = logs::LogFollower::open(path, options.log);
  if (!follower) return std::unexpected(follower.error());
  const SignalsHeldBack signals;  // the summary comes before the end
  if (console.format() == Format::csv) console.out() << step_csv_header();
  const auto now = [] { return std::chrono::steady_clock::now(); };
  auto last = now();
  std::uint64_t bytes = 0;
  while (!signals.arrived()) {
    const auto steps = follower->poll(std::chrono::system_clock::now().time_since_epoch());
    if (!steps) return std::unexpected(steps.error());
    for (const logs::StepRecord& record : *steps) console.out() << step_line(record, console.format());
    console.out().flush();
    if (!console.out()) break;  // nobody reads on
    const std::uint64_t read = follower->reader().bytes();
    if (std::exchange(bytes, read) != read) last = now();
    if (follower->more()) continue;
    if (follower->at_end() || (options.idle && now() - last >= *options.idle)) break;
    follower->wait(kPollPeriod);
  }
  const LogReport report{.file = shown_name(path),
                         .framework_given = options.log.framework || !options.log.pattern.empty(),
                         .summary = follower->finish()};
  // A signal that was held back ends the program on the way out: what is said must have gone out before.
  const Result<Outcome> outcome = end_following(report, console);
  console.out().flush();
  return outcome;
}

Result<Outcome> run_logs(const Arguments& arguments, Console& console) {
  const auto options = logs_options_from(arguments);
  if (!options) return std::unexpected(options.error());
  const std::string path(arguments.text("FILE"));
  if (options->follow) return follow(path, *options, console);
  if (console.format() == Format::csv) return print_rows(path, *options, console);
  const auto summary = summarised(path, *options);
  if (!summary) return std::unexpected(summary.error());
  return show({.file = shown_name(path),
               .framework_given = options->log.framework || !options->log.pattern.empty(),
               .summary = *summary},
              console);
}

}  // namespace

const Verb& logs_verb() {
  static const Verb kVerb = {
      .name = "logs",
      .summary = "Throughput of a whole job from its training log",
      .details =
          "Reads the log of Hugging Face Trainer or Accelerate, torchtitan, Megatron-LM, DeepSpeed, NeMo, "
          "Lightning, "
          "LitGPT, torchtune, MaxText, the nanoGPT family, or any whose lines a regular expression "
          "describes. Tokens/s "
          "of the whole job come from batch, sequence length and time, read from the log or given; the "
          "figure the log "
          "prints is held against it, and the factor named when they differ. Pauses (evaluation, checkpoint) "
          "are kept "
          "apart, a resumed run begins a new row. Logs of any size are read in bounded memory.",
      .options =
          {{"FILE", "FILE", "", "training log; - is standard input", Takes::value, true},
           {"--framework",
            "megatron|torchtitan|nemo|maxtext|litgpt|torchtune|nanogpt|hf|deepspeed|lightning|generic", "",
            "whose lines to read; detected unless given"},
           {"--pattern", "REGEX", "",
            "RE2 expression of a step line, with groups such as (?P<step>\\d+), time, step_time, "
            "tokens_per_s"},
           {"--seq-len", "N", "", "tokens of one sequence"},
           {"--global-batch", "N", "", "sequences of one step of the whole job"},
           {"--micro-batch", "N", "", "sequences of one micro-step on one GPU"},
           {"--accumulation", "N", "", "micro-steps of one step"},
           {"--data-parallel", "N", "", "ranks with different sequences"},
           {"--tensor-parallel", "N", "", "GPUs that share the layers of one sequence"},
           {"--context-parallel", "N", "", "GPUs that share one sequence"},
           {"--pipeline-parallel", "N", "", "stages"},
           {"--gpus", "N", "", "GPUs of the job"},
           {"--count", "padded|real", "",
            "count tokens as the log does, not batch x sequence; says whether padding is in its counts"},
           {"--skipped", "progress|time", "progress",
            "whether a step the optimizer skipped counts as throughput or only as time"},
           {"--follow", "", "",
            "go on as the log grows, also when it is rotated; Ctrl-C ends with the summary", Takes::flag},
           {"--idle", "TIME", "", "end following when nothing came for this long"}},
      .examples =
          {{"wattflex logs train.log", "throughput, pauses, and whether the printed figure is right"},
           {"wattflex logs megatron.log --seq-len 4096 -o json",
            "a log that does not say the sequence length"},
           {"wattflex logs slurm-1234.out -o csv > steps.csv", "one row a step"},
           {"wattflex logs slurm-1234.out --follow", "steps of a running job as they come"},
           {"wattflex logs my.log --pattern 'it (?P<step>\\d+) took (?P<step_time>\\S+)s' --global-batch 64",
            "a log of no known framework"}},
      .json_fields = log_json_fields(),
      .run = run_logs,
      .check = can_read<logs_options_from>,
      .rules = {{"pattern", OptionRule::Relation::not_with, {"framework"}},
                {"idle", OptionRule::Relation::only_with, {"follow"}}}};
  return kVerb;
}

}  // namespace wattflex::app
