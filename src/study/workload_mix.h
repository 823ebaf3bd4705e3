// Random workloads for the allocation study: jobs drawn with replacement from the groups of a sweep table.
// (arXiv:2609.11542, allocation study; production mix: Hu et al., NSDI 2024, the Acme trace.)
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "model/sweep.h"

namespace wattflex::study {

// `random`: uniform over all groups. `production`: fine-tuning and pretraining jobs by a share of job counts,
// uniform over the groups of each.
enum class Mix { random, production };

// What a job is worth per GPU: 1 each, or log-uniform between 1 and 10.
enum class Values { equal, decade };

std::string_view to_string(Mix mix);
std::string_view to_string(Values values);

// Of the Acme trace's Seren cluster, fine-tuning jobs as a share of fine-tuning and pretraining jobs by
// count.
double seren_fine_tuning_share();

struct DrawnJob {
  std::size_t group = 0;  // position among the tasks the mix was made from
  double value = 1;
};

// Immutable; draws come from the stream that is passed in.
class WorkloadMix {
 public:
  // `tasks` of the groups to draw from. The production mix needs groups of both tasks: refused otherwise.
  static Result<WorkloadMix> from(const std::vector<Task>& tasks, Mix mix, double fine_tuning_share,
                                  Values values);

  // How many groups can be drawn at all.
  std::size_t groups() const { return fine_tuning_.size() + others_.size(); }
  std::vector<DrawnJob> draw(std::size_t jobs, RandomStream& random) const;

 private:
  double fine_tuning_share_ = 0;
  Values values_ = Values::equal;
  std::vector<std::size_t> fine_tuning_;  // empty in the random mix
  std::vector<std::size_t> others_;       // pretraining groups, in the random mix all
};

}  // namespace wattflex::study
