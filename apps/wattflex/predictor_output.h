// What `fit`, `predict` and `analyze` print alike: scores, groups left out, and the option --target.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/wattflex/verb.h"
#include "base/error.h"
#include "elasticity/indexed_groups.h"
#include "elasticity/predictor.h"
#include "stats/cross_validation.h"

namespace wattflex::app {

class Arguments;
class Console;

Result<elasticity::Target> target_from(const Arguments& arguments);

nlohmann::ordered_json scores_json(const elasticity::PredictorScores& scores);
nlohmann::ordered_json scores_json(const std::optional<stats::FitScores>& scores);
// The JSON fields of `prefix` + "scores".
void add_score_fields(std::vector<JsonField>& fields, const std::string& prefix);
// R2, RMSE and rho; empty cells without scores.
std::vector<std::string> score_cells(const std::optional<stats::FitScores>& scores);

nlohmann::ordered_json left_out_json(const std::vector<elasticity::LeftOut>& left_out);
// "3 groups left out: NAME (reason), ..." with the first few; nothing when there are none.
void say_left_out(const std::vector<elasticity::LeftOut>& left_out, Console& console);
// `error` with the reason of the first group left out, which is why there are too few.
Error explained(Error error, const std::vector<elasticity::LeftOut>& left_out);

}  // namespace wattflex::app
