// The times of many steps in fixed memory, and what is typical of them: a histogram in steps of 0.2 %, each
// bin with its exact sums. The robust mean takes the steps whose time lies near the median and drops warm-up,
// stalls and asynchronous prints. Assumes that most steps are ordinary ones.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

namespace wattflex::logs {

// One reading of the log: `steps` steps that took `step_time` each.
struct TimedSteps {
  double step_time = 0;  // s, above 0
  double steps = 1;
  std::optional<double> tokens;   // of one step, whole job
  std::optional<double> samples;  // likewise
};

// Over the steps within `most_deviation` of the median step time.
struct TypicalSteps {
  std::uint64_t readings = 0;
  double steps = 0;
  double median_step_time = 0;
  double step_time = 0;                    // their time by their number
  std::optional<double> step_time_stderr;  // of the mean, readings taken as independent; needs two
  std::optional<double> tokens_per_s;      // their tokens by their time
  std::optional<double> tokens_per_s_stderr;
  std::optional<double> samples_per_s;
  std::optional<double> samples_per_s_stderr;
  std::uint64_t dropped = 0;       // readings
  double dropped_excess_time = 0;  // what the slow ones of them took beyond the typical time
};

class StepTimes {
 public:
  // Nine bits of mantissa make bins at most 0.2 % wide; the exponents reach from a microsecond to 12 days.
  static constexpr int kMantissaBits = 9;
  static constexpr std::size_t kBlocks = 40;

  void add(const TimedSteps& steps);
  void clear();
  std::uint64_t readings() const { return readings_; }
  // To the width of a bin, while reading goes on; nothing before the third reading.
  std::optional<double> running_median() const;
  std::optional<TypicalSteps> typical() const;

 private:
  struct Sums {
    std::uint64_t readings = 0;
    double steps = 0;
    double time = 0;       // steps x step time
    double step_time = 0;  // sum over readings
    double step_time_squared = 0;
    double token_time = 0;  // time of the steps whose tokens are known
    double tokens = 0;
    double sample_time = 0;
    double samples = 0;
    Sums& operator+=(const Sums& other);
  };

  double mean_of(std::size_t number) const;
  double deviation_about(double median) const;

  // Bins of one binary exponent; there once one of them has a reading.
  using Block = std::array<Sums, std::size_t{1} << kMantissaBits>;
  Sums& filled(std::size_t bin);
  const Sums& bin(std::size_t number) const;

  std::array<std::unique_ptr<Block>, kBlocks> blocks_;
  std::uint64_t readings_ = 0;
  // The bin of the median, moved along as readings come, and the readings below it.
  std::size_t at_ = 0;
  std::uint64_t below_ = 0;
};

}  // namespace wattflex::logs
