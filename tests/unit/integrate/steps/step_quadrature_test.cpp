// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/steps/step_quadrature.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bolza::integrate {
namespace {

// ∫ sin and ∫ t³ from 1 down to 0 over steps whose lengths vary by a factor of four.
double error(std::size_t n, int order, bool cubic) {
  StepQuadrature quadrature;
  auto at = [&](double t) { return std::vector<double>{cubic ? t * t * t : std::sin(3 * t), 1}; };
  quadrature.start(1, at(1));
  for (std::size_t k = 1; k <= n; ++k) {
    double s = static_cast<double>(k) / static_cast<double>(n), t = 1 - s - 0.6 * s * (1 - s);
    quadrature.step(t, at(t), static_cast<int>(std::min<std::size_t>(k, static_cast<std::size_t>(order))));
  }
  std::vector<double> integral{0, 5};
  quadrature.add_to(integral);
  EXPECT_NEAR(integral[1], 4, 1e-14) << "added to; the integral of 1 from 1 to 0 is −1";
  return std::fabs(integral[0] + (cubic ? 0.25 : (1 - std::cos(3.0)) / 3));
}

TEST(StepQuadrature, has_the_order_of_the_steps_and_one) {
  for (int order : {2, 3, 4, 5}) {
    double observed = std::log2(error(80, order, false) / error(160, order, false));
    EXPECT_GT(observed, std::min(order + 0.6, 2.9)) << order << ": the first steps, of order 1, leave h³";
  }
}

TEST(StepQuadrature, is_exact_for_polynomials_of_its_degree) {
  StepQuadrature quadrature;
  quadrature.start(0, std::vector<double>{0});
  double t = 0;
  for (double h : {0.1, 0.2, 0.15, 0.3, 0.25}) t += h, quadrature.step(t, std::vector<double>{t}, 1);
  std::vector<double> integral{0};
  quadrature.add_to(integral);
  EXPECT_NEAR(integral[0], 0.5, 1e-15);
}

}  // namespace
}  // namespace bolza::integrate
