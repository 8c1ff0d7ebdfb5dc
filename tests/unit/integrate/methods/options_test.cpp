// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/method_options.h"

#include <gtest/gtest.h>

#include <cmath>

#include "runtime/integrate/method_table.h"
#include "runtime/integrate/simulate/simulate.h"
#include "runtime/integrate/sundials/preconditioner.h"
#include "tests/unit/support/hand_hybrid.h"

namespace bolza::integrate {
namespace {

using bolza::testing::HandProblem;
using bolza::testing::NoEvents;

struct Line : NoEvents {  // 12 cells of diffusion between walls at 1 and 0, and their mean as an algebraic in the DAE form
  static constexpr std::size_t n = 12, nx = n, np = 2;
  template <class T>
  static void rates(const T* w, const T*, T* r) {
    for (std::size_t i = 0; i < n; ++i) {
      T left = i ? w[i] : T(1), right = i + 1 < n ? w[i + 2] : T(0);
      r[i] = T(100) * (left - T(2) * w[i + 1] + right);
    }
  }
};
struct LineDae : Line {
  static constexpr std::size_t nz = 1;
  template <class T>
  static void residuals(const T* w, const T*, T* r) {
    T sum(0);
    for (std::size_t i = 0; i < n; ++i) sum = sum + w[1 + i];
    r[0] = T(static_cast<double>(n)) * w[1 + n] - sum;
  }
};

template <class M>
Simulation run(const MethodOptions& options) {
  HandProblem<M> hand;
  hand.horizon(0, 3);
  return simulate(hand.build(), 0, {.rtol = 1e-8, .intervals = 1, .method_options = options});
}

TEST(MethodOptions, every_linear_solver_and_preconditioner_gives_the_steady_line) {
  for (const char* solver : {"dense", "band", "klu", "spgmr", "spfgmr", "spbcg", "sptfqmr", "pcg"})
    for (const char* preconditioner : {"ilu", "block_jacobi", "none"}) {
      MethodOptions o;
      ASSERT_EQ(set_option(o, "linear_solver", solver), OptionSet::done);
      ASSERT_EQ(set_option(o, "preconditioner", preconditioner), OptionSet::done);
      if (std::string(preconditioner) == "none") o.krylov_dimension = 15;
      Simulation explicit_form = run<Line>(o);
      ASSERT_TRUE(explicit_form.report.finished())
          << solver << " " << preconditioner << ": " << explicit_form.report.message;
      for (std::size_t i = 0; i < Line::n; ++i)
        EXPECT_NEAR(explicit_form.trajectories.x[i].back(), 1 - static_cast<double>(i + 1) / 13, 1e-6)
            << solver << preconditioner;
      if (std::string(solver) == "pcg" || std::string(preconditioner) == "none") continue;  // the DAE is not symmetric
      Simulation dae = run<LineDae>(o);
      ASSERT_TRUE(dae.report.finished()) << solver << " " << preconditioner << ": " << dae.report.message;
      EXPECT_NEAR(dae.trajectories.z[0].back(), 0.5, 1e-6) << solver << preconditioner;
    }
}

TEST(MethodOptions, say_what_is_wrong_with_a_value) {
  MethodOptions o;
  EXPECT_EQ(set_option(o, "max_order", "3"), OptionSet::done);
  EXPECT_EQ(o.max_order, 3);
  EXPECT_EQ(set_option(o, "max_odor", "3"), OptionSet::unknown);
  EXPECT_EQ(set_option(o, "max_order", "three"), OptionSet::not_a_number);
  EXPECT_EQ(set_option(o, "max_order", "41"), OptionSet::out_of_range);
  EXPECT_EQ(set_option(o, "linear_solver", "lapack"), OptionSet::no_such_word);
  for (const MethodOption& row : method_options()) EXPECT_TRUE(row.number || row.word) << row.name;
}

TEST(MethodOptions, limit_steps_and_orders) {
  for (const char* method : {"cvodes", "idas", "radau5", "dopri5"}) {
    HandProblem<Line> hand;
    hand.horizon(0, 3);
    Simulation s =
        simulate(hand.build(), 0, {.method = method, .rtol = 1e-3, .intervals = 1, .method_options = {.max_step = 0.01}});
    ASSERT_TRUE(s.report.finished()) << method;
    EXPECT_GE(s.report.steps, 300u) << method;
  }
  MethodOptions first;
  first.max_order = 1;
  EXPECT_GT(run<Line>(first).report.steps, 5 * run<Line>({}).report.steps) << "order 1 needs far more steps at 1e-8";
}

struct Drain : NoEvents {  // x' = −20 x: far below its tolerance a method may go below zero
  static constexpr std::size_t np = 2;
  template <class T>
  static void rates(const T* w, const T*, T* r) {
    r[0] = T(-20) * w[1];
  }
};

TEST(MethodOptions, keep_the_sign_that_bounds_demand) {
  for (const char* method : {"cvodes", "idas"}) {
    HandProblem<Drain> hand;
    hand.horizon(0, 10), hand.x[0].start = 1, hand.x[0].min = 0;
    Simulation s = simulate(hand.build(), 0, {.method = method, .rtol = 1e-4, .method_options = {.variable_bounds = 1}});
    ASSERT_TRUE(s.report.finished()) << method << s.report.message;
    // interpolated values between the steps may be below by rounding of the tolerance, the end is a step
    EXPECT_GE(s.trajectories.x[0].back(), 0) << method;
  }
}

struct Swing : NoEvents {  // a pendulum that goes over the top, reduced for the states x, x'; z: y, y', λ
  static constexpr std::size_t nx = 2, nz = 3, np = 2;
  template <class T>
  static void rates(const T* w, const T*, T* r) {
    r[0] = w[2], r[1] = -w[5] * w[1];
  }
  template <class T>
  static void residuals(const T* w, const T*, T* r) {
    r[0] = w[1] * w[1] + w[3] * w[3] - T(1);
    r[1] = w[1] * w[2] + w[3] * w[4];
    r[2] = w[2] * w[2] + w[4] * w[4] - w[5] * (w[1] * w[1] + w[3] * w[3]) - T(9.81) * w[3];
  }
};

TEST(StateSelectionMonitor, stops_where_the_states_no_longer_determine_the_rest) {
  HandProblem<Swing> hand;
  hand.horizon(0, 2), hand.x[1].start = 7;
  hand.z[0].start = -1;
  Simulation s = simulate(hand.build(), 0, {.rtol = 1e-8});
  EXPECT_EQ(s.report.status, SimulateStatus::singular_states) << s.report.message;
  const abi::Trajectories& t = s.trajectories;
  EXPECT_LT(std::fabs(t.z[0].back()), 0.05) << "y = 0: x says nothing about y";
  double x = t.x[0].back(), vx = t.x[1].back(), y = t.z[0].back(), vy = t.z[1].back();
  EXPECT_NEAR(x * x + y * y, 1, 1e-7) << "the last point is a full, consistent one";
  // vy = -x vx / y: an error of x or vx makes one 1/y^2 times as large in vy, so some fifty steps' errors of 1e-8 leave
  double energy_error = 50 * 1e-8 * std::fabs(vy * vx) / (y * y);
  EXPECT_LT(energy_error, 0.05) << "of 15";
  EXPECT_NEAR(0.5 * (vx * vx + vy * vy) + 9.81 * y, 0.5 * 49 - 9.81, energy_error) << y << " " << vx << " " << vy;
}

TEST(Preconditioner, incomplete_factors_without_fill_are_exact_for_a_tridiagonal_matrix) {
  std::vector<nonlinear::Entry> entries;
  for (std::int32_t i = 0; i < 20; ++i) {
    entries.push_back({i, i, 1}), entries.push_back({i, i, 2});  // a place that repeats
    if (i) entries.push_back({i, i - 1, -1.5});
    if (i < 19) entries.push_back({i, i + 1, -0.7});
  }
  auto p = make_preconditioner("ilu", 20);
  ASSERT_TRUE(p->factorise(entries));
  std::vector<double> r(20), z(20), back(20, 0.0);
  for (std::size_t i = 0; i < 20; ++i) r[i] = std::sin(static_cast<double>(i + 1));
  p->apply(r, z);
  for (const auto& e : entries) back[static_cast<std::size_t>(e.row)] += e.value * z[static_cast<std::size_t>(e.col)];
  for (std::size_t i = 0; i < 20; ++i) EXPECT_NEAR(back[i], r[i], 1e-13);
}

}  // namespace
}  // namespace bolza::integrate
