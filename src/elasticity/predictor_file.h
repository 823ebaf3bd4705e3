// The predictor as a JSON file (docs/verbs/fit.md describes it). Loading is strict: an unknown version or
// key, a missing key, a number out of place or matrices that cannot belong to a fit are one clear error each,
// so that a damaged file never predicts.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "elasticity/predictor.h"

namespace wattflex::elasticity {

// JSON with two-space indent and a last newline; doubles survive exactly.
std::string write_predictor(const Predictor& predictor);

// `name` stands for the file in messages.
Result<Predictor> parse_predictor(std::string_view text, const std::string& name);

// Reads a whole file of at most 4 MiB.
Result<Predictor> load_predictor(const std::string& path);

}  // namespace wattflex::elasticity
