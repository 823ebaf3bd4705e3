// For tests only: verbs that read GPUs, run on the fake NVML library with four GPUs, GPU-a to GPU-d.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "apps/wattflex/test_run.h"
#include "device/nvml/fake_nvml.h"

namespace wattflex::app {

class FakeGpus : public testing::Test {
 protected:
  FakeGpus() : fake(nvml::fake_nvml(WATTFLEX_FAKE_NVML)) {
    fake.reset();
    fake.add_gpus(4);
  }

  static Ran on_fake(std::string_view verb, std::vector<std::string> words) {
    words.insert(words.end(), {"--nvml", WATTFLEX_FAKE_NVML});
    return run_verb(verb, std::move(words));
  }
  int writes() const {
    int sum = 0;
    for (const nvml::FakeGpu& gpu : fake.gpus) sum += gpu.writes;
    return sum;
  }

  nvml::FakeNvml& fake;
};

}  // namespace wattflex::app
