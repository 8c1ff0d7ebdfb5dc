// SPDX-License-Identifier: Apache-2.0
#include "runtime/nonlinear/algebraic_errors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/unit/support/hand_model.h"

namespace bolza::nonlinear {
namespace {

using bolza::testing::HandProblem;
using bolza::testing::NoFunctions;

// x1 = G z1 for a conductance G = 1e-7; z2 = x2 - 3.
struct Valve : NoFunctions {
  static constexpr std::size_t nx = 2, nz = 2, np = 2;
  template <class T>
  static void rates(const T* w, const T*, T* r) {
    r[0] = -w[3], r[1] = -w[2];
  }
  template <class T>
  static void residuals(const T* w, const T*, T* r) {
    r[0] = w[1] - T(1e-7) * w[3], r[1] = w[4] - w[2] + T(3);
  }
};

struct Singular : Valve {
  template <class T>
  static void residuals(const T* w, const T*, T* r) {
    r[0] = w[1] - w[3] - w[4], r[1] = w[2] - w[3] - w[4];
  }
};

TEST(AlgebraicErrors, are_those_of_states_and_of_rounding_through_the_equations) {
  HandProblem<Valve> hand;
  ModelAt model(hand.build(), hand.model, hand.shared);
  double x[] = {2e-6, 5}, z[] = {20, 2}, tolerance[] = {1e-8, 1e-6};
  AlgebraicErrors errors;
  ASSERT_TRUE(find_algebraic_errors(model, {0, x, z, nullptr}, tolerance, errors));
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  EXPECT_NEAR(errors.of_states[0], 1e-8 / 1e-7, 1e-12);
  EXPECT_NEAR(errors.of_states[1], 1e-6, 1e-15);
  EXPECT_NEAR(errors.of_rounding[0], epsilon * (2e-6 + 2e-6) / 1e-7, 1e-3 * epsilon);
  EXPECT_NEAR(errors.of_rounding[1], epsilon * (2 + 5), 1e-3 * epsilon);
}

TEST(AlgebraicErrors, are_unknown_where_the_equations_do_not_determine_the_algebraics) {
  HandProblem<Singular> hand;
  ModelAt model(hand.build(), hand.model, hand.shared);
  double x[] = {1, 1}, z[] = {0, 1}, tolerance[] = {1e-6, 1e-6};
  AlgebraicErrors errors;
  EXPECT_FALSE(find_algebraic_errors(model, {0, x, z, nullptr}, tolerance, errors));
  EXPECT_TRUE(errors.of_states.empty());
}

}  // namespace
}  // namespace bolza::nonlinear
