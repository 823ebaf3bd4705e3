#include "study/workload_mix.h"

#include <algorithm>
#include <cmath>

#include "study/published_tables.h"

namespace wattflex::study {

std::string_view to_string(Mix mix) {
  return mix == Mix::random ? "random" : "production";
}

std::string_view to_string(Values values) {
  return values == Values::equal ? "equal" : "decade";
}

double seren_fine_tuning_share() {
  double fine_tuning = 0;
  double pretraining = 0;
  for (const AcmeShare& share : acme_mix()) {
    if (share.cluster != "Seren") continue;
    if (share.job_type == "fine-tuning") fine_tuning = share.job_count_percent;
    if (share.job_type == "pretraining") pretraining = share.job_count_percent;
  }
  return fine_tuning / (fine_tuning + pretraining);
}

Result<WorkloadMix> WorkloadMix::from(const std::vector<Task>& tasks, Mix mix, double fine_tuning_share,
                                      Values values) {
  WorkloadMix made;
  made.values_ = values;
  for (std::size_t g = 0; g < tasks.size(); ++g) {
    if (mix == Mix::random || tasks[g] == Task::pretraining) {
      made.others_.push_back(g);
    } else if (tasks[g] == Task::fine_tuning) {
      made.fine_tuning_.push_back(g);
    }
  }
  if (mix == Mix::production) {
    made.fine_tuning_share_ = fine_tuning_share;
    if (std::ranges::all_of(tasks, [](Task task) { return task == Task::unknown; })) {
      return fail(ErrorKind::refused, "the production mix needs the column task, and the table has none",
                  "add a column task (pretraining or fine-tuning), or use --mix random");
    }
    if (made.others_.empty() || made.fine_tuning_.empty()) {
      return fail(ErrorKind::refused,
                  "the production mix needs groups with task pretraining and groups with task fine-tuning",
                  "use --mix random for a table that has only one of them");
    }
  }
  if (made.groups() == 0) return fail(ErrorKind::no_data, "there are no groups to draw jobs from", "");
  return made;
}

std::vector<DrawnJob> WorkloadMix::draw(std::size_t jobs, RandomStream& random) const {
  std::vector<DrawnJob> drawn;
  drawn.reserve(jobs);
  for (std::size_t j = 0; j < jobs; ++j) {
    const bool fine_tuning = !fine_tuning_.empty() && random.uniform() < fine_tuning_share_;
    const std::vector<std::size_t>& pool = fine_tuning ? fine_tuning_ : others_;
    const std::size_t group = pool[random.below(pool.size())];
    drawn.push_back({group, values_ == Values::decade ? std::pow(10.0, random.uniform()) : 1.0});
  }
  return drawn;
}

}  // namespace wattflex::study
