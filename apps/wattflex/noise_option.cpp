#include "apps/wattflex/noise_option.h"

#include <fmt/core.h>

namespace wattflex::app {

Option noise_option() {
  return {"--noise", "run-to-run|within-run", "run-to-run",
          "errors of points without stderr columns: caps in separate runs or inside one"};
}

Result<elasticity::DefaultNoise> noise_from(const Arguments& arguments) {
  const std::string_view text = arguments.text("noise");
  if (text == "run-to-run") return elasticity::DefaultNoise::run_to_run;
  if (text == "within-run") return elasticity::DefaultNoise::within_run;
  return fail(ErrorKind::usage, fmt::format("--noise: '{}' is not a source of noise", text),
              "use run-to-run (separate runs) or within-run (caps changed inside one run)");
}

}  // namespace wattflex::app
