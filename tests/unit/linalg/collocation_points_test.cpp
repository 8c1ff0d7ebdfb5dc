// SPDX-License-Identifier: Apache-2.0
#include "runtime/linalg/collocation_points.h"

#include <gtest/gtest.h>

#include <cmath>

#include "runtime/linalg/lagrange.h"

namespace bolza::linalg {
namespace {

/// Largest error of the interpolatory rule on the points for the monomials up to a degree; ∫ t^k = 1/(k+1) on [0, 1].
double quadrature_error(const std::vector<double>& points, std::size_t degree) {
  std::vector<double> weights = lagrange_integrals(points, 1);
  double worst = 0;
  for (std::size_t k = 0; k <= degree; ++k) {
    double sum = 0;
    for (std::size_t j = 0; j < points.size(); ++j) sum += weights[j] * std::pow(points[j], static_cast<double>(k));
    worst = std::max(worst, std::abs(sum - 1 / static_cast<double>(k + 1)));
  }
  return worst;
}

TEST(collocation_points, are_the_closed_forms_of_three_points) {
  std::vector<double> radau = radau_points(3), gauss = gauss_points(3), lobatto = lobatto_points(3);
  EXPECT_NEAR(radau[0], (4 - std::sqrt(6.0)) / 10, 1e-16);
  EXPECT_NEAR(radau[1], (4 + std::sqrt(6.0)) / 10, 2e-16);
  EXPECT_EQ(radau[2], 1);
  EXPECT_NEAR(gauss[0], 0.5 - std::sqrt(15.0) / 10, 1e-16);
  EXPECT_NEAR(gauss[1], 0.5, 1e-16);
  EXPECT_EQ(lobatto[0], 0);
  EXPECT_NEAR(lobatto[1], 0.5, 1e-16);
}

TEST(collocation_points, integrate_exactly_to_the_degree_of_their_family_and_no_further) {
  for (std::size_t n = 2; n <= 15; ++n) {
    EXPECT_LT(quadrature_error(gauss_points(n), 2 * n - 1), 2e-15) << n;
    EXPECT_LT(quadrature_error(radau_points(n), 2 * n - 2), 2e-15) << n;
    EXPECT_LT(quadrature_error(lobatto_points(n), 2 * n - 3), 2e-15) << n;
  }
  EXPECT_GT(quadrature_error(gauss_points(3), 6), 1e-5);
  EXPECT_GT(quadrature_error(radau_points(3), 5), 1e-5);
  EXPECT_GT(quadrature_error(lobatto_points(3), 4), 1e-5);
}

TEST(collocation_points, have_gauss_weights_equal_to_the_integrals_of_the_lagrange_polynomials) {
  for (std::size_t n = 1; n <= 12; ++n) {
    std::vector<double> closed = gauss_weights(n), integrals = lagrange_integrals(gauss_points(n), 1);
    for (std::size_t j = 0; j < n; ++j) EXPECT_NEAR(closed[j], integrals[j], 1e-14);
  }
}

TEST(lagrange, differentiates_and_integrates_a_polynomial_of_its_degree) {
  std::vector<double> nodes{0};
  for (double c : radau_points(5)) nodes.push_back(c);
  auto p = [](double t) { return 3 * std::pow(t, 5) - 2 * t * t + 1; };
  double t = 0.37, value = 0, slope = 0, integral = 0;
  std::vector<double> l = lagrange_values(nodes, t), d = lagrange_slopes(nodes, t), q = lagrange_integrals(nodes, t);
  for (std::size_t r = 0; r < nodes.size(); ++r) {
    value += l[r] * p(nodes[r]);
    slope += d[r] * p(nodes[r]);
    integral += q[r] * p(nodes[r]);
  }
  EXPECT_NEAR(value, p(t), 1e-14);
  EXPECT_NEAR(slope, 15 * std::pow(t, 4) - 4 * t, 1e-13);
  EXPECT_NEAR(integral, 0.5 * std::pow(t, 6) - 2 * t * t * t / 3 + t, 1e-14);
}

}  // namespace
}  // namespace bolza::linalg
