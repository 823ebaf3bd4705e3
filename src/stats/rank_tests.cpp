#include "stats/rank_tests.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "stats/distributions.h"
#include "stats/multiple_testing.h"
#include "stats/ranks.h"

namespace wattflex::stats {
namespace {

struct PooledRanks {
  double n = 0;
  double ties = 0;
  std::vector<double> sizes;
  std::vector<double> mean_ranks;  // by group
};

std::unexpected<Error> cannot_rank(std::string reason) {
  return fail(ErrorKind::no_data, std::move(reason), "");
}

Result<PooledRanks> pool(std::span<const std::vector<double>> groups) {
  if (groups.size() < 2) {
    return cannot_rank("comparing groups needs 2 of them, there are " + std::to_string(groups.size()));
  }
  std::vector<double> all;
  for (const auto& group : groups) {
    if (group.empty()) return cannot_rank("a group is empty");
    all.insert(all.end(), group.begin(), group.end());
  }
  PooledRanks pooled{
      .n = static_cast<double>(all.size()), .ties = tie_term(all), .sizes = {}, .mean_ranks = {}};
  const double n = pooled.n;
  if (pooled.ties >= n * n * n - n) return cannot_rank("all values are equal, so there is nothing to rank");
  const auto ranks = average_ranks(all);
  auto next = ranks.begin();
  for (const auto& group : groups) {
    double sum = 0;
    for (std::size_t i = 0; i < group.size(); ++i) sum += *next++;
    pooled.sizes.push_back(static_cast<double>(group.size()));
    pooled.mean_ranks.push_back(sum / pooled.sizes.back());
  }
  return pooled;
}

}  // namespace

Result<KruskalWallis> kruskal_wallis(std::span<const std::vector<double>> groups) {
  const auto pooled = pool(groups);
  if (!pooled) return std::unexpected(pooled.error());
  const double n = pooled->n;
  double between = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const double offset = pooled->mean_ranks[g] - (n + 1) / 2;
    between += pooled->sizes[g] * offset * offset;
  }
  const double tie_correction = 1 - pooled->ties / (n * n * n - n);
  KruskalWallis result{.h = 12 / (n * (n + 1)) * between / tie_correction,
                       .degrees_of_freedom = static_cast<int>(groups.size()) - 1};
  result.p_value = chi_squared_upper_p(result.h, static_cast<double>(result.degrees_of_freedom));
  return result;
}

Result<std::vector<DunnComparison>> dunn(std::span<const std::vector<double>> groups) {
  const auto pooled = pool(groups);
  if (!pooled) return std::unexpected(pooled.error());
  const double n = pooled->n;
  const double variance = n * (n + 1) / 12 - pooled->ties / (12 * (n - 1));
  std::vector<DunnComparison> comparisons;
  std::vector<double> p_values;
  for (std::size_t first = 0; first < groups.size(); ++first) {
    for (std::size_t second = first + 1; second < groups.size(); ++second) {
      const double spread = std::sqrt(variance * (1 / pooled->sizes[first] + 1 / pooled->sizes[second]));
      const double z = (pooled->mean_ranks[first] - pooled->mean_ranks[second]) / spread;
      p_values.push_back(normal_two_sided_p(std::abs(z)));
      comparisons.push_back({.first = first, .second = second, .z = z, .p_value = p_values.back()});
    }
  }
  const auto adjusted = holm(p_values);
  for (std::size_t i = 0; i < comparisons.size(); ++i) comparisons[i].p_holm = adjusted[i];
  return comparisons;
}

}  // namespace wattflex::stats
