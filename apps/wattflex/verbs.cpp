// The list of verbs. A new verb is one file of its own, one line in verbs.h and one here.
#include "apps/wattflex/verbs.h"

#include <algorithm>
#include <array>

#include "apps/wattflex/verb.h"

namespace wattflex::app {

std::span<const Verb* const> all_verbs() {
  static const std::vector<const Verb*> kVerbs = {
      &pfi_verb(),    &check_verb(),   &curve_verb(),   &compare_verb(), &analyze_verb(),
      &fit_verb(),    &predict_verb(), &plan_verb(),    &cohort_verb(),  &study_verb(),
      &report_verb(), &logs_verb(),    &gpus_verb(),    &doctor_verb(),  &record_verb(),
      &status_verb(), &cap_verb(),     &release_verb(), &restore_verb(), &twin_verb(),
  };
  return kVerbs;
}

const Verb* find_verb(std::string_view name) {
  const auto verbs = all_verbs();
  const auto found = std::ranges::find(verbs, name, &Verb::name);
  return found == verbs.end() ? nullptr : *found;
}

}  // namespace wattflex::app
