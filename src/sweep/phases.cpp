#include "sweep/phases.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/counted.h"

namespace wattflex::sweep {

Result<Phases> detect_phases(const RunSamples& run, const PhaseRules& rules) {
  const std::vector<RunSample>& samples = run.samples;
  const auto loaded = std::ranges::find_if(
      samples, [&](const RunSample& sample) { return sample.framebuffer_gib >= rules.loaded_gib; });
  if (loaded == samples.end()) {
    return fail(ErrorKind::no_data,
                fmt::format("the run never left warmup: no sample uses {:g} GiB of framebuffer or more",
                            rules.loaded_gib),
                "was the model loaded? compare the framebuffer readings with the model's size");
  }
  const auto busy = [&](const RunSample& sample) { return sample.gpu_utilization >= rules.busy; };
  const auto count = static_cast<std::size_t>(rules.sustained);
  Phases phases;
  phases.startup_begin = static_cast<std::size_t>(loaded - samples.begin());
  std::size_t row = 0;  // busy samples in a row
  bool training = false;
  for (std::size_t i = phases.startup_begin; i < samples.size(); ++i) {
    row = busy(samples[i]) ? row + 1 : 0;
    if (row < count) continue;
    if (!training) phases.training_begin = i + 1 - count;
    training = true;
    phases.training_end = i + 1;
  }
  if (!training) {
    return fail(ErrorKind::no_data,
                fmt::format("the run never trained: GPU utilisation did not hold {:g} % over {} samples",
                            rules.busy * 100, rules.sustained),
                "did the job crash after loading its weights?");
  }
  if (phases.training_samples() < static_cast<std::size_t>(rules.fewest_samples)) {
    return fail(ErrorKind::no_data,
                fmt::format("only {} of training, {} are needed",
                            counted(phases.training_samples(), "sample"), rules.fewest_samples),
                "let the run train for longer");
  }
  return phases;
}

}  // namespace wattflex::sweep
