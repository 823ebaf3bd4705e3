#include "allocate/fleet_problem.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "allocate/whole_watt.h"
#include "elasticity/feature.h"
#include "elasticity/flexibility.h"
#include "elasticity/group_name.h"
#include "elasticity/measured_curve.h"
#include "elasticity/verdict.h"

namespace wattflex::allocate {
namespace {

struct Index {
  double value = 1;
  PfiSource source = PfiSource::neutral;
  int points = 0;
};

// Points the published mean runs over (flexibility.h).
int count_ratios(const elasticity::Flexibility& flexibility) {
  return static_cast<int>(std::ranges::count_if(flexibility.points, [](const elasticity::JudgedPoint& point) {
    return point.ratio && !elasticity::fault_of(point.point);
  }));
}

// The published definition where it gives a weight at all. Noise can make it negative or leave it without a
// single ratio; the guarded one then speaks, else the job counts as neither flexible nor inflexible.
Index index_of(const SweepGroup& group, std::size_t position, const FleetOptions& options) {
  if (!options.predicted_pfi.empty()) {
    const double predicted = options.predicted_pfi[position].value_or(0);
    return predicted > 0 ? Index{predicted, PfiSource::predicted} : Index{};
  }
  const elasticity::Flexibility flexibility = elasticity::measure_flexibility(group, {.resamples = 0});
  const double published = flexibility.published.value.value_or(0);
  if (published > 0) return {published, PfiSource::published, count_ratios(flexibility)};
  const double guarded = flexibility.guarded.value.value_or(0);
  if (guarded > 0) return {guarded, PfiSource::guarded, flexibility.n_used};
  return {};
}

Result<Curve> measured(const SweepGroup& group) {
  const auto curve = elasticity::MeasuredCurve::from(group);
  if (!curve) return std::unexpected(curve.error());
  std::vector<CurvePoint> points;
  for (const elasticity::CurvePoint& point : curve->points()) {
    points.push_back({point.draw, point.throughput, point.cap});
  }
  std::vector<MeasuredCap> caps;
  for (const SweepPoint& point : group.points) {
    if (!elasticity::fault_of(point)) caps.push_back({point.cap, point.power, point.throughput});
  }
  return Curve(std::move(points), std::move(caps));
}

// A plan counts a job that it does not cut with its uncapped draw. Where a lower cap was seen to draw more,
// the job may do so uncut as well, and the reader must know.
std::optional<std::string> draws_more(const SweepGroup& group) {
  const SweepPoint* most = &group.uncapped();
  for (const SweepPoint& point : group.points) {
    if (!elasticity::fault_of(point) && point.power > most->power) most = &point;
  }
  const double excess = most->power / group.uncapped().power - 1;
  const double error =
      std::hypot(elasticity::error_of(*most, elasticity::DefaultNoise::run_to_run).power,
                 elasticity::error_of(group.uncapped(), elasticity::DefaultNoise::run_to_run).power);
  if (excess <= 2 * error) return std::nullopt;
  return fmt::format(
      "{}: drew {:.1f} % more at its {:g} W cap than uncapped; a job of it that is not cut may draw "
      "that much more than the plan counts",
      elasticity::name_of(group.id), 100 * excess, most->cap.watts());
}

Fleet one_job_a_group(const SweepTable& table) {
  Fleet fleet;
  for (const SweepGroup& group : table.groups) {
    fleet.jobs.push_back({.job = group.id.group,
                          .group = group.id.group,
                          .accelerator = group.id.accelerator,
                          .gpus = group.gpus});
  }
  return fleet;
}

std::unexpected<Error> wrong_row(const Fleet& fleet, const FleetJob& job, std::string_view what,
                                 std::string remedy) {
  return fail(ErrorKind::refused, fmt::format("{}, row {}, column group: {}", fleet.file, job.row, what),
              std::move(remedy));
}

bool names(const FleetJob& job, const GroupId& id) {
  return id.group == job.group && (job.accelerator.empty() || job.accelerator == id.accelerator);
}

std::string why_dropped(const DroppedGroup& group) {
  return fmt::format("{} has no usable row: {}", elasticity::name_of(group.id), group.reason);
}

Result<std::size_t> find_group(const SweepTable& table, const Fleet& fleet, const FleetJob& job) {
  std::vector<std::size_t> matches;
  for (std::size_t g = 0; g < table.groups.size(); ++g) {
    if (names(job, table.groups[g].id)) matches.push_back(g);
  }
  if (matches.empty()) {
    for (const DroppedGroup& dropped : table.dropped) {
      if (names(job, dropped.id))
        return wrong_row(fleet, job, why_dropped(dropped), "run the missing points again");
    }
    const std::string where = job.accelerator.empty() ? "" : fmt::format(" on '{}'", job.accelerator);
    return wrong_row(fleet, job, fmt::format("table {} has no group '{}'{}", table.name, job.group, where),
                     "name a group of the table; 'wattflex check TABLE' lists them");
  }
  if (matches.size() > 1) {
    return wrong_row(
        fleet, job,
        fmt::format("group '{}' was measured on several accelerators in table {}", job.group, table.name),
        "add a column accelerator to the fleet file and name one");
  }
  return matches.front();
}

// Builds jobs one after another; jobs of one group and size share a curve.
class Builder {
 public:
  Builder(const SweepTable& table, const FleetOptions& options) : table_(table), options_(options) {
    result_.problem.objective = options.objective;
  }

