// Tails and quantiles of the distributions that tests and intervals rest on, by Boost.Math; one place,
// because its headers cost seconds in every file that includes them.
#pragma once

namespace wattflex::stats {

// P(|Z| > z) of a standard normal; z >= 0.
double normal_two_sided_p(double z);
// P(|T| > t) of Student's t; t >= 0, freedom > 0.
double student_t_two_sided_p(double t, double freedom);
// The t that T stays below with this probability, 0 < probability < 1; freedom > 0.
double student_t_quantile(double probability, double freedom);
// P(X > x) of chi squared; x >= 0, freedom > 0.
double chi_squared_upper_p(double x, double freedom);

}  // namespace wattflex::stats
