// SPDX-License-Identifier: Apache-2.0

#include "runtime/estimate/distributions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/normal_distribution.h"
namespace bolza::estimate {
namespace {

// Closed forms: χ² with 2 degrees of freedom is exponential; t with 1 and 2 is elementary; I_x(1, b) and I_x(a, 1) are
// powers.
TEST(Distributions, agree_with_closed_forms) {
  for (double x : {1e-3, 0.1, 1.0, 5.0, 30.0, 200.0}) {
    EXPECT_NEAR(chi_square_upper(x, 2) / std::exp(-x / 2), 1, 1e-12) << x;
    EXPECT_NEAR(chi_square_upper(x, 4) / (std::exp(-x / 2) * (1 + x / 2)), 1, 1e-12) << x;
    EXPECT_NEAR(chi_square_upper(x, 1) / std::erfc(std::sqrt(x / 2)), 1, 1e-11) << x;
    EXPECT_NEAR(student_two_sided(x, 1) / (2 / std::acos(-1.0) * std::atan(1 / x)), 1, 1e-12) << x;
    EXPECT_NEAR(student_two_sided(x, 2), 1 - x / std::sqrt(2 + x * x), 1e-13) << x;
  }
  for (double x : {0.01, 0.3, 0.7, 0.99}) {
    EXPECT_NEAR(beta_regularised(1, 3.5, x), 1 - std::pow(1 - x, 3.5), 1e-14);
    EXPECT_NEAR(beta_regularised(2.5, 1, x), std::pow(x, 2.5), 1e-14);
    EXPECT_NEAR(beta_regularised(3.1, 400.0, x) + beta_regularised(400.0, 3.1, 1 - x), 1, 1e-13);
  }
}

// Tables of Abramowitz and Stegun: 26.8 (χ²), 26.10 (t); normal quantiles to 10 digits.
TEST(Distributions, agree_with_tables) {
  EXPECT_NEAR(normal_quantile(0.975), 1.9599639845, 1e-10);
  EXPECT_NEAR(normal_quantile(0.999), 3.0902323062, 1e-10);
  EXPECT_NEAR(chi_square_quantile(0.95, 1), 3.84146, 5e-6);
  EXPECT_NEAR(chi_square_quantile(0.95, 10), 18.3070, 5e-5);
  EXPECT_NEAR(chi_square_quantile(0.995, 30), 53.6720, 5e-5);
  EXPECT_NEAR(chi_square_quantile(0.005, 100), 67.3276, 5e-5);
  EXPECT_NEAR(student_quantile(0.975, 1), 12.706, 5e-4);
  EXPECT_NEAR(student_quantile(0.975, 5), 2.571, 5e-4);
  EXPECT_NEAR(student_quantile(0.995, 30), 2.750, 5e-4);
  EXPECT_NEAR(student_quantile(0.975, 120), 1.980, 5e-4);
}

TEST(Distributions, invert_each_other) {
  for (double p : {1e-12, 1e-4, 0.03, 0.5, 0.8, 0.999}) {
    EXPECT_NEAR(normal_cdf(normal_quantile(p)) / p, 1, 1e-12) << p;
    for (double freedom : {1.0, 3.0, 47.0, 1e5}) {
      EXPECT_NEAR(1 - chi_square_upper(chi_square_quantile(p, freedom), freedom), p, freedom < 1000 ? 1e-13 : 1e-10)
          << p << " " << freedom;
      double t = student_quantile(p, freedom);
      EXPECT_NEAR(0.5 * student_two_sided(std::fabs(t), freedom) / std::min(p, 1 - p), 1, 1e-9) << p << " " << freedom;
    }
  }
}

TEST(Distributions, end_at_the_ends) {
  double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(normal_quantile(0), -infinite);
  EXPECT_EQ(normal_quantile(1), infinite);
  EXPECT_TRUE(std::isnan(normal_quantile(1.5)));
  EXPECT_EQ(gamma_upper(3, 0), 1);
  EXPECT_EQ(chi_square_upper(infinite, 3), 0);
  EXPECT_TRUE(std::isnan(chi_square_upper(1, -1)));
  EXPECT_EQ(student_quantile(0.975, infinite), normal_quantile(0.975));
  EXPECT_NEAR(chi_square_upper(1e6, 1e6), 0.4998, 1e-4);  // the median is freedom − 2/3
}

}  // namespace
}  // namespace bolza::estimate
