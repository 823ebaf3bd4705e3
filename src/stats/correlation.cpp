#include "stats/correlation.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "stats/descriptive.h"
#include "stats/distributions.h"
#include "stats/order.h"
#include "stats/ranks.h"

namespace wattflex::stats {
namespace {

// 9! = 362,880 permutations take a few milliseconds; 10! would be felt over twenty metrics.
constexpr std::size_t kLargestExact = 9;

double pearson(std::span<const double> x, std::span<const double> y) {
  const double mean_x = mean(x);
  const double mean_y = mean(y);
  double xx = 0;
  double yy = 0;
  double xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    yy += (y[i] - mean_y) * (y[i] - mean_y);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  return std::clamp(xy / std::sqrt(xx * yy), -1.0, 1.0);
}

// Average ranks are multiples of one half: four times the centred sum of products is a whole number, so that
// permutations compare without rounding.
double exact_p_value(std::span<const double> x, std::span<const double> y) {
  std::vector<long long> a;
  std::vector<long long> b;
  for (const double rank : x) a.push_back(std::llround(2 * rank));
  for (const double rank : y) b.push_back(std::llround(2 * rank));
  const auto n = static_cast<long long>(x.size());
  const long long centre = n * (n + 1) * (n + 1);
  const auto distance = [&](const std::vector<std::size_t>& order) {
    long long sum = 0;
    for (std::size_t i = 0; i < order.size(); ++i) sum += a[i] * b[order[i]];
    return std::llabs(sum - centre);
  };
  auto order = first_indices(x.size());
  const long long observed = distance(order);
  long long as_far = 0;
  long long all = 0;
  do {
    ++all;
    as_far += distance(order) >= observed ? 1 : 0;
  } while (std::ranges::next_permutation(order).found);
  return static_cast<double>(as_far) / static_cast<double>(all);
}

double t_p_value(double rho, std::size_t n) {
  const double freedom = static_cast<double>(n) - 2;
  const double rest = (1 - rho) * (1 + rho);
  if (rest <= 0) return 0;
  const double t = std::abs(rho) * std::sqrt(freedom / rest);
  return student_t_two_sided_p(t, freedom);
}

bool constant(std::span<const double> values) {
  return std::ranges::all_of(values, [&](double value) { return value == values.front(); });
}

}  // namespace

std::string_view to_string(PValueMethod method) {
  return method == PValueMethod::exact_permutation ? "exact_permutation" : "t_approximation";
}

Result<RankCorrelation> spearman(std::span<const double> x, std::span<const double> y) {
  assert(x.size() == y.size());
  if (x.size() < 3) {
    return fail(ErrorKind::no_data, "a rank correlation needs 3 pairs, there are " + std::to_string(x.size()),
                "");
  }
  if (constant(x) || constant(y)) {
    return fail(ErrorKind::no_data, "all values are equal, so there is nothing to rank", "");
  }
  const auto ranks_x = average_ranks(x);
  const auto ranks_y = average_ranks(y);
  RankCorrelation result{.rho = pearson(ranks_x, ranks_y), .n = x.size()};
  if (x.size() <= kLargestExact) {
    result.method = PValueMethod::exact_permutation;
    result.p_value = exact_p_value(ranks_x, ranks_y);
  } else {
    result.p_value = t_p_value(result.rho, x.size());
  }
  return result;
}

}  // namespace wattflex::stats
