#include "twin/state/segments.h"

#include <algorithm>

namespace wattflex::twin {
namespace {

// The second oldest stretch takes the oldest one's place, drawing evenly from its start.
void join_oldest(GpuRecord& gpu) {
  DrawSegment& first = gpu.segments[0];
  const DrawSegment& third = gpu.segments[2];
  const double span = third.start_s - first.start_s;
  if (span > 0) {
    const double mean = (third.energy_j - first.energy_j) / span;
    first.step = {mean, mean, mean, 1, 1, 1};
    first.offset = 0;
    for (std::size_t i = 0; i < kCounters; ++i)
      first.activity.counters[i] = (third.busy_s[i] - first.busy_s[i]) / span;
  }
  std::copy(gpu.segments.begin() + 2, gpu.segments.begin() + gpu.segment_count, gpu.segments.begin() + 1);
  --gpu.segment_count;
}

}  // namespace

DrawSegment& last_segment(GpuRecord& gpu) {
  return gpu.segments[gpu.segment_count - 1];
}

const DrawSegment& last_segment(const GpuRecord& gpu) {
  return gpu.segments[gpu.segment_count - 1];
}

const DrawSegment& segment_at(const GpuRecord& gpu, Seconds time) {
  for (std::size_t i = gpu.segment_count; i-- > 1;) {
    if (gpu.segments[i].start_s <= time.count()) return gpu.segments[i];
  }
  return gpu.segments[0];
}

void append_segment(GpuRecord& gpu, const DrawSegment& segment) {
  // What has lasted no time is replaced.
  if (gpu.segment_count > 1 && last_segment(gpu).start_s >= segment.start_s) --gpu.segment_count;
  if (gpu.segment_count == kSegments) join_oldest(gpu);
  gpu.segments[gpu.segment_count++] = segment;
}

Energy energy_at(const GpuRecord& gpu, Seconds time) {
  const DrawSegment& segment = segment_at(gpu, time);
  const double before = std::max(0.0, segment.start_s - time.count());
  return Energy::from_joules(segment.energy_j) + energy_until(segment, time) -
         mean_draw(segment.step) * Seconds(before);
}

double busy_at(const GpuRecord& gpu, Counter counter, Seconds time) {
  const auto i = static_cast<std::size_t>(counter);
  const DrawSegment& segment = segment_at(gpu, time);
  return segment.busy_s[i] + segment.activity.counters[i] * (time.count() - segment.start_s);
}

}  // namespace wattflex::twin
