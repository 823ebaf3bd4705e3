#include "study/allocation_figures.h"

#include <string_view>

#include "study/allocation_study.h"
#include "study/published_figures.h"

namespace wattflex::study {

Result<std::vector<Figure>> allocation_figures(const SweepTable& headline, int workloads,
                                               std::uint64_t seed) {
  StudyOptions options;
  options.workloads = workloads;
  options.mix = Mix::production;
  options.objective = allocate::Objective::tokens;
  options.cuts = {0.30};
  options.seed = seed;
  const auto study = run_allocation_study(headline, options);
  if (!study) return std::unexpected(study.error());
  const StudyCell* equal = nullptr;
  for (const StudyRow& row : study->rows) {
    if (row.policy == allocate::Policy::equal && row.cells.front()) equal = &*row.cells.front();
  }
  std::vector<Figure> figures;
  for (const StudyRow& row : study->rows) {
    const bool scaled = row.policy == allocate::Policy::pfi_scaled;
    if ((!scaled && row.policy != allocate::Policy::pfi) || !row.cells.front() || equal == nullptr) continue;
    const StudyCell& cell = *row.cells.front();
    const std::string_view subject = scaled ? kEq2Scaled : kEq2Literal;
    figures.push_back({"allocation", std::string(subject), std::string(kGainQuantity),
                       cell.throughput_per_job - equal->throughput_per_job});
    if (cell.gap_recovered) {
      figures.push_back({"allocation", std::string(subject), std::string(kGapQuantity), *cell.gap_recovered});
    }
  }
  return figures;
}

}  // namespace wattflex::study
