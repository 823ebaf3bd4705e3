// One reading of a device, or why there is none. Never 0 or NaN for what was not read.
#pragma once

#include <optional>
#include <string_view>
#include <utility>

namespace wattflex {

// Why there is no reading, or why an operation on a GPU was not done.
enum class Problem {
  not_asked,         // nobody tried
  not_supported,     // this GPU or driver does not have it
  no_permission,     // it does, and keeps it from us
  gpu_lost,          // the GPU fell off the bus or must be reset
  driver_mismatch,   // the library was replaced under a loaded driver: nothing can be read until a reboot
  no_driver,         // no library, or no driver behind it
  timed_out,         // no answer within the deadline
  impossible_value,  // the driver said success and gave what cannot be
  not_ready,         // needs an earlier sample
  wrong_gpu,         // the device behind the handle is another one, or can't be told
  out_of_range,      // a limit the board does not take
  failed,            // anything else
};

// "not_supported", ...: as files and JSON show it.
std::string_view to_string(Problem problem);

template <class T>
class Reading {
 public:
  Reading() = default;
  Reading(T value) : value_(std::move(value)) {}
  Reading(Problem problem) : problem_(problem) {}

  explicit operator bool() const { return value_.has_value(); }
  bool has_value() const { return value_.has_value(); }
  const T& operator*() const { return *value_; }
  const T* operator->() const { return &*value_; }
  const std::optional<T>& optional() const { return value_; }
  // Of a missing reading.
  Problem problem() const { return problem_; }

  friend bool operator==(const Reading&, const Reading&) = default;

 private:
  std::optional<T> value_;
  Problem problem_ = Problem::not_asked;
};

}  // namespace wattflex
