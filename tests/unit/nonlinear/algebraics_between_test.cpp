// SPDX-License-Identifier: Apache-2.0
#include "runtime/nonlinear/algebraics_between.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/support/hand_model.h"

namespace bolza::nonlinear {
namespace {

using bolza::testing::HandProblem;
using bolza::testing::NoFunctions;

// exp(z1) = x1 + u, z2 = K (x1 − x2): an amplifier.
struct Amplifier : NoFunctions {
  static constexpr std::size_t nx = 2, nz = 2, nu = 1, np = 2;
  template <class T>
  static void rates(const T* w, const T*, T* r) {
    r[0] = -w[1], r[1] = -w[2];
  }
  template <class T>
  static void residuals(const T* w, const T*, T* r) {
    using std::exp;
    r[0] = exp(w[3]) - w[1] - w[5], r[1] = w[4] - T(15000) * (w[1] - w[2]);
  }
};

TEST(AlgebraicsBetween, are_moved_onto_the_equations_from_an_interpolated_point) {
  HandProblem<Amplifier> hand;
  ModelAt model(hand.build(), hand.model, hand.shared);
  AlgebraicsBetween between(model);
  double u = 1;
  std::vector<double> tolerance{1e-4, 1e-4};
  for (double x1 : {2.0, 2.3, 4.0}) {  // with the factors of the first
    double x[] = {x1, x1 - 1e-3};
    std::vector<double> z{std::log(x1 + u) + 3e-4, 15 - 2e-3};
    ASSERT_TRUE(between.settle(0, x, {&u, 1}, z, tolerance, 1e-4));
    EXPECT_NEAR(z[0], std::log(x1 + u), 1e-12);
    EXPECT_NEAR(z[1], 15, 1e-10) << "K times the rounding of x1 - x2";
  }
}

TEST(AlgebraicsBetween, stay_where_errors_of_the_states_would_be_made_larger) {
  HandProblem<Amplifier> hand;
  ModelAt model(hand.build(), hand.model, hand.shared);
  AlgebraicsBetween between(model);
  double x[] = {2, 2 - 1.1e-3}, u = 1;  // x2 is off by 1e-4, which K makes 1.5
  std::vector<double> z{std::log(3.0), 15}, tolerance{1e-4, 1e-4};
  EXPECT_FALSE(between.settle(0, x, {&u, 1}, z, tolerance, 1e-4));
  EXPECT_EQ(z[1], 15);
}

}  // namespace
}  // namespace bolza::nonlinear
