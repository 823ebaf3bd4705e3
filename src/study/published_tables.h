// The published figures that our own are held against: typed from the tables of "Characterizing Job Power
// Elasticity for Power-Flexible AI Training" (arXiv:2609.11542v1, 10 Sep 2026) and, for the job mix, from the
// figure of the Acme trace (Hu et al., NSDI 2024; data CC-BY-4.0). Facts to check against; the paper's runs
// and power-throughput points are not public. Nothing here is measured or simulated by us.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "model/sweep.h"

namespace wattflex::study {

enum class PublishedSet { headline, held_out };

struct Published95 {
  double low;
  double high;
};

// Tables 6 (headline, 25 groups) and 7 (held out, 4 groups): PFI on H200 SXM, two decimals.
struct PublishedGroup {
  PublishedSet set;
  Architecture architecture;
  Task task;
  int gpus;
  std::string_view model;
  std::string_view options;
  int runs;  // caps measured, the uncapped one included
  double pfi;
  std::optional<Published95> ci95;
};

// Table 8: the same job on both boards, always 8 GPUs.
struct PublishedBoardPair {
  Architecture architecture;
  Task task;
  std::string_view model;
  std::string_view options;  // of the H200 group it is paired with
  double pfi_h200;
  double pfi_h100;
};

// Table 9: the 8-GPU groups on caps 200..700 W in 100 W steps and on 200/500/600/700 W.
struct PublishedGridPair {
  Architecture architecture;
  Task task;
  std::string_view model;
  std::string_view options;
  double pfi_six_caps;
  double pfi_four_caps;
};

struct PublishedScore {
  double r2;
  double rmse;
  double rho;
};

// Table 3: least squares of PFI on sets of predictors over the 25 headline groups. What the paper calls all
// DCGM metrics (13 of them) is `all_telemetry` here.
struct PublishedPredictor {
  std::string_view predictors;
  int features;
  double r2_in_sample;
  PublishedScore leave_one_out;
  PublishedScore leave_one_cluster_out;
};

// Tables 12 and 13: Spearman rho of DRAM copy product against PFI.
struct PublishedRank {
  enum class Kind { leverage_dropped, subgroup };
  Kind kind;
  std::string_view label;  // how many high-leverage groups were dropped, or which groups were kept
  int n;
  double rho;
};

// Table 11: Dunn's test with Holm's correction.
struct PublishedDunn {
  std::string_view first;
  std::string_view second;
  double z;
  double p;
  double p_holm;
};

// Table 10: median PFI of a class.
struct PublishedMedian {
  std::string_view group;
  double pfi;
};

// Kruskal-Wallis over the three classes (appendix D.4).
inline constexpr double kPublishedKruskalWallisH = 12.37;
inline constexpr double kPublishedKruskalWallisP = 0.0021;
// Rank correlation of Tables 8 and 9, as the paper's text gives them.
inline constexpr double kPublishedBoardRho = 0.943;
inline constexpr double kPublishedGridRho = 0.940;
// Allocation study, production mix, 30 % cut: Eq. 2 over equal weight, and the share of the gap to the
// oracle.
inline constexpr double kPublishedGainTokensPerSecondPerJob = 1500;
inline constexpr double kPublishedGapShare = 0.63;

// Shares of jobs and of GPU time by type in the two clusters of the Acme trace, percent.
struct AcmeShare {
  std::string_view cluster;
  std::string_view job_type;
  double job_count_percent;
  double gpu_time_percent;
};

std::span<const PublishedGroup> published_h200_groups();
std::span<const PublishedBoardPair> published_board_pairs();
std::span<const PublishedGridPair> published_grid_pairs();
std::span<const PublishedPredictor> published_predictors();
std::span<const PublishedRank> published_rank_sensitivity();
std::span<const PublishedDunn> published_dunn_tests();
std::span<const PublishedMedian> published_medians();
std::span<const AcmeShare> acme_mix();

}  // namespace wattflex::study
