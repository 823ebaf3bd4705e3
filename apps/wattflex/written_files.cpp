#include "apps/wattflex/written_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "apps/wattflex/arguments.h"

namespace wattflex::app {
namespace {

namespace fs = std::filesystem;
using Names = std::initializer_list<std::string_view>;

Result<void> keep(const Arguments& arguments, std::string_view option, const fs::path& written,
                  Names inputs) {
  for (const std::string_view name : inputs) {
    for (const std::string& input : arguments.list(name)) {
      std::error_code missing;  // then there is nothing to lose
      if (!fs::equivalent(input == "-" ? "/dev/stdin" : input, written, missing)) continue;
      return fail(
          ErrorKind::usage,
          fmt::format("--{}: '{}' is the file read as {} ('{}')", option, written.string(), name, input),
          "name another file to write");
    }
  }
  return {};
}

}  // namespace

std::string output_path(const Arguments& arguments, std::string_view option) {
  const std::string_view path = arguments.text(option);
  return path == "-" ? "/dev/stdout" : std::string(path);
}

Result<void> keep_inputs(const Arguments& arguments, std::string_view option, Names inputs) {
  return keep(arguments, option, output_path(arguments, option), inputs);
}

Result<void> keep_inputs_in_folder(const Arguments& arguments, std::string_view option, Names inputs,
                                   Names endings) {
  std::error_code missing;
  for (const fs::path& file : fs::directory_iterator(arguments.text(option), missing)) {
    if (std::ranges::find(endings, file.extension()) == endings.end()) continue;
    if (const auto kept = keep(arguments, option, file, inputs); !kept) return kept;
  }
  return {};
}

}  // namespace wattflex::app
