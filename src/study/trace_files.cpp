#include "study/trace_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cctype>
#include <iterator>
#include <system_error>
#include <utility>

#include "base/file.h"

namespace wattflex::study {
namespace {

namespace fs = std::filesystem;

// "h200_moe-ft_gpt-oss-20b_x8_seq2048-bs8_700w.csv"
std::string file_name(const twin::SimulatedJob& job, Power cap) {
  std::string name = fmt::format("{}_{}_{:g}w", job.accelerator, job.group, cap.watts());
  for (char& c : name) {
    if (c == ' ') c = '_';
    if (c == '/') c = '-';
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return name + ".csv";
}

std::unexpected<Error> cannot_write(const fs::path& path, const std::string& why) {
  return fail(ErrorKind::io, fmt::format("{}: {}", path.string(), why),
              "give --traces a directory below one you may write to");
}

}  // namespace

std::string trace_csv(const RunSamples& run) {
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "time_s,fb_used_mib,gpu_util,throughput");
  for (const std::string& column : run.telemetry_columns) fmt::format_to(out, ",{}", column);
  for (int gpu = 0; gpu < run.gpus; ++gpu) fmt::format_to(out, ",gpu{}_power_w", gpu);
  fmt::format_to(out, ",pedigree\n");
  for (std::size_t i = 0; i < run.samples.size(); ++i) {
    const RunSample& sample = run.samples[i];
    fmt::format_to(out, "{:g},{:.0f},{:.2f},", sample.time.count(), sample.framebuffer_gib * 1024,
                   sample.gpu_utilization);
    if (sample.throughput) fmt::format_to(out, "{:.1f}", *sample.throughput);
    for (const double value : run.telemetry_of(i)) fmt::format_to(out, ",{:.6g}", value);
    for (const Power power : run.power_of(i)) fmt::format_to(out, ",{:.3f}", power.watts());
    fmt::format_to(out, ",simulated\n");
  }
  return fmt::to_string(text);
}

TraceDirectory::TraceDirectory(fs::path path, fs::path partial, Held held)
    : held_(std::move(held)), path_(std::move(path)), partial_(std::move(partial)) {}

TraceDirectory::TraceDirectory(TraceDirectory&& other) noexcept
    : held_(std::move(other.held_)),
      path_(std::move(other.path_)),
      partial_(std::exchange(other.partial_, {})),
      files_(other.files_) {}

TraceDirectory::~TraceDirectory() {
  std::error_code ignored;
  if (!partial_.empty()) fs::remove_all(partial_, ignored);
}

Result<TraceDirectory> TraceDirectory::create(const std::string& path) {
  fs::path target = fs::path(path).lexically_normal();
  if (!target.has_filename()) target = target.parent_path();  // "traces/"
  std::error_code error;
  if (fs::exists(target, error) && !(fs::is_directory(target, error) && fs::is_empty(target, error))) {
    return fail(ErrorKind::refused, fmt::format("{}: exists and is not an empty directory", target.string()),
                "name a new directory; traces are never mixed with other files");
  }
  target = behind_links(target);
  fs::path partial = target;
  partial += fmt::format(".partial-{}", getpid());
  auto held = std::make_unique<SignalsHeldBack>();
  fs::remove_all(partial, error);  // of a killed process that had our number
  const bool created = fs::exists(target, error) ? fs::create_directory(partial, target, error)  // its mode
                                                 : fs::create_directory(partial, error);
  if (!created) return cannot_write(target, error ? error.message() : "its neighbour is in the way");
  return TraceDirectory(std::move(target), std::move(partial), std::move(held));
}

Result<void> TraceDirectory::add(const twin::SimulatedJob& job, Power cap, const RunSamples& run) {
  if (held_->arrived()) return cannot_write(path_, "interrupted");
  auto written = write_file((partial_ / file_name(job, cap)).string(), trace_csv(run));
  if (!written) {  // the message begins with our path; the user's says more
    written.error().message.replace(0, partial_.native().size(), path_.native());
    return written;
  }
  ++files_;
  return {};
}

Result<void> TraceDirectory::finish() {
  std::error_code error;
  fs::rename(partial_, path_, error);
  if (error) return cannot_write(path_, error.message());
  partial_.clear();
  held_.reset();
  return {};
}

}  // namespace wattflex::study
