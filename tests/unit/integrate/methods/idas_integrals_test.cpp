// SPDX-License-Identifier: Apache-2.0
// Simulations on IDAS whose integrals alone need short steps: states that rest, or are polynomials of low degree in time,
// find every order as good as the next. Integrals are held against closed forms, steps are tens and not ten thousands.
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/integrate/method_table.h"
#include "runtime/integrate/simulate/simulate.h"
#include "tests/unit/support/hand_model.h"

namespace bolza::integrate {
namespace {

using bolza::testing::HandProblem;
using bolza::testing::NoFunctions;

constexpr double rtol = 1e-8;

// x rests at p, Q = ∫ 3 x t⁴ and ∫ x.
struct Resting : NoFunctions {
  static constexpr std::size_t nq = 2, np = 3;
  template <class T>
  static void rates(const T* w, const T*, T* r) {
    r[0] = T(0), r[1] = T(3) * w[1] * w[0] * w[0] * w[0] * w[0], r[2] = w[1];
  }
};

// x' = 1, 0 = z − x²: Q = ∫ z³ = t⁷/7.
struct Algebraic : NoFunctions {
  static constexpr std::size_t nz = 1, nq = 1, np = 2;
  template <class T>
  static void rates(const T* w, const T*, T* r) {
    r[0] = T(1), r[1] = w[2] * w[2] * w[2];
  }
  template <class T>
  static void residuals(const T* w, const T*, T* r) {
    r[0] = w[2] - w[1] * w[1];
  }
};

// Fifty states at rest alongside Q = ∫ t⁶ x1.
struct Many : NoFunctions {
  static constexpr std::size_t nx = 50, nq = 1, np = 2;
  template <class T>
  static void rates(const T* w, const T*, T* r) {
    for (std::size_t i = 0; i < nx; ++i) r[i] = T(0);
    r[nx] = w[0] * w[0] * w[0] * w[0] * w[0] * w[0] * w[1];
  }
};

SimulateOptions on_idas() { return {.method = "idas", .rtol = rtol, .intervals = 1}; }

Simulation rest(const SimulateOptions& options) {
  HandProblem<Resting> hand;
  hand.horizon(0, 2), hand.x[0].start = 1.5;
  return simulate(hand.build(), 0, options);
}

TEST(IdasIntegrals, of_polynomials_along_states_at_rest_take_few_steps) {
  Simulation s = rest(on_idas());
  ASSERT_TRUE(s.report.finished()) << s.report.message;
  EXPECT_LT(s.report.steps, 300u) << "of order 1 they were 35,000";
  EXPECT_NEAR(s.trajectories.integral[0], 3 * 1.5 * 32 / 5, 3000 * rtol);
  EXPECT_NEAR(s.trajectories.integral[1], 3, 100 * rtol);
  EXPECT_EQ(s.trajectories.x[0].back(), 1.5);
}

TEST(IdasIntegrals, with_algebraics_take_few_steps) {
  HandProblem<Algebraic> hand;
  hand.horizon(0, 2);
  Simulation s = simulate(hand.build(), 0, on_idas());
  ASSERT_TRUE(s.report.finished()) << s.report.message;
  EXPECT_LT(s.report.steps, 400u);
  EXPECT_NEAR(s.trajectories.integral[0], 128.0 / 7, 3000 * rtol);
}

TEST(IdasIntegrals, choose_steps_only_where_their_errors_are_tested) {
  SimulateOptions options = on_idas();
  Simulation tested = rest(options);
  options.method_options.quadrature_error_control = 0;
  Simulation untested = rest(options);
  ASSERT_TRUE(untested.report.finished()) << untested.report.message;
  EXPECT_LT(untested.report.steps, tested.report.steps / 2);
  EXPECT_GT(std::fabs(untested.trajectories.integral[0] - 28.8), 1e-5) << "nothing has controlled it";
}

TEST(IdasIntegrals, are_those_of_iterative_and_sparse_linear_solvers_too) {
  for (const char* solver : {"dense", "klu", "spgmr"}) {
    SimulateOptions options = on_idas();
    options.method_options.linear_solver = solver;
    Simulation s = rest(options);
    ASSERT_TRUE(s.report.finished()) << solver << ": " << s.report.message;
    EXPECT_NEAR(s.trajectories.integral[0], 28.8, 3000 * rtol) << solver;
  }
}

TEST(IdasIntegrals, are_not_hidden_by_many_states) {
  HandProblem<Many> hand;
  hand.horizon(0, 1), hand.x[0].start = 7;
  Simulation s = simulate(hand.build(), 0, on_idas());
  ASSERT_TRUE(s.report.finished()) << s.report.message;
  EXPECT_NEAR(s.trajectories.integral[0], 1, 100 * rtol);
}

}  // namespace
}  // namespace bolza::integrate
