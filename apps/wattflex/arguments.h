// The values of a verb's options after flags, environment and defaults have been merged. Asking for an
// option the verb's table does not list is a bug (assertion).
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/quantity.h"

namespace wattflex::app {

class Arguments {
 public:
  // Names without dashes: "cut", "TABLE". An option without value and default has no entry in `values`.
  // `defaults` names those that stand in the environment or the settings file.
  explicit Arguments(std::map<std::string, std::vector<std::string>, std::less<>> values,
                     std::set<std::string, std::less<>> defaults = {})
      : values_(std::move(values)), defaults_(std::move(defaults)) {}

  bool has(std::string_view name) const;
  // Whether it stands on the command line; for options without a default of their own. What stands elsewhere
  // is passed over where it does not fit.
  bool is_written(std::string_view name) const { return has(name) && !defaults_.contains(name); }
  bool flag(std::string_view name) const { return has(name); }
  // The value, or "" when there is none.
  std::string_view text(std::string_view name) const;
  const std::vector<std::string>& list(std::string_view name) const;

  // Typed readings; the error names the option.
  Result<double> number(std::string_view name) const;
  Result<long long> integer(std::string_view name, long long least, long long most) const;
  Result<double> percent(std::string_view name) const;
  Result<std::vector<double>> percent_range(std::string_view name) const;

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
  std::set<std::string, std::less<>> defaults_;
};

}  // namespace wattflex::app
