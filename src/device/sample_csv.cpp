#include "device/sample_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>

#include "base/parse.h"

namespace wattflex::device {
namespace {

constexpr double kMebi = 1048576;

struct NumberColumn {
  std::string_view name;
  Reading<double> (*get)(const GpuSample&);
  void (*set)(GpuSample&, double);
};

template <auto Member>
Reading<double> get_power(const GpuSample& sample) {
  const Reading<Power>& reading = sample.*Member;
  return reading ? Reading<double>(reading->watts()) : reading.problem();
}

template <auto Member>
void set_power(GpuSample& sample, double watts) {
  sample.*Member = Power::from_watts(watts);
}

template <auto Member>
Reading<double> get_clock(const GpuSample& sample) {
  const Reading<Frequency>& reading = sample.*Member;
  return reading ? Reading<double>(reading->megahertz()) : reading.problem();
}

template <auto Member>
void set_clock(GpuSample& sample, double megahertz) {
  sample.*Member = Frequency::from_megahertz(megahertz);
}

template <auto Member>
Reading<double> get_plain(const GpuSample& sample) {
  return sample.*Member;
}

template <auto Member>
void set_plain(GpuSample& sample, double value) {
  sample.*Member = value;
}

template <auto Member>
Reading<double> get_activity(const GpuSample& sample) {
  return sample.activity.*Member;
}

template <auto Member>
void set_activity(GpuSample& sample, double value) {
  sample.activity.*Member = value;
}

Reading<double> get_memory(const GpuSample& sample) {
  return sample.memory_used ? Reading<double>(*sample.memory_used / kMebi) : sample.memory_used.problem();
}

void set_memory(GpuSample& sample, double mebibytes) {
  sample.memory_used = mebibytes * kMebi;
}

#define POWER(member) get_power<&GpuSample::member>, set_power<&GpuSample::member>
#define CLOCK(member) get_clock<&GpuSample::member>, set_clock<&GpuSample::member>
#define PLAIN(member) get_plain<&GpuSample::member>, set_plain<&GpuSample::member>
#define ACTIVITY(member) get_activity<&GpuActivity::member>, set_activity<&GpuActivity::member>

constexpr NumberColumn kNumbers[] = {{"draw_instant_w", POWER(draw_instant)},
                                     {"draw_average_w", POWER(draw_average)},
                                     {"module_draw_instant_w", POWER(module_draw_instant)},
                                     {"module_draw_average_w", POWER(module_draw_average)},
                                     {"requested_w", POWER(requested)},
                                     {"enforced_w", POWER(enforced)},
                                     {"sm_clock_mhz", CLOCK(sm_clock)},
                                     {"mem_clock_mhz", CLOCK(memory_clock)},
                                     {"gpu_util", PLAIN(gpu_util)},
                                     {"mem_copy_util", PLAIN(mem_copy_util)},
                                     {"fb_used_mib", get_memory, set_memory},
                                     {"gpu_temp_c", PLAIN(temperature)},
                                     {"mem_temp_c", PLAIN(memory_temperature)},
                                     {"sm_active", ACTIVITY(sm_active)},
                                     {"tensor_active", ACTIVITY(tensor_active)},
                                     {"dram_active", ACTIVITY(dram_active)},
                                     {"nvlink_tx_bytes_per_s", ACTIVITY(nvlink_tx)},
                                     {"nvlink_rx_bytes_per_s", ACTIVITY(nvlink_rx)},
                                     {"pcie_tx_bytes_per_s", ACTIVITY(pcie_tx)},
                                     {"pcie_rx_bytes_per_s", ACTIVITY(pcie_rx)}};

#undef POWER
#undef CLOCK
#undef PLAIN
#undef ACTIVITY

constexpr std::string_view kEnergy = "energy_mj";
constexpr std::string_view kThrottle = "throttle";
constexpr std::size_t kReadings = std::size(kNumbers) + 2;

constexpr auto kReadingColumns = [] {
  std::array<std::string_view, kReadings> names;
  for (std::size_t i = 0; i < std::size(kNumbers); ++i) names[i] = kNumbers[i].name;
  names[kReadings - 2] = kEnergy;
  names[kReadings - 1] = kThrottle;
  return names;
}();

// What a GPU will never have, or was not asked for, is not told again in every row.
bool is_expected(Problem problem) {
  return problem == Problem::not_supported || problem == Problem::not_asked || problem == Problem::not_ready;
}

void append_missing(const GpuSample& sample, std::string& text) {
  bool first = true;
  const auto missing = missing_readings(sample);
  for (std::size_t i = 0; i < kReadings; ++i) {
    if (!missing[i] || is_expected(*missing[i])) continue;
    fmt::format_to(std::back_inserter(text), "{}{}={}", first ? "" : "+", kReadingColumns[i],
                   to_string(*missing[i]));
    first = false;
  }
}

// "1770000000.123456", exactly.
std::optional<Time> parse_time(std::string_view text) {
  const std::size_t point = text.find('.');
  const auto seconds = parse_integer(text.substr(0, point));
  if (!seconds) return std::nullopt;
  long long micros = 0;
  if (point != std::string_view::npos) {
    std::string fraction(text.substr(point + 1));
    if (fraction.empty() || fraction.size() > 6) return std::nullopt;
    fraction.resize(6, '0');
    const auto parsed = parse_integer(fraction);
    if (!parsed || *parsed < 0) return std::nullopt;
    micros = *parsed;
  }
  return Time(std::chrono::seconds(*seconds) + std::chrono::microseconds(micros));
}

using Cells = std::vector<std::string_view>;

// One row, by the header's columns; which cell is wrong when it can't be read.
class RowReader {
 public:
  explicit RowReader(Cells columns) : columns_(std::move(columns)) {}

