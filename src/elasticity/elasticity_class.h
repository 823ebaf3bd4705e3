// One word for how a job takes a power cut, from its guarded index and that index's 95 % interval, so that
// noise never passes for a property of the job. The paper's reading of the index: above 1 throughput falls
// more slowly than power ("power-inelastic throughput": a flexible job), at 1 in proportion, below 1 faster.
#pragma once

#include <string>
#include <string_view>

#include "elasticity/flexibility.h"

namespace wattflex::elasticity {

enum class ElasticityClass {
  unaffected,    // draw falls, no loss of throughput is resolved at any cap: the index has no upper bound
  flexible,      // interval above 1
  proportional,  // interval within 0.9..1.1: equal to 1 for every purpose
  inflexible,    // interval below 1
  undetermined,  // interval spans 1 and more, too few resolved points, or guarded and pooled index disagree
                 // on 1
  unbound,       // no cap of the sweep lowers the draw by more than noise
  unknown,       // no sound uncapped point
};

std::string_view to_string(ElasticityClass elasticity);

struct Classification {
  ElasticityClass elasticity = ElasticityClass::unknown;
  std::string reason;  // with the numbers it rests on
};

Classification classify(const Flexibility& flexibility);

}  // namespace wattflex::elasticity
