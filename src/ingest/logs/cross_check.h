// Holds a figure the log prints against the one computed from batch, sequence and time, and names the factor
// when they differ: accumulation, tensor parallelism, one GPU instead of all. Figures of one run usually
// differ by an exact factor; what is not near one is told as "unexplained".
#pragma once

#include <optional>
#include <string>

#include "ingest/logs/job_shape.h"
#include "ingest/logs/step_times.h"

namespace wattflex::logs {

enum class Printed { tokens_rate, samples_rate, token_counter, step_time };

struct CrossCheck {
  double ratio = 1;  // printed by computed: its robust mean over the steps
  bool agrees = true;
  std::string explanation;  // empty where they agree and nothing is to be told
};

struct CheckContext {
  const JobShape& shape;
  double interval = 1;      // steps a line usually covers
  bool one_device = false;  // the figure is one GPU's, and nobody says how many there are
};

CrossCheck explain_ratio(Printed what, double ratio, const CheckContext& context);

// Whether a printed rate is all tokens since the first start by the time since the last one: after a resume
// it is absurdly high, and decays. Told from its own arithmetic: tokens seen by the printed rate grows with
// the clock.
class CumulativeRate {
 public:
  void add(std::optional<double> tokens_seen, std::optional<double> printed, std::optional<double> time,
           bool differs);
  bool found() const { return compared_ > 0 && 10 * held_ >= 8 * compared_; }

 private:
  std::optional<double> time_;
  std::optional<double> implied_;  // tokens seen by the printed rate
  int compared_ = 0;
  int held_ = 0;
};

}  // namespace wattflex::logs
