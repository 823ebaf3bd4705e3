// One function a verb, each defined in the file named after it.
#pragma once

#include "apps/wattflex/verb.h"

namespace wattflex::app {

const Verb& analyze_verb();
const Verb& cap_verb();
const Verb& check_verb();
const Verb& cohort_verb();
const Verb& compare_verb();
const Verb& curve_verb();
const Verb& doctor_verb();
const Verb& fit_verb();
const Verb& gpus_verb();
const Verb& logs_verb();
const Verb& pfi_verb();
const Verb& plan_verb();
const Verb& predict_verb();
const Verb& record_verb();
const Verb& release_verb();
const Verb& report_verb();
const Verb& restore_verb();
const Verb& status_verb();
const Verb& study_verb();
const Verb& twin_verb();

}  // namespace wattflex::app
