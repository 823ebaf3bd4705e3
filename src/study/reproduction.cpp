#include "study/reproduction.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "study/allocation_figures.h"
#include "study/cohort.h"
#include "study/cohort_figures.h"
#include "study/predictor_figures.h"
#include "study/published_figures.h"

namespace wattflex::study {
namespace {

using Figures = std::vector<Figure>;

void append(Figures& all, Figures more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

// The groups of Table 6, on which Tables 3, 12 and 13 and the allocation study rest.
SweepTable headline_of(SweepTable table) {
  const std::vector<IndexedGroup> headline = published_cohort().headline;
  std::erase_if(table.groups, [&](const SweepGroup& group) {
    const auto found = std::ranges::find(headline, group.id.group, &IndexedGroup::name);
    return group.id.accelerator != "H200" || found == headline.end();
  });
  return table;
}

// Everything the page shows of one simulated cohort.
Result<Figures> cohort_figures(twin::Noise noise, std::uint64_t seed, int workloads) {
  using enum twin::CohortSet;
  const auto table = simulate_cohort({.seed = seed, .noise = noise, .sets = {headline, validation, h100}});
  if (!table) return std::unexpected(table.error());
  const SweepTable headline_table = headline_of(*table);
  const auto cohort = indexed_cohort(*table);
  if (!cohort) return std::unexpected(cohort.error());
  auto figures = index_figures(*cohort);
  if (!figures) return std::unexpected(figures.error());
  auto predictors = predictor_figures(headline_table);
  if (!predictors) return std::unexpected(predictors.error());
  append(*figures, std::move(*predictors));
  auto allocation = allocation_figures(headline_table, workloads, seed);
  if (!allocation) return std::unexpected(allocation.error());
  append(*figures, std::move(*allocation));
  return figures;
}

const Figure* find(const Figures& figures, const ReproducedNumber& number) {
  const auto found = std::ranges::find_if(figures, [&](const Figure& figure) {
    return figure.table == number.table && figure.subject == number.subject &&
           figure.quantity == number.quantity;
  });
  return found == figures.end() ? nullptr : &*found;
}

Spread spread_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  const double mean = sum / static_cast<double>(values.size());
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double degrees = std::max(1.0, static_cast<double>(values.size()) - 1);
  return {mean, std::sqrt(squares / degrees)};
}

// Adds the column of noisy cohorts.
Result<void> simulate(std::vector<ReproducedNumber>& numbers, const ReproductionOptions& options,
                      const std::function<void(double)>& progress) {
  std::vector<std::vector<double>> values(numbers.size());
  for (int run = 0; run < options.seeds; ++run) {
    const std::uint64_t seed = options.seed + static_cast<std::uint64_t>(run);
    const auto figures = cohort_figures(twin::Noise::run_to_run, seed, options.workloads);
    if (!figures) return std::unexpected(figures.error());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (const Figure* const figure = find(*figures, numbers[i])) values[i].push_back(figure->value);
    }
    if (progress) progress(static_cast<double>(run + 1) / options.seeds);
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!values[i].empty()) numbers[i].simulated = spread_of(values[i]);
  }
  return {};
}

}  // namespace

Result<std::vector<ReproducedNumber>> reproduce(const ReproductionOptions& options,
                                                const std::function<void(double)>& progress) {
  std::vector<ReproducedNumber> numbers;
  for (const Figure& figure : published_figures()) {
    numbers.push_back({.table = figure.table,
                       .subject = figure.subject,
                       .quantity = figure.quantity,
                       .published = figure.value});
  }
  const auto recomputed = recomputed_figures();
  if (!recomputed) return std::unexpected(recomputed.error());
  const auto noise_free = cohort_figures(twin::Noise::none, options.seed, options.workloads);
  if (!noise_free) return std::unexpected(noise_free.error());
  for (ReproducedNumber& number : numbers) {
    if (const Figure* const figure = find(*recomputed, number)) number.recomputed = figure->value;
    if (const Figure* const figure = find(*noise_free, number)) number.noise_free = figure->value;
  }
  if (const auto done = simulate(numbers, options, progress); !done) return std::unexpected(done.error());
  return numbers;
}

}  // namespace wattflex::study
