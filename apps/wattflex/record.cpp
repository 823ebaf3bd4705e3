// `wattflex record`: what the GPUs read, moment by moment, into a CSV.
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "apps/wattflex/arguments.h"
#include "apps/wattflex/console.h"
#include "apps/wattflex/gpu_options.h"
#include "apps/wattflex/output.h"
#include "apps/wattflex/row_file.h"
#include "apps/wattflex/verbs.h"
#include "base/counted.h"
#include "base/held_signals.h"
#include "base/parse.h"
#include "device/recorder.h"

namespace wattflex::app {
namespace {

using device::DeviceResult;
using device::EnergySource;
using device::RecordedGpu;
using device::Recorder;
using device::RecorderSettings;
using device::Recording;
using device::SampleRow;
using nlohmann::json;
using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr double kMostRate = 10;  // Hz: drivers renew their readings no faster
constexpr double kLeastRate = 0.001;
constexpr milliseconds kLeastPatience{200};
// A recording that is killed loses no more than this.
constexpr std::chrono::seconds kFlushEvery{1};
constexpr double kCountersAgree = 0.1;

struct RecordOptions {
  RecorderSettings settings;
  std::string path;
};

microseconds micros(double seconds) {
  return microseconds(static_cast<long long>(seconds * 1e6));
}

Result<RecordOptions> record_options_from(const Arguments& arguments) {
  RecordOptions options;
  const auto rate = arguments.number("rate");
  if (!rate) return std::unexpected(rate.error());
  if (*rate < kLeastRate || *rate > kMostRate) {
    return fail(ErrorKind::usage, fmt::format("--rate: {:g} a second is out of range", *rate),
                "give 0.001 to 10; drivers renew their readings ten times a second at best");
  }
  options.settings.interval = micros(1 / *rate);
  options.settings.patience =
      std::max(kLeastPatience, std::chrono::duration_cast<milliseconds>(options.settings.interval * 0.8));
  if (arguments.has("duration")) {
    const auto duration = parse_duration(arguments.text("duration"));
    if (!duration || duration->count() <= 0 || duration->count() > 1e9) {
      return fail(ErrorKind::usage,
                  fmt::format("--duration: '{}' is no time to record", arguments.text("duration")),
                  "write e.g. 90s, 30m or 3h");
    }
    options.settings.duration = micros(duration->count());
  }
  options.settings.depth = arguments.flag("basic") ? device::Depth::basic : device::Depth::activity;
  options.path = arguments.text("output");
  return options;
}

// The largest limit of each GPU, which bounds what its energy counter may rise by; without it a bound that no
// GPU reaches.
std::vector<Power> largest_limits(device::GpuWorkers& workers) {
  const auto limits = workers.on_all<PowerLimits>(
      [](device::GpuBackend& backend, const GpuUuid& uuid) { return backend.limits(uuid); }, kDriverPatience);
  std::vector<Power> most;
  for (const auto& each : limits) most.push_back(each && each->most ? *each->most : Power::from_watts(3000));
  return most;
}

// Comment lines before the header: what the rows themselves do not say.
std::string preamble(const ChosenGpus& gpus, const RecorderSettings& settings) {
  std::string text =
      fmt::format("# wattflex record; {}; driver {}; every {:g} s\n", pedigree_of(gpus.inventory),
                  gpus.inventory.driver_version, std::chrono::duration<double>(settings.interval).count());
  for (const GpuIdentity& gpu : gpus.identities)
    text += fmt::format("# {} is {} at {}\n", gpu.uuid.text, gpu.name, gpu.pci_bus_id);
  for (const std::string& note : gpus.inventory.notes) text += "# " + note + "\n";
  return text;
}

// Takes the rows to the file and shows how far it is.
class Writer {
 public:
  Writer(RowFile& file, const RecorderSettings& settings, Console& console)
      : file_(file), settings_(settings), console_(console) {}

  Result<void> add(std::span<const SampleRow> rows) {
    text_.clear();
    for (const SampleRow& row : rows) device::append_sample_csv(row, text_);
    rows_ += rows.size();
    if (const auto written = file_.write(text_); !written) return written;
    const Time now = rows.back().sample.time;
    if (begin_ == Time()) begin_ = flushed_ = now;
    if (now - flushed_ >= kFlushEvery) {
      flushed_ = now;
      if (const auto flushed = file_.flush(); !flushed) return flushed;
    }
    const double seconds = std::chrono::duration<double>(now - begin_).count();
    const double whole =
        settings_.duration ? std::chrono::duration<double>(*settings_.duration).count() : 0.0;
    console_.progress(fmt::format("recording {:.0f} s, {}", seconds, counted(rows_, "row")),
                      whole > 0 ? std::min(seconds / whole, 0.999) : 0.0);
    return {};
  }

