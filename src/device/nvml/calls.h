// How NVML's getters are called: a missing function and a failed call become a problem, an answer a value.
#pragma once

#include <cstdint>

#include "device/nvml/status.h"
#include "model/reading.h"

namespace wattflex::nvml {

// A getter refuses an argument only where it does not know what is asked for.
inline Problem reading_problem(Status status) {
  return status == Status::invalid_argument ? Problem::not_supported : problem_of(status);
}

// Calls `function(arguments..., &answer)`.
template <class Answer, class Function, class... Arguments>
Reading<Answer> ask(Function* function, Arguments... arguments) {
  if (function == nullptr) return Problem::not_supported;
  Answer answer{};
  const Status status = function(arguments..., &answer);
  if (status != Status::success) return reading_problem(status);
  return answer;
}

// Through a gate, which takes the answer as a number.
template <class Answer, class Value>
Reading<Value> gate(const Reading<Answer>& answer, Reading<Value> (*gate_of)(std::uint64_t)) {
  return answer ? gate_of(*answer) : Reading<Value>(answer.problem());
}

}  // namespace wattflex::nvml
