// The stretches of a GPU's past, newest last. When there is no room, the two oldest become one of the same
// energy: sums stay exact, what they look like inside does not.
#pragma once

#include "twin/state/records.h"

namespace wattflex::twin {

DrawSegment& last_segment(GpuRecord& gpu);
const DrawSegment& last_segment(const GpuRecord& gpu);
// The stretch that holds `time`; the oldest for any moment before it.
const DrawSegment& segment_at(const GpuRecord& gpu, Seconds time);
void append_segment(GpuRecord& gpu, const DrawSegment& segment);

// Drawn from the twin's start to `time`, which is not after now.
Energy energy_at(const GpuRecord& gpu, Seconds time);
double busy_at(const GpuRecord& gpu, Counter counter, Seconds time);

}  // namespace wattflex::twin
