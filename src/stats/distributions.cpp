#include "stats/distributions.h"

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

namespace wattflex::stats {

using boost::math::cdf;
using boost::math::complement;

double normal_two_sided_p(double z) {
  return 2 * cdf(complement(boost::math::normal(), z));
}

double student_t_two_sided_p(double t, double freedom) {
  return 2 * cdf(complement(boost::math::students_t(freedom), t));
}

double student_t_quantile(double probability, double freedom) {
  return quantile(boost::math::students_t(freedom), probability);
}

double chi_squared_upper_p(double x, double freedom) {
  return cdf(complement(boost::math::chi_squared(freedom), x));
}

}  // namespace wattflex::stats
