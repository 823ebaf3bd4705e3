#include "study/cohort_figures.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "study/published_figures.h"

namespace wattflex::study {
namespace {

double value_of(const std::vector<Figure>& figures, std::string_view table, std::string_view subject,
                std::string_view quantity) {
  const auto found = std::ranges::find_if(figures, [&](const Figure& figure) {
    return figure.table == table && figure.subject == subject && figure.quantity == quantity;
  });
  EXPECT_NE(found, figures.end()) << table << " " << subject << " " << quantity;
  return found == figures.end() ? 0 : found->value;
}

// Values: scipy.stats on the two-decimal indices of the published tables; Dunn by its textbook formula.
TEST(RecomputedFigures, FollowFromThePublishedIndices) {
  const auto figures = recomputed_figures();
  ASSERT_TRUE(figures);
  EXPECT_NEAR(value_of(*figures, "10", "Kruskal-Wallis", "H"), 12.485, 5e-4);
  EXPECT_NEAR(value_of(*figures, "10", "Kruskal-Wallis", "p"), 0.001945, 5e-7);
  EXPECT_NEAR(value_of(*figures, "11", "dense - MoE FT", "Dunn z"), -3.451, 5e-4);
  EXPECT_NEAR(value_of(*figures, "11", "MoE PT - MoE FT", "Dunn z"), -1.890, 5e-4);
  EXPECT_NEAR(value_of(*figures, "11", "dense - MoE PT", "Dunn z"), -1.668, 5e-4);
  EXPECT_NEAR(value_of(*figures, "8", "H200 against H100", "Spearman rho"), 0.9429, 5e-5);
  EXPECT_NEAR(value_of(*figures, "9", "six against four caps", "Spearman rho"), 0.9278, 5e-5);
  EXPECT_DOUBLE_EQ(value_of(*figures, "10", "dense", "median PFI"), 1.27);
  EXPECT_DOUBLE_EQ(value_of(*figures, "10", "MoE PT", "median PFI"), 1.43);
  EXPECT_DOUBLE_EQ(value_of(*figures, "10", "MoE FT", "median PFI"), 2.10);
}

TEST(RecomputedFigures, AllHaveAPublishedCounterpart) {
  const auto published = published_figures();
  const auto recomputed = recomputed_figures();
  ASSERT_TRUE(recomputed);
  for (const Figure& figure : *recomputed) {
    value_of(published, figure.table, figure.subject, figure.quantity);
  }
}

TEST(IndexedCohort, NamesTheGroupThatIsMissing) {
  const auto cohort = indexed_cohort({});
  ASSERT_FALSE(cohort);
  EXPECT_NE(cohort.error().message.find("dense-ft Llama-3.1-70B x16"), std::string::npos);
}

}  // namespace
}  // namespace wattflex::study
