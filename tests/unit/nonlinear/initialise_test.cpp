// SPDX-License-Identifier: Apache-2.0
#include "runtime/nonlinear/initialise.h"

#include <gtest/gtest.h>

#include "tests/unit/support/hand_model.h"

namespace bolza::nonlinear {
namespace {

using bolza::testing::HandProblem;
using bolza::testing::NoFunctions;

// z1 = x1², z2 = sqrt(x2); initially x2 = 4 x1 and (for the second model) x1 + x2 = 10.
struct Steady : NoFunctions {
  static constexpr std::size_t nx = 2, nz = 2, nu = 1, ni = 1, np = 2;
  template <class T>
  static void rates(const T* w, const T*, T* r) {
    r[0] = -w[1], r[1] = -w[2];
  }
  template <class T>
  static void residuals(const T* w, const T*, T* r) {
    using std::sqrt;
    r[0] = w[3] - w[1] * w[1], r[1] = w[4] - sqrt(w[2]) - w[5];
  }
  template <class T>
  static void initial(const T* w, const T*, T* r) {
    r[0] = w[2] - T(4) * w[1];
  }
};

TEST(Initialise, keeps_fixed_states_and_finds_the_free_ones_and_the_algebraics) {
  HandProblem<Steady> hand;
  hand.x[0].start = 1, hand.x[1].fixed = 0, hand.x[1].start = 0.5;
  ModelAt model(hand.build(), hand.model, hand.shared);
  double u = 7;
  InitialPoint p = initialise(model, 0, {&u, 1});
  ASSERT_TRUE(p.converged());
  EXPECT_DOUBLE_EQ(p.x[0], 1);
  EXPECT_NEAR(p.x[1], 4, 1e-12);
  EXPECT_NEAR(p.z[0], 1, 1e-12);
  EXPECT_NEAR(p.z[1], 9, 1e-12) << "sqrt(4) + u";
}

TEST(Initialise, moves_free_states_least_when_the_equations_leave_a_choice) {
  HandProblem<Steady> hand;
  for (auto& v : hand.x) v.fixed = 0;
  hand.x[0].start = 1, hand.x[1].start = 0.5;
  ModelAt model(hand.build(), hand.model, hand.shared);
  double u = 0;
  std::vector<double> z{1, std::sqrt(0.5)};
  InitialPoint p = initialise(model, 0, {&u, 1}, {}, z);
  ASSERT_TRUE(p.converged());
  EXPECT_NEAR(p.x[1], 4 * p.x[0], 1e-11);
  EXPECT_LT(std::hypot(p.x[0] - 1, p.x[1] - 0.5), 1.1) << "the distance to the line is 0.85 in x alone";
}

TEST(Initialise, names_the_equation_that_cannot_hold) {
  HandProblem<Steady> hand;
  hand.x[0].start = 1, hand.x[1].start = 9;
  ModelAt model(hand.build(), hand.model, hand.shared);
  double u = 0;
  InitialPoint p = initialise(model, 0, {&u, 1});
  EXPECT_FALSE(p.converged());
  EXPECT_EQ(p.finding.name, "initial row 1");
  EXPECT_EQ(p.finding.line, 10);
  EXPECT_NEAR(p.finding.amount, 5, 1e-9) << "9 - 4";
}

TEST(Initialise, names_the_equation_that_is_not_finite) {
  HandProblem<Steady> hand;
  hand.x[0].start = 1, hand.x[1].start = -9;
  ModelAt model(hand.build(), hand.model, hand.shared);
  double u = 0;
  InitialPoint p = initialise(model, 0.5, {&u, 1});
  EXPECT_EQ(p.report.status, NewtonReport::Status::not_finite);
  EXPECT_EQ(p.finding.kind, abi::Finding::Kind::nonfinite);
  EXPECT_EQ(p.finding.name, "residuals row 2");
  EXPECT_EQ(p.finding.line, 11);
  EXPECT_EQ(p.finding.time, 0.5);
}

TEST(SolveAlgebraics, solves_for_z_at_given_states) {
  HandProblem<Steady> hand;
  ModelAt model(hand.build(), hand.model, hand.shared);
  double x[] = {3, 16}, u = 1;
  std::vector<double> z{0, 0};
  EXPECT_TRUE(solve_algebraics(model, 0, x, {&u, 1}, z).converged());
  EXPECT_NEAR(z[0], 9, 1e-12);
  EXPECT_NEAR(z[1], 5, 1e-12);
}

}  // namespace
}  // namespace bolza::nonlinear