 private:
  RowFile& file_;
  const RecorderSettings& settings_;
  Console& console_;
  std::string text_;
  std::size_t rows_ = 0;
  Time begin_;
  Time flushed_;
};

std::string energy_text(const RecordedGpu& gpu) {
  if (gpu.energy.source == EnergySource::unknown) return "-";
  return fmt::format("{:.4g}", gpu.energy.energy.joules() / 1000);
}

std::string mean_text(const RecordedGpu& gpu) {
  if (gpu.energy.source == EnergySource::unknown) return "-";
  return fmt::format("{:.1f}", (gpu.energy.energy / gpu.energy.covered).watts());
}

bool sources_disagree(const RecordedGpu& gpu) {
  const auto& ratio = gpu.energy.counter_over_draw;
  return ratio && (*ratio < 1 - kCountersAgree || *ratio > 1 + kCountersAgree);
}

void warn_about(const Recording& recording, Console& console) {
  for (const RecordedGpu& gpu : recording.gpus) {
    const std::string& uuid = gpu.identity.uuid.text;
    if (gpu.gaps > 0) console.warn(fmt::format("{}: {}, marked in the file", uuid, counted(gpu.gaps, "gap")));
    for (const std::string_view column : gpu.distrusted())
      console.warn(
          fmt::format("{}: more than 1 % of its {} was impossible; don't trust the rest", uuid, column));
    if (gpu.energy.resets > 0)
      console.warn(fmt::format("{}: its energy counter fell {}", uuid, counted(gpu.energy.resets, "time")));
    if (sources_disagree(gpu)) {
      console.warn(fmt::format("{}: by its energy counter it drew {:.2f} times what its sensor says", uuid,
                               *gpu.energy.counter_over_draw));
    }
  }
}

json json_of_gpu(const RecordedGpu& gpu) {
  const bool known = gpu.energy.source != EnergySource::unknown;
  return {{"uuid", gpu.identity.uuid.text},
          {"index", or_null(gpu.identity.index)},
          {"name", gpu.identity.name},
          {"samples", gpu.samples},
          {"gaps", gpu.gaps},
          {"energy_j", known ? json(gpu.energy.energy.joules()) : json()},
          {"energy_source", to_string(gpu.energy.source)},
          {"mean_draw_w", known ? json((gpu.energy.energy / gpu.energy.covered).watts()) : json()},
          {"covered_s", gpu.energy.covered.count()},
          {"uncovered_s", gpu.energy.uncovered.count()},
          {"counter_resets", gpu.energy.resets},
          {"counter_over_draw", or_null(gpu.energy.counter_over_draw)},
          {"not_trusted", gpu.distrusted()}};
}

double seconds_of(const Recording& recording) {
  return std::chrono::duration<double>(recording.end - recording.begin).count();
}

void print_summary(const Recording& recording, const ChosenGpus& gpus, const std::string& path,
                   Console& console) {
  if (console.format() == Format::json) {
    json document = {{"status", recording.interrupted ? "partial" : "done"},
                     {"pedigree", pedigree_of(gpus.inventory)},
                     {"file", path},
                     {"duration_s", seconds_of(recording)},
                     {"gpus", json::array()}};
    for (const RecordedGpu& gpu : recording.gpus) document["gpus"].push_back(json_of_gpu(gpu));
    return print_json(document, console);
  }
  using report::Align;
  report::TextTable table({{"gpu", "GPU"},
                           {"uuid", "UUID", Align::left},
                           {"samples", "samples"},
                           {"gaps", "gaps"},
                           {"mean_draw_w", "mean W"},
                           {"energy_kj", "energy kJ"},
                           {"energy_source", "by", Align::left},
                           {"pedigree", "source", Align::left}});
  for (const RecordedGpu& gpu : recording.gpus) {
    table.add_row({gpu.identity.index ? std::to_string(*gpu.identity.index) : "-", gpu.identity.uuid.text,
                   std::to_string(gpu.samples), std::to_string(gpu.gaps), mean_text(gpu), energy_text(gpu),
                   std::string(to_string(gpu.energy.source)), std::string(pedigree_of(gpus.inventory))});
  }
  console.print(table);
  console.say(fmt::format("\n{:.1f} s in {}.", seconds_of(recording), path));
  if (const std::string line = pedigree_line(gpus.inventory); !line.empty()) console.say(line);
}

Result<Recording> record(const ChosenGpus& gpus, const RecordOptions& options, Console& console) {
  auto file = RowFile::create(options.path);
  if (!file) return std::unexpected(file.error());
  const auto begun = (*file)->write(preamble(gpus, options.settings) + device::sample_csv_header());
  if (!begun) return std::unexpected(begun.error());
  Writer writer(**file, options.settings, console);
  Recorder recorder(*gpus.workers, gpus.identities, largest_limits(*gpus.workers), options.settings);
  auto recording = recorder.run([&](std::span<const SampleRow> rows) { return writer.add(rows); });
  console.end_progress();
  const auto closed = (*file)->close();
  if (recording && !closed) return std::unexpected(closed.error());
  return recording;
}

Result<Outcome> run_record(const Arguments& arguments, Console& console) {
  auto options = record_options_from(arguments);
  if (!options) return std::unexpected(options.error());
  const bool to_stdout = options->path == "-";
  if (to_stdout && console.format() == Format::json) {
    return fail(ErrorKind::usage, "the samples would stand on standard output beside the JSON",
                "name a file for them with -o");
  }
  const auto gpus = open_gpus(arguments);
  if (!gpus) return std::unexpected(gpus.error());
  for (const std::string& absent : absent_gpus(gpus->inventory)) console.warn(absent);
  options->settings.pedigree = gpus->inventory.pedigree;
  // Ctrl-C ends the recording, not the file: what was recorded is closed and told first.
  const SignalsHeldBack held;
  const auto recording = record(*gpus, *options, console);
  if (!recording) return std::unexpected(recording.error());
  warn_about(*recording, console);
  if (!to_stdout) print_summary(*recording, *gpus, options->path, console);
  console.out().flush();
  return recording->interrupted ? Outcome::partial : Outcome::done;
}

}  // namespace

const Verb& record_verb() {
  static const Verb kVerb{
      .name = "record",
      .summary = "Record draw, clocks and activity of GPUs to a CSV file",
      .details =
          "One row a GPU and moment, with the exact time of each reading, until the duration is over or "
          "Ctrl-C. Missing readings are empty cells; a moment without a sample is a row that says why. A GPU "
          "that hangs does not hold up the others. Reads only. On Hopper and later the shares of time in "
          "which SMs, tensor cores and memory were busy are in it, without DCGM. At the end the energy of "
          "each GPU by its counter, or by its draw where it has none.",
      .options = {{"-o,--output", "FILE", "-",
                   "where to; a name that ends in .gz is compressed; - is standard output"},
                  {"--rate", "HZ", "1", "samples a second, at most 10"},
                  {"--duration", "TIME", "", "how long, as in 90s or 30m; without it until Ctrl-C"},
                  {"--basic", "", "", "no activity counters: leave them to a profiler", Takes::flag},
                  nvml_option(),
                  gpus_option()},
      .examples = {{"wattflex record -o run.csv.gz", "all GPUs once a second until Ctrl-C"},
                   {"wattflex record --duration 30m --rate 10 --gpus 0-3 -o run.csv", "four GPUs, finely"},
                   {"wattflex record --duration 10s | head", "a look at the columns"}},
      .json_fields = {{"status", "", "done, or partial when a signal ended it"},
                      {"pedigree", "", "measured, or simulated where the library is the twin's"},
                      {"file", "", "as given"},
                      {"duration_s", "s", "from first to last moment, by the GPUs' clock"},
                      {"gpus[].uuid", "", "the GPU's lasting name"},
                      {"gpus[].index", "1", "the driver's number today"},
                      {"gpus[].name", "", "board"},
                      {"gpus[].samples", "1", "rows with readings"},
                      {"gpus[].gaps", "1", "rows without"},
                      {"gpus[].energy_j", "J", "energy in the time covered; null where it can't be told"},
                      {"gpus[].energy_source", "", "counter, integrated_draw or unknown"},
                      {"gpus[].mean_draw_w", "W", "energy over the time covered"},
                      {"gpus[].covered_s", "s", "time that the energy was drawn in"},
                      {"gpus[].uncovered_s", "s", "time of which the energy is unknown"},
                      {"gpus[].counter_resets", "1", "falls of the energy counter"},
                      {"gpus[].counter_over_draw", "1",
                       "counter over integrated draw; healthy within 0.9..1.1"},
                      {"gpus[].not_trusted[]", "", "columns with more than 1 % of impossible readings"}},
      .run = run_record,
      .check = can_read<record_options_from>};
  return kVerb;
}

}  // namespace wattflex::app
