// Everything a report says about the groups of one or more sweep tables, computed once. Figures and tables
// are made from this; nothing in it is drawn yet.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "elasticity/elasticity_class.h"
#include "elasticity/flexibility.h"
#include "elasticity/measured_curve.h"
#include "model/sweep.h"

namespace wattflex::report {

struct GroupEvidence {
  const SweepGroup* group = nullptr;
  std::string
      name;  // unique in the report: the group's, with table and accelerator where needed to tell it apart
  elasticity::Flexibility flexibility;
  elasticity::Classification classification;
  Result<elasticity::MeasuredCurve> curve;

  // What groups are ranked by: what the guarded index is at least, the lower end of its interval. The index
  // itself, and the published one more, would put the noisiest first.
  std::optional<double> ranked_by() const {
    const elasticity::Estimate& index = flexibility.guarded;
    return index.value && index.ci95 ? index.ci95->low : index.value;
  }
};

struct Evidence {
  std::span<const SweepTable> tables;  // must outlive this
  std::vector<GroupEvidence> groups;   // by ranked_by(), highest first; those without index last

  int capped_points() const;
  int used_points() const;
  // "measured: 8 groups of phoenix; 38 of 40 capped points are resolved"
  std::string pedigree() const;
};

Evidence gather(std::span<const SweepTable> tables, const elasticity::FlexibilityOptions& options,
                const std::function<void(double done)>& progress = {});

}  // namespace wattflex::report
