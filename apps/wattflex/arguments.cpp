#include "apps/wattflex/arguments.h"

#include "base/parse.h"

namespace wattflex::app {
namespace {

std::unexpected<Error> wrong(std::string_view name, const std::string& problem, std::string remedy) {
  return fail(ErrorKind::usage, "--" + std::string(name) + ": " + problem, std::move(remedy));
}

template <class T>
Result<T> named(std::string_view name, Result<T> result) {
  if (!result) return wrong(name, result.error().message, result.error().remedy);
  return result;
}

}  // namespace

bool Arguments::has(std::string_view name) const {
  return values_.contains(name);
}

std::string_view Arguments::text(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() || found->second.empty() ? std::string_view() : found->second.front();
}

const std::vector<std::string>& Arguments::list(std::string_view name) const {
  static const std::vector<std::string> kNone;
  const auto found = values_.find(name);
  return found == values_.end() ? kNone : found->second;
}

Result<double> Arguments::number(std::string_view name) const {
  const auto value = parse_number(text(name));
  if (!value) {
    const bool too_large = value.error() == NumberProblem::out_of_range;
    return wrong(name,
                 "'" + std::string(text(name)) + (too_large ? "' is out of range" : "' is not a number"),
                 "write e.g. 0.05");
  }
  return *value;
}

Result<long long> Arguments::integer(std::string_view name, long long least, long long most) const {
  const auto value = parse_integer(text(name));
  if (!value || *value < least || *value > most) {
    return wrong(name, "'" + std::string(text(name)) + "' is not a whole number in range",
                 "give a number from " + std::to_string(least) + " to " + std::to_string(most));
  }
  return *value;
}

Result<double> Arguments::percent(std::string_view name) const {
  return named(name, parse_percent(text(name)));
}

Result<std::vector<double>> Arguments::percent_range(std::string_view name) const {
  return named(name, parse_percent_range(text(name)));
}

}  // namespace wattflex::app