  Result<void> add(const FleetJob& fleet_job, std::size_t position) {
    const SweepGroup& group = table_.groups[position];
    const auto curve = curve_of(position, fleet_job.gpus);
    if (!curve) return std::unexpected(curve.error());
    const Index index = indexed(position);
    auto dram = elasticity::read_feature("dram_copy_product", table_.telemetry_columns, group);
    Job job{.name = fleet_job.job,
            .curve = *curve,
            .gpus = fleet_job.gpus,
            .value = fleet_job.value,
            .floor = promised_draw(**curve, fleet_job.tier),
            .pfi = index.value,
            .dram_copy_product = dram.value,
            .dram_reason = std::move(dram.reason),
            .architecture = group.architecture,
            .task = group.task};
    result_.problem.jobs.push_back(std::move(job));
    result_.origins.push_back(
        {position, fleet_job.tier, fleet_job.gpus != group.gpus, index.source, index.points});
    return {};
  }

  void leave_out(const GroupId& id, std::string reason) {
    warn("left out: " + reason);
    result_.left_out.push_back({id, std::move(reason)});
  }
  // What reading dropped it also warned of.
  void leave_out(const DroppedGroup& group) { result_.left_out.push_back({group.id, why_dropped(group)}); }
  void warn(std::string text) { result_.warnings.push_back(std::move(text)); }
  FleetProblem take() { return std::move(result_); }

 private:
  Result<const Curve*> curve_of(std::size_t position, int gpus) {
    const auto [entry, is_new] = curves_.try_emplace({position, gpus}, nullptr);
    if (!is_new) return entry->second;
    const SweepGroup& group = table_.groups[position];
    const auto curve = measured(group);
    if (!curve) {
      curves_.erase(entry);
      return std::unexpected(curve.error());
    }
    if (const auto more = draws_more(group)) warn(*more);
    result_.curves.push_back(gpus == group.gpus ? *curve
                                                : curve->scaled(static_cast<double>(gpus) / group.gpus));
    entry->second = &result_.curves.back();
    return entry->second;
  }

  Index indexed(std::size_t position) {
    const auto [entry, is_new] = indices_.try_emplace(position);
    if (is_new) entry->second = index_of(table_.groups[position], position, options_);
    return entry->second;
  }

  // Whole watts, so that rounding a cap down later cannot break the promise.
  Power promised_draw(const Curve& curve, FlexTier tier) const {
    const double promise = promised_throughput(tier);
    if (options_.floor == FloorRule::none || promise == 0) return {};
    return draw_that_keeps(curve, promise);
  }

  const SweepTable& table_;
  const FleetOptions& options_;
  std::map<std::pair<std::size_t, int>, const Curve*> curves_;
  std::map<std::size_t, Index> indices_;
  FleetProblem result_;
};

}  // namespace

std::string_view to_string(PfiSource source) {
  switch (source) {
    case PfiSource::published:
      return "published";
    case PfiSource::guarded:
      return "guarded";
    case PfiSource::predicted:
      return "predicted";
    case PfiSource::neutral:
      return "neutral";
  }
  return "unknown";
}

Result<FleetProblem> make_problem(const SweepTable& table, const std::optional<Fleet>& fleet,
                                  const FleetOptions& options) {
  Builder builder(table, options);
  if (fleet) {
    for (const std::string& warning : fleet->warnings) builder.warn(warning);
  }
  const Fleet jobs = fleet ? *fleet : one_job_a_group(table);
  for (std::size_t j = 0; j < jobs.jobs.size(); ++j) {
    const FleetJob& job = jobs.jobs[j];
    const auto position = fleet ? find_group(table, jobs, job) : Result<std::size_t>(j);
    if (!position) return std::unexpected(position.error());
    if (const auto added = builder.add(job, *position); !added) {
      if (fleet) return wrong_row(jobs, job, added.error().message, added.error().remedy);
      builder.leave_out(table.groups[*position].id, added.error().message);
    }
  }
  if (!fleet) {
    for (const DroppedGroup& group : table.dropped) builder.leave_out(group);
  }
  FleetProblem problem = builder.take();
  if (!problem.problem.jobs.empty() || problem.left_out.empty()) return problem;
  return fail(ErrorKind::no_data,
              fmt::format("no group of table {} can be planned for; {}left out: {}", table.name,
                          problem.left_out.size() > 1 ? "the first " : "", problem.left_out.front().reason),
              "measure what is missing");
}

}  // namespace wattflex::allocate
