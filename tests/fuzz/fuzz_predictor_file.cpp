// Any bytes as a predictor's model file: never a crash; what is accepted predicts finite numbers and survives
// a round trip, what is refused says why.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "elasticity/predictor_file.h"

namespace {

using wattflex::elasticity::Predictor;

// A job at the lower end of every fitted range: leverage and interval are then those of a real prediction.
void check(const Predictor& predictor) {
  std::vector<double> job;
  for (const auto& feature : predictor.features) job.push_back(feature.lowest);
  const double leverage = predictor.model.leverage(job);
  if (std::isfinite(leverage) && leverage < -1e-6 * std::abs(predictor.model.inverse_moment[0])) std::abort();
  if (predictor.model.coefficients.size() != predictor.features.size() + 1) std::abort();
  if (predictor.model.n <= predictor.model.coefficients.size()) std::abort();
  if (predictor.model.residual_variance < 0) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto predictor = wattflex::elasticity::parse_predictor(text, "m.json");
  if (!predictor) {
    if (predictor.error().message.empty() || predictor.error().remedy.empty()) std::abort();
    return 0;
  }
  check(*predictor);
  const std::string written = wattflex::elasticity::write_predictor(*predictor);
  const auto again = wattflex::elasticity::parse_predictor(written, "m.json");
  if (!again || wattflex::elasticity::write_predictor(*again) != written) std::abort();
  return 0;
}
