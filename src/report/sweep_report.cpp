#include "report/sweep_report.h"

#include <fmt/core.h>

#include <algorithm>

#include "report/curve_figures.h"
#include "report/cut_figures.h"
#include "report/index_figures.h"
#include "report/report_tables.h"

namespace wattflex::report {
namespace {

constexpr std::size_t kMostWarnings = 60;
constexpr const char* kPaper = "https://arxiv.org/abs/2609.11542";

// Several studies in one report need anchors of their own.
Figure numbered(Figure figure, std::size_t i) {
  if (i > 0) figure.id += fmt::format("-{}", i + 1);
  return figure;
}

Section cuts_section(const std::vector<CutStudy>& studies) {
  Section section{.id = "cuts", .title = "Cutting power", .prose = "", .parts = {}};
  for (std::size_t i = 0; i < studies.size(); ++i) {
    const CutStudy& study = studies[i];
    section.parts.emplace_back(numbered(cost_of_cuts(study), i));
    if (study.jobs > 1) section.parts.emplace_back(numbered(gain_over_equal(study), i));
    section.parts.emplace_back(policies_table(study));
    if (study.plans.empty()) continue;
    if (study.jobs > 1) section.parts.emplace_back(expectations_table(study));
    section.parts.emplace_back(jobs_table(study));
  }
  return section;
}

Section signals_section(const std::vector<SignalStudy>& signals) {
  Section section{
      .id = "signals",
      .title = "Signals of flexibility",
      .prose =
          "A cap slows the cores and leaves the memory alone, so a job that waits for memory keeps its "
          "throughput. How far its telemetry gives that away:",
      .parts = {}};
  for (std::size_t i = 0; i < signals.size(); ++i) {
    if (!signals[i].signals.empty()) section.parts.emplace_back(numbered(correlations(signals[i]), i));
    if (signals[i].predictor && !signals[i].predicted.empty()) {
      section.parts.emplace_back(numbered(predictor_fit(signals[i]), i));
    }
  }
  return section;
}

std::vector<std::string> warnings_of(const ReportParts& parts) {
  std::vector<std::string> warnings = parts.warnings;
  for (const GroupEvidence& each : parts.evidence.groups) {
    for (const std::string& warning : each.flexibility.warnings)
      warnings.push_back(each.name + ": " + warning);
  }
  if (warnings.size() > kMostWarnings) {
    const std::size_t more = warnings.size() - kMostWarnings;
    warnings.resize(kMostWarnings);
    warnings.push_back(fmt::format("... and {} more; 'wattflex check' lists all", more));
  }
  return warnings;
}

std::vector<Footnote> footnotes() {
  return {
      {"Power Flexibility Index as published, over the capped points i of a sweep; (P_max, T_max) is the "
       "uncapped point.",
       "PFI = mean of (1 - P_i / P_max) / (1 - T_i / T_max)", kPaper},
      {"Guarded: the same mean over resolved points only, those where both losses exceed twice their "
       "standard error. "
       "Pooled: the sum of cuts over the sum of losses of the same points.",
       "pooled = sum (1 - P_i / P_max) / sum (1 - T_i / T_max)", ""},
      {"Area between the curve and the proportional line (the paper's Appendix A); zero separates the two "
       "regimes.",
       "1/2 sum (t_i + t_(i-1)) (p_i - p_(i-1)) - 1/2,  t = T / T_max, p = P / P_max", kPaper},
      {"Constant elasticity (Appendix A): the slope a of log T on log P by least squares.", "1 - a", kPaper},
      {"95 % intervals: resampled from the errors of power and throughput; the uncapped point's error is "
       "shared by all "
       "ratios of a group.",
       "", ""},
      {"Eq. 2 shares the cut in proportion to joules per token times the index. The paper does not say "
       "whether in watts "
       "(literal, pfi) or as a share of the draw (size-scaled, pfi-scaled); both are shown. The optimum "
       "(oracle) "
       "knows every curve.",
       "literal: cut_i ~ (P_max,i / T_max,i) PFI_i      scaled: cut_i ~ P_max,i (P_max,i / T_max,i) PFI_i",
       kPaper},
      {"Throughput kept by a fleet; value is 1 unless the fleet says otherwise. Sums of raw throughput mean "
       "something "
       "only where all jobs count in one unit, and are not shown.",
       "sum (value GPUs T / T_max) / sum (value GPUs)", ""},
  };
}

std::vector<std::string> headlines(const ReportParts& parts) {
  if (parts.studies.size() == 1) return headline_of(parts.studies.front());
  std::vector<std::string> out;
  out.reserve(parts.studies.size());
  for (const CutStudy& study : parts.studies) out.push_back(study.name + ": " + headline_of(study).front());
  return out;
}

std::string title_of(const ReportParts& parts) {
  std::string names;
  for (const SweepTable& table : parts.evidence.tables) names += (names.empty() ? "" : ", ") + table.name;
  const bool fleet = parts.studies.size() == 1 && parts.studies.front().name != names;
  return "Power elasticity of " + names + (fleet ? ", fleet " + parts.studies.front().name : "");
}

}  // namespace

Document sweep_report(const ReportParts& parts) {
  const Evidence& evidence = parts.evidence;
  Document document{.title = title_of(parts), .headline = headlines(parts), .pedigree = evidence.pedigree()};
  if (!parts.studies.empty()) document.sections.push_back(cuts_section(parts.studies));
  document.sections.push_back(
      {.id = "jobs",
       .title = "How each job takes a cap",
       .prose = "",
       .parts = {normalised_curves(evidence), groups_table(evidence), raw_curves(evidence)}});
  document.sections.push_back(
      {.id = "index",
       .title = "The flexibility index",
       .prose = "",
       .parts = {index_by_group(evidence), definitions(evidence), verdicts_table(evidence)}});
  if (!parts.signals.empty()) document.sections.push_back(signals_section(parts.signals));
  document.warnings = warnings_of(parts);
  document.footnotes = footnotes();
  return document;
}

}  // namespace wattflex::report
