#include "device/nvml/power_fields.h"

#include <algorithm>
#include <limits>

#include "device/nvml/status.h"

namespace wattflex::nvml {
namespace {

struct Asked {
  std::uint32_t field;
  std::uint32_t scope;
};

// In the order of the readings below.
constexpr Asked kAsked[] = {{field::kPowerInstant, scope::kGpu},
                            {field::kPowerAverage, scope::kGpu},
                            {field::kPowerInstant, scope::kModule},
                            {field::kPowerAverage, scope::kModule},
                            {field::kTotalEnergy, 0},
                            {field::kMemoryTemperature, 0}};

FieldValue query_of(std::size_t i) {
  FieldValue value{};
  value.field = kAsked[i].field;
  value.scope = kAsked[i].scope;
  value.status = Status::unknown;
  return value;
}

// As a signed number; those that do not fit are impossible in any unit.
Reading<std::int64_t> number_of(const FieldValue& value) {
  if (value.status != Status::success) return problem_of(value.status);
  switch (value.type) {
    case ValueType::real:
      if (!(value.value.real >= -1e18 && value.value.real <= 1e18)) return Problem::impossible_value;
      return static_cast<std::int64_t>(value.value.real);
    case ValueType::unsigned_int:
      return static_cast<std::int64_t>(value.value.unsigned_int);
    case ValueType::unsigned_long:
    case ValueType::unsigned_long_long: {
      const std::uint64_t number =
          value.type == ValueType::unsigned_long ? value.value.unsigned_long : value.value.unsigned_long_long;
      if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        return Problem::impossible_value;
      return static_cast<std::int64_t>(number);
    }
    case ValueType::signed_long_long:
      return value.value.signed_long_long;
    case ValueType::signed_int:
      return static_cast<std::int64_t>(value.value.signed_int);
    case ValueType::unsigned_short:
      return static_cast<std::int64_t>(value.value.unsigned_short);
  }
  return Problem::impossible_value;
}

Reading<std::uint64_t> magnitude_of(const Reading<std::int64_t>& number) {
  if (!number) return number.problem();
  if (*number < 0) return Problem::impossible_value;
  return static_cast<std::uint64_t>(*number);
}

// What a driver answers for what it will never have; anything else may pass.
bool is_lasting(Problem problem) {
  return problem == Problem::not_supported || problem == Problem::out_of_range;
}

}  // namespace

void FieldReader::probe(const Functions& functions, Device device) {
  probed_ = true;
  for (std::size_t i = 0; i < kCount; ++i) {
    FieldValue value = query_of(i);
    const Status status = functions.nvmlDeviceGetFieldValues(device, 1, &value);
    const Problem problem = problem_of(status == Status::success ? value.status : status);
    const bool answered = status == Status::success && value.status == Status::success;
    if (!answered && is_lasting(problem)) absent_[i] = Problem::not_supported;
  }
}

PowerFields FieldReader::read(const Functions& functions, Device device) {
  std::array<Reading<std::int64_t>, kCount> numbers;
  if (functions.nvmlDeviceGetFieldValues == nullptr) {
    numbers.fill(Problem::not_supported);
  } else {
    if (!probed_) probe(functions, device);
    std::array<FieldValue, kCount> values{};
    std::array<std::size_t, kCount> places{};
    int count = 0;
    for (std::size_t i = 0; i < kCount; ++i) {
      numbers[i] = absent_[i];
      if (absent_[i] != Problem::not_asked) continue;
      values[static_cast<std::size_t>(count)] = query_of(i);
      places[static_cast<std::size_t>(count++)] = i;
    }
    const Status status =
        count == 0 ? Status::success : functions.nvmlDeviceGetFieldValues(device, count, values.data());
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
      numbers[places[i]] = status == Status::success ? number_of(values[i]) : problem_of(status);
  }
  return {.draw_instant = magnitude_of(numbers[0]),
          .draw_average = magnitude_of(numbers[1]),
          .module_draw_instant = magnitude_of(numbers[2]),
          .module_draw_average = magnitude_of(numbers[3]),
          .energy = magnitude_of(numbers[4]),
          .memory_temperature = numbers[5]};
}

}  // namespace wattflex::nvml
