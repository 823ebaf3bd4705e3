#include "allocate/policy.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <string>

#include "base/parse.h"

namespace wattflex::allocate {
namespace {

constexpr std::array kPolicies = {Policy::equal,      Policy::moe_ft, Policy::pfi,
                                  Policy::pfi_scaled, Policy::dram,   Policy::oracle};

std::unexpected<Error> lacks(const Job& job, Policy policy, std::string_view what, std::string remedy) {
  return fail(ErrorKind::refused,
              fmt::format("policy {} needs {}, and job '{}' has none", to_string(policy), what, job.name),
              std::move(remedy));
}

Result<double> moe_ft_weight(const Job& job) {
  if (job.architecture == Architecture::unknown) {
    return lacks(job, Policy::moe_ft, "the column arch",
                 "add a column arch (dense or moe) to the sweep table");
  }
  if (job.task == Task::unknown) {
    return lacks(job, Policy::moe_ft, "the column task",
                 "add a column task (pretraining, fine-tuning, training or inference) to the sweep table");
  }
  const bool favoured = job.architecture == Architecture::moe && job.task == Task::fine_tuning;
  return job.uncapped_draw().watts() * (favoured ? 2 : 1);
}

// Eq. 2, in watts that do not depend on the job's size: Pmax / Tmax is joules per token.
Result<double> pfi_weight(const Job& job, Policy policy) {
  if (!job.pfi || *job.pfi <= 0) {
    return lacks(job, policy, "a positive PFI",
                 "measure the job at a binding cap, or give a model with -m to predict it");
  }
  return job.uncapped_draw().watts() / job.curve->uncapped_throughput() * *job.pfi;
}

Result<double> sharing_weight(const Job& job, Policy policy) {
  switch (policy) {
    case Policy::equal:
      return job.uncapped_draw().watts();
    case Policy::moe_ft:
      return moe_ft_weight(job);
    case Policy::pfi:
      return pfi_weight(job, policy);
    case Policy::pfi_scaled: {
      const auto literal = pfi_weight(job, policy);
      return literal ? Result<double>(*literal * job.uncapped_draw().watts()) : literal;
    }
    case Policy::dram:
      if (!job.dram_copy_product) {
        return lacks(job, policy, "a valid product of dram_active and mem_copy_util",
                     job.dram_reason.empty()
                         ? "add both telemetry columns to the uncapped rows of the sweep table"
                         : job.dram_reason + "; measure its uncapped run again with both columns");
      }
      return *job.dram_copy_product;
    case Policy::oracle:
      break;
  }
  return 0.0;
}

}  // namespace

std::span<const Policy> all_policies() {
  return kPolicies;
}

std::string_view to_string(Policy policy) {
  switch (policy) {
    case Policy::equal:
      return "equal";
    case Policy::moe_ft:
      return "moe-ft";
    case Policy::pfi:
      return "pfi";
    case Policy::pfi_scaled:
      return "pfi-scaled";
    case Policy::dram:
      return "dram";
    case Policy::oracle:
      return "oracle";
  }
  return "unknown";
}

std::string_view label(Policy policy) {
  switch (policy) {
    case Policy::equal:
      return "Equal sharing (equal)";
    case Policy::moe_ft:
      return "MoE fine-tuning doubled (moe-ft)";
    case Policy::pfi:
      return "Eq. 2, literal (pfi)";
    case Policy::pfi_scaled:
      return "Eq. 2, size-scaled (pfi-scaled)";
    case Policy::dram:
      return "DRAM copy product (dram)";
    case Policy::oracle:
      return "Optimum (oracle)";
  }
  return "";
}

std::string_view meaning(Policy policy) {
  switch (policy) {
    case Policy::equal:
      return "the same share of every job's draw";
    case Policy::moe_ft:
      return "equal, doubled for mixture-of-experts fine-tuning";
    case Policy::pfi:
      return "Eq. 2 read literally: watts in proportion to (Pmax/Tmax) PFI";
    case Policy::pfi_scaled:
      return "Eq. 2 read as a share of the draw: watts in proportion to Pmax (Pmax/Tmax) PFI";
    case Policy::dram:
      return "watts in proportion to the DRAM copy product";
    case Policy::oracle:
      return "the optimum, knowing every curve";
  }
  return "";
}

Result<std::vector<Policy>> parse_policies(std::string_view text) {
  if (text == "all") return std::vector<Policy>(kPolicies.begin(), kPolicies.end());
  const auto names = parse_list(text);
  if (!names) return std::unexpected(names.error());
  std::vector<Policy> policies;
  for (const std::string_view name : *names) {
    const auto found = std::ranges::find(kPolicies, name, [](Policy policy) { return to_string(policy); });
    if (found == kPolicies.end()) {
      return fail(ErrorKind::usage, fmt::format("'{}' is not a policy", name),
                  "use equal, moe-ft, pfi, pfi-scaled, dram, oracle, a list of them with commas, or all");
    }
    policies.push_back(*found);
  }
  return policies;
}

Result<std::vector<double>> sharing_weights(const Problem& problem, Policy policy) {
  assert(policy != Policy::oracle);
  std::vector<double> weights;
  weights.reserve(problem.jobs.size());
  for (const Job& job : problem.jobs) {
    const auto weight = sharing_weight(job, policy);
    if (!weight) return std::unexpected(weight.error());
    weights.push_back(*weight);
  }
  return weights;
}

}  // namespace wattflex::allocate
