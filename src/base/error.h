// What a failed call returns. Every fallible boundary returns Result<T>; adapters turn exceptions and
// foreign codes into Error. Not for bugs of our own: those are assertions.
#pragma once

#include <expected>
#include <string>
#include <utility>

namespace wattflex {

enum class ErrorKind {
  usage,        // the command line or configuration is wrong
  io,           // a file or stream could not be opened, read or written
  refused,      // the input is wrong: nothing was computed from it
  no_data,      // the input is well formed and holds nothing to work on
  infeasible,   // the request cannot be met; the message carries the shortfall
  unsupported,  // this input is fine but the operation cannot serve it
  internal,     // a result failed its own check: a bug of ours, never to be passed over
};

// Stable name of a kind, as JSON `status` shows it.
constexpr const char* to_string(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return "usage";
    case ErrorKind::io:
      return "io_error";
    case ErrorKind::refused:
      return "refused";
    case ErrorKind::no_data:
      return "no_data";
    case ErrorKind::infeasible:
      return "infeasible";
    case ErrorKind::unsupported:
      return "unsupported";
    case ErrorKind::internal:
      return "internal_error";
  }
  return "unknown";
}

// `message` names the file, row, field or GPU concerned; `remedy` says what to do about it.
struct Error {
  ErrorKind kind = ErrorKind::refused;
  std::string message;
  std::string remedy;

  friend bool operator==(const Error&, const Error&) = default;
};

template <class T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> fail(ErrorKind kind, std::string message, std::string remedy) {
  return std::unexpected(Error{kind, std::move(message), std::move(remedy)});
}

}  // namespace wattflex