  bool has(std::string_view column) const { return std::ranges::find(columns_, column) != columns_.end(); }
  std::size_t width() const { return columns_.size(); }

  std::optional<std::string> read(const Cells& cells, SampleRow& row) const {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (!cells[i].empty() && !read_cell(columns_[i], cells[i], row))
        return fmt::format("column {}: '{}' can't be read", columns_[i], cells[i]);
    }
    if (row.uuid.text.empty() || row.sample.time == Time()) return "it names no time or no GPU";
    return std::nullopt;
  }

 private:
  static bool read_cell(std::string_view column, std::string_view cell, SampleRow& row) {
    if (column == "time_unix_s") {
      const auto time = parse_time(cell);
      if (time) row.sample.time = *time;
      return time.has_value();
    }
    if (column == "uuid") return row.uuid.text = cell, true;
    if (column == "gap") return row.gap = cell, true;
    if (column == "gpu") {
      const auto index = parse_integer(cell);
      if (index) row.index = static_cast<int>(*index);
      return index.has_value();
    }
    if (column == "pedigree") {
      const auto pedigree = parse_pedigree(cell);
      if (pedigree) row.pedigree = *pedigree;
      return pedigree.has_value();
    }
    return read_reading(column, cell, row.sample);
  }

  static bool read_reading(std::string_view column, std::string_view cell, GpuSample& sample) {
    if (column == kThrottle) {
      const auto reasons = ThrottleReasons::parse(cell);
      if (reasons) sample.throttle = *reasons;
      return reasons.has_value();
    }
    if (column == kEnergy) {
      std::uint64_t count = 0;
      const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), count);
      if (error != std::errc() || end != cell.data() + cell.size()) return false;
      const PowerScope scope = sample.energy ? sample.energy->scope : PowerScope::gpu;
      sample.energy = EnergyCount{count, scope};
      return true;
    }
    if (column == "energy_scope") {
      if (sample.energy) sample.energy = EnergyCount{sample.energy->millijoules, scope_of(cell)};
      return cell == "gpu" || cell == "module";
    }
    const auto* const number = std::ranges::find(kNumbers, column, &NumberColumn::name);
    if (number == std::end(kNumbers)) return true;
    const auto value = parse_number(cell);
    if (value) number->set(sample, *value);
    return value.has_value();
  }

  static PowerScope scope_of(std::string_view text) {
    return text == "module" ? PowerScope::module : PowerScope::gpu;
  }

  Cells columns_;
};

}  // namespace

std::span<const std::string_view> reading_columns() {
  return kReadingColumns;
}

std::vector<std::optional<Problem>> missing_readings(const GpuSample& sample) {
  std::vector<std::optional<Problem>> missing(kReadings);
  for (std::size_t i = 0; i < std::size(kNumbers); ++i) {
    const Reading<double> reading = kNumbers[i].get(sample);
    if (!reading) missing[i] = reading.problem();
  }
  if (!sample.energy) missing[kReadings - 2] = sample.energy.problem();
  if (!sample.throttle) missing[kReadings - 1] = sample.throttle.problem();
  return missing;
}

std::string sample_csv_header() {
  std::string header = "time_unix_s,uuid,gpu,pedigree";
  for (const NumberColumn& column : kNumbers) header += "," + std::string(column.name);
  return header + ",energy_mj,energy_scope,throttle,gap,missing\n";
}

void append_sample_csv(const SampleRow& row, std::string& text) {
  const auto out = std::back_inserter(text);
  const GpuSample& sample = row.sample;
  const auto micros = sample.time.time_since_epoch().count();
  fmt::format_to(out, "{}.{:06},{},", micros / 1'000'000, micros % 1'000'000, row.uuid.text);
  if (row.index) fmt::format_to(out, "{}", *row.index);
  fmt::format_to(out, ",{}", to_string(row.pedigree));
  for (const NumberColumn& column : kNumbers) {
    text += ',';
    if (const Reading<double> reading = column.get(sample)) fmt::format_to(out, "{}", *reading);
  }
  text += ',';
  if (sample.energy)
    fmt::format_to(out, "{},{}", sample.energy->millijoules, to_string(sample.energy->scope));
  else
    text += ',';
  text += ',';
  if (sample.throttle) text += sample.throttle->names();
  fmt::format_to(out, ",{},", row.gap);
  if (row.gap.empty()) append_missing(sample, text);
  text += '\n';
}

Result<std::vector<SampleRow>> parse_sample_csv(std::string_view text, const std::string& name) {
  const auto wrong = [&](std::size_t line, const std::string& what) {
    return fail(ErrorKind::refused, fmt::format("{}:{}: {}", name, line, what),
                "give a file that 'wattflex record' wrote");
  };
  std::optional<RowReader> reader;
  std::vector<SampleRow> rows;
  std::size_t number = 0;
  for (std::string_view line : split(text, '\n')) {
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line.starts_with('#')) continue;
    const Cells cells = split(line, ',');
    if (!reader) {
      reader.emplace(cells);
      if (!reader->has("time_unix_s") || !reader->has("uuid"))
        return wrong(number, "no columns time_unix_s and uuid");
      continue;
    }
    // A recording that was cut off ends in half a row; one that goes on has no other.
    const bool last = line.data() + line.size() == text.data() + text.size();
    if (last) break;
    if (cells.size() != reader->width())
      return wrong(number, fmt::format("{} cells, {} columns", cells.size(), reader->width()));
    SampleRow row;
    if (const auto problem = reader->read(cells, row)) return wrong(number, *problem);
    rows.push_back(std::move(row));
  }
  if (rows.empty()) return fail(ErrorKind::no_data, name + ": no samples", "record for longer");
  return rows;
}

}  // namespace wattflex::device
