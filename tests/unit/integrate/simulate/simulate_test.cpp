// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/simulate/simulate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "runtime/integrate/method_table.h"
#include "tests/unit/support/known_models.h"

namespace bolza::integrate {
namespace {

using bolza::testing::HandProblem;
using bolza::testing::NoFunctions;
using bolza::testing::Roberts;

struct SimulatedDecay : NoFunctions {  // x' = -p3 x + u, Q' = x
  static constexpr std::size_t nu = 1, nq = 1, np = 3;
  template <class T>
  static void rates(const T* w, const T* p, T* r) {
    r[0] = -p[2] * w[1] + w[2], r[1] = w[1];
  }
};

struct RobertsDae : Roberts {  // the third balance as the algebraic equation y1 + y2 + z = 1
  static constexpr std::size_t nx = 2, nz = 1;
  template <class T>
  static void rates(const T* w, const T* p, T* r) {
    T a = p[2] * w[1], b = p[3] * w[2] * w[3], c = p[4] * w[2] * w[2];
    r[0] = b - a, r[1] = a - b - c, r[2] = w[3];
  }
  template <class T>
  static void residuals(const T* w, const T*, T* r) {
    r[0] = w[1] + w[2] + w[3] - T(1);
  }
};

struct Wave : NoFunctions {  // x' = z, z = cos(t) + u: x = sin(t) + ∫u; z is known in closed form
  static constexpr std::size_t nz = 2, nu = 1, nq = 1, np = 2;
  template <class T>
  static void rates(const T* w, const T*, T* r) {
    r[0] = w[2], r[1] = w[3];
  }
  template <class T>
  static void residuals(const T* w, const T*, T* r) {
    using std::cos;
    r[0] = w[2] - cos(w[0]) - w[4], r[1] = w[3] * w[3] * w[3] - (w[1] + T(3)) * (w[1] + T(3)) * (w[1] + T(3));
  }
};

struct Pendulum : NoFunctions {  // energy is an invariant
  static constexpr std::size_t nx = 2, np = 2;
  template <class T>
  static void rates(const T* w, const T*, T* r) {
    using std::sin;
    r[0] = w[2], r[1] = T(-9.81) * sin(w[1]);
  }
};

struct Blow : Pendulum {  // x' = x² leaves every bound at t = 1; y' = sqrt(0.5 - t) is not a number after t = 0.5
  template <class T>
  static void rates(const T* w, const T*, T* r) {
    r[0] = w[1] * w[1], r[1] = T(0);
  }
};

struct Root : Pendulum {
  template <class T>
  static void rates(const T* w, const T*, T* r) {
    using std::sqrt;
    r[0] = T(1), r[1] = sqrt(T(0.5) - w[1]);
  }
};

struct SimulatedChain : NoFunctions {  // 60 cells of diffusion between walls at 1 and 0: the steady state is linear
  static constexpr std::size_t n = 60, nx = n, np = 2;
  template <class T>
  static void rates(const T* w, const T*, T* r) {
    for (std::size_t i = 0; i < n; ++i) {
      T left = i ? w[i] : T(1), right = i + 1 < n ? w[i + 2] : T(0);
      r[i] = T(100) * (left - T(2) * w[i + 1] + right);
    }
  }
};

int tridiagonal(const bolza_call* c) {
  SimulatedChain::rates(c->point, c->shared, c->out);
  double* entry = c->out + SimulatedChain::n;
  for (std::size_t i = 0; i < SimulatedChain::n; ++i) {
    if (i) *entry++ = 100;
    *entry++ = -200;
    if (i + 1 < SimulatedChain::n) *entry++ = 100;
  }
  return 0;
}

template <class M>
void set_roberts(HandProblem<M>& hand, double tf) {
  hand.horizon(0, tf);
  hand.parameter(2, 0.04), hand.parameter(3, 1e4), hand.parameter(4, 3e7);
  hand.x[0].start = 1;
  hand.x[1].nominal = 1e-5, hand.x[1].has_nominal = 1;
}

TEST(Simulate, reaches_the_closed_form_of_a_decay_with_its_integral) {
  HandProblem<SimulatedDecay> hand;
  hand.horizon(0, 2), hand.parameter(2, 1.5), hand.x[0].start = 2;
  Simulation s = simulate(hand.build(), 0, {.rtol = 1e-9, .intervals = 10});
  ASSERT_TRUE(s.report.finished()) << s.report.message;
  ASSERT_EQ(s.trajectories.time.size(), 11u);
  for (std::size_t k = 0; k < 11; ++k)
    EXPECT_NEAR(s.trajectories.x[0][k], 2 * std::exp(-1.5 * s.trajectories.time[k]),
                1e-7);  // tolerance × about a hundred steps
  EXPECT_NEAR(s.trajectories.integral[0], 2 * (1 - std::exp(-3.0)) / 1.5, 1e-7);
  EXPECT_NEAR(s.trajectories.rate[0][3], -1.5 * s.trajectories.x[0][3], 1e-14);
}

TEST(Simulate, errors_fall_with_the_tolerance) {
  HandProblem<SimulatedDecay> hand;
  hand.horizon(0, 2), hand.parameter(2, 1.5), hand.x[0].start = 2;
  double last = 1;
  for (double rtol : {1e-4, 1e-6, 1e-8, 1e-10}) {
    Simulation s = simulate(hand.build(), 0, {.rtol = rtol});
    double error = std::fabs(s.trajectories.x[0].back() - 2 * std::exp(-3.0));
    EXPECT_LT(error, 100 * rtol);
    EXPECT_LT(error, last);
    last = error;
  }
}

TEST(Simulate, follows_jumping_and_ramping_inputs) {
  HandProblem<SimulatedDecay> hand;
  hand.horizon(0, 3), hand.parameter(2, 0), hand.x[0].start = 0;
  Simulation s = simulate(hand.build(), 0,
                          {.rtol = 1e-9,
                           .output_times = {0, 0.5, 1, 2, 3},
                           .inputs = linear_inputs(0, 3, std::vector<double>{0, 1, 1, 2}, {{1, 1, -1, 3}})});
  ASSERT_TRUE(s.report.finished()) << s.report.message;
  EXPECT_EQ(s.trajectories.time, (std::vector<double>{0, 0.5, 1, 1, 2, 3})) << "the time of the jump stands twice";
  const std::vector<double>& x = s.trajectories.x[0];
  EXPECT_NEAR(x[1], 0.5, 1e-9);
  EXPECT_NEAR(x[2], 1, 1e-9);
  EXPECT_EQ(s.trajectories.u[0][2], 1);
  EXPECT_EQ(s.trajectories.u[0][3], -1);
  EXPECT_NEAR(x[4], 2, 1e-8) << "1 + the mean of -1 and 3";
  EXPECT_NEAR(x[5], 5, 1e-8) << "the last value is held";
}

TEST(Simulate, solves_roberts_problem_to_published_digits) {
  HandProblem<Roberts> hand;
  set_roberts(hand, 40);
  Simulation s = simulate(hand.build(), 0, {.rtol = 1e-10});
  ASSERT_TRUE(s.report.finished()) << s.report.message;
  EXPECT_NEAR(s.trajectories.x[2].back(), 0.2841637465, 2e-9);
  EXPECT_NEAR(s.trajectories.integral[0], 7.98858587, 1e-7);
}

TEST(Simulate, solves_roberts_problem_to_the_end_of_the_test_set) {
  HandProblem<Roberts> hand;
  set_roberts(hand, 1e11);
  Simulation s = simulate(hand.build(), 0, {.rtol = 1e-9, .atol_factor = 1e-6, .intervals = 1});
  ASSERT_TRUE(s.report.finished()) << s.report.message;
  EXPECT_NEAR(s.trajectories.x[0].back() / 2.083340149701255e-08, 1, 1e-4);
  EXPECT_NEAR(s.trajectories.x[2].back(), 0.999999979166505, 1e-7);
}

TEST(Simulate, gives_the_same_for_the_form_with_an_algebraic_equation) {
  HandProblem<RobertsDae> hand;
  set_roberts(hand, 40);
  hand.z[0].start = 0;
  Simulation s = simulate(hand.build(), 0, {.rtol = 1e-10});
  ASSERT_TRUE(s.report.finished()) << s.report.message;
  EXPECT_EQ(s.report.method, "idas");
  EXPECT_NEAR(s.trajectories.z[0].back(), 0.2841637465, 2e-9);
  EXPECT_NEAR(s.trajectories.integral[0], 7.98858587, 1e-7);
}

TEST(Simulate, keeps_algebraics_consistent_across_a_jump_of_the_input) {
  HandProblem<Wave> hand;
  hand.horizon(0, 2);
  hand.z[1].start = 3;
  Simulation s = simulate(hand.build(), 0,
                          {.rtol = 1e-9,
                           .output_times = {0, 1, 2},
                           .inputs = linear_inputs(0, 2, std::vector<double>{0, 1, 1, 2}, {{0, 0, 2, 2}})});
  ASSERT_TRUE(s.report.finished()) << s.report.message;
  ASSERT_EQ(s.trajectories.time.size(), 4u);
  EXPECT_NEAR(s.trajectories.z[0][1], std::cos(1.0), 1e-8);
  EXPECT_NEAR(s.trajectories.z[0][2], std::cos(1.0) + 2, 1e-8);
  EXPECT_NEAR(s.trajectories.x[0][3], std::sin(2.0) + 2, 1e-7);
  EXPECT_NEAR(s.trajectories.z[1][3], std::sin(2.0) + 5, 1e-7);
  EXPECT_NEAR(s.trajectories.integral[0], 1 - std::cos(2.0) + 6 + 1, 1e-6) << "∫ sin + 3 + 2 (t-1)";
}

TEST(Simulate, keeps_the_energy_of_a_pendulum) {
  HandProblem<Pendulum> hand;
  hand.horizon(0, 20), hand.x[0].start = 2;
  Simulation s = simulate(hand.build(), 0, {.rtol = 1e-10});
  ASSERT_TRUE(s.report.finished());
  auto energy = [&](std::size_t k) {
    return 0.5 * std::pow(s.trajectories.x[1][k], 2) - 9.81 * std::cos(s.trajectories.x[0][k]);
  };
  EXPECT_NEAR(energy(s.trajectories.time.size() - 1), energy(0), 1e-5);  // BDF damps: 1e-10 × thousands of steps × energy
}

TEST(Simulate, uses_sparse_matrices_for_large_models) {
  HandProblem<SimulatedChain> hand;
  hand.horizon(0, 1000);
  auto& f = hand.rates;  // the pattern of a hand-made model is dense: give it the three diagonals it has
  f.row.clear(), f.col.clear();
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(SimulatedChain::n); ++i)
    for (std::int32_t k = std::max(0, i - 1); k <= std::min<std::int32_t>(SimulatedChain::n - 1, i + 1); ++k)
      f.row.push_back(i), f.col.push_back(k + 1);
  f.function.jac_nnz = f.row.size(), f.function.jac_row = f.row.data(), f.function.jac_col = f.col.data();
  f.jacobian_group.single = f.jacobian_group.points = tridiagonal;
  f.jacobian.n_out = SimulatedChain::n + f.row.size();
  Simulation s = simulate(hand.build(), 0, {.rtol = 1e-8, .intervals = 1});
  ASSERT_TRUE(s.report.finished()) << s.report.message;
  for (std::size_t i = 0; i < SimulatedChain::n; i += 7)
    EXPECT_NEAR(s.trajectories.x[i].back(), 1 - static_cast<double>(i + 1) / (SimulatedChain::n + 1), 1e-6);
}

TEST(Simulate, names_the_state_that_blows_up) {
  HandProblem<Blow> hand;
  hand.horizon(0, 2), hand.x[0].start = 1;
  Simulation s = simulate(hand.build(), 0, {.rtol = 1e-6, .max_steps = 20000});
  EXPECT_FALSE(s.report.finished());
  EXPECT_NEAR(s.report.time, 1, 1e-3) << "x = 1/(1-t)";
  EXPECT_NE(s.report.message.find("x1"), std::string::npos) << s.report.message;
  EXPECT_GT(s.trajectories.time.size(), 200u) << "what was reached is kept";
}

TEST(Simulate, names_the_equation_that_is_not_a_number) {
  HandProblem<Root> hand;
  hand.horizon(0, 2);
  Simulation s = simulate(hand.build(), 0, {.rtol = 1e-6});
  EXPECT_EQ(s.report.status, SimulateStatus::nonfinite);
  EXPECT_EQ(s.report.finding.name, "rates row 2");
  EXPECT_EQ(s.report.finding.line, 11);
  EXPECT_NEAR(s.report.time, 0.5, 1e-3);
}

TEST(Simulate, takes_the_same_steps_whether_or_not_each_is_looked_at) {
  HandProblem<Roberts> hand;
  set_roberts(hand, 4e4);
  SimulateOptions each{.rtol = 1e-8, .intervals = 7}, free = each;
  each.method_options.one_step_output = 1;
  int looks_each = 0, looks_free = 0;
  each.progress = [&](double) { ++looks_each; }, free.progress = [&](double) { ++looks_free; };
  Simulation a = simulate(hand.build(), 0, each), b = simulate(hand.build(), 0, free);
  ASSERT_TRUE(a.report.finished() && b.report.finished());
  EXPECT_EQ(a.report.steps, b.report.steps);
  EXPECT_EQ(a.report.evaluations, b.report.evaluations);
  EXPECT_EQ(static_cast<std::size_t>(looks_each), a.report.steps);
  EXPECT_LT(looks_free, looks_each / 4);
  EXPECT_EQ(a.trajectories.integral, b.trajectories.integral);
  ASSERT_EQ(b.trajectories.time.size(), 8u);
  std::size_t same = 0;
  for (std::size_t k = 0; k < 8; ++k) {
    const std::vector<double>& steps = a.trajectories.time;
    auto at = std::find(steps.begin(), steps.end(), b.trajectories.time[k]);
    if (at == steps.end()) continue;
    ++same;
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_EQ(a.trajectories.x[i][static_cast<std::size_t>(at - steps.begin())], b.trajectories.x[i][k]) << k;
  }
  EXPECT_EQ(same, 8u);
}

TEST(Simulate, counts_to_the_limit_of_steps_also_when_it_does_not_look_at_each) {
  HandProblem<Roberts> hand;
  set_roberts(hand, 4e4);
  for (std::size_t most : {1u, 40u, 41u}) {
    Simulation s = simulate(hand.build(), 0, {.rtol = 1e-8, .intervals = 1, .max_steps = most});
    EXPECT_EQ(s.report.status, SimulateStatus::too_many_steps);
    EXPECT_EQ(s.report.steps, most + 1);
  }
}

TEST(Simulate, stops_when_told_to) {
  HandProblem<SimulatedDecay> hand;
  hand.horizon(0, 2), hand.parameter(2, 1.5), hand.x[0].start = 2;
  bool stop = false;
  int steps = 0;
  Simulation s = simulate(hand.build(), 0, {.progress = [&](double) { stop = ++steps == 5; }, .budget = Budget(&stop)});
  EXPECT_EQ(s.report.status, SimulateStatus::interrupted);
  EXPECT_EQ(steps, 5);
}

TEST(Simulate, refuses_a_method_that_cannot_take_algebraics) {
  HandProblem<Wave> hand;
  hand.horizon(0, 2);
  Simulation s = simulate(hand.build(), 0, {.method = "cvodes"});
  EXPECT_EQ(s.report.status, SimulateStatus::bad_method);
  EXPECT_NE(s.report.message.find("idas"), std::string::npos);
}

TEST(Methods, every_row_has_a_name_and_is_found_by_it) {
  for (const Method* m : methods()) {
    EXPECT_EQ(find_method(m->name), m);
    EXPECT_TRUE(m->available());
    EXPECT_FALSE(m->description.empty());
  }
  EXPECT_EQ(find_method("nothing"), nullptr);
}

TEST(Inputs, polynomials_pass_through_their_values) {
  InputPiece piece{0, 2, {0.3, 1, 2}, {{0.09, 1, 4}}};  // t²
  double u, slope;
  evaluate(piece, 1.7, {&u, 1}, {&slope, 1});
  EXPECT_NEAR(u, 1.7 * 1.7, 1e-14);
  EXPECT_NEAR(slope, 3.4, 1e-13);
}

TEST(Inputs, come_from_the_points_of_each_interval_of_a_solution) {
  abi::PhaseSolution phase;
  phase.final_time = 2, phase.mesh = {0, 0.5, 1}, phase.points = 2;
  phase.trajectories.time = {0, 0.4, 1, 1, 1.4, 2};  // two points per interval and a value at the start
  phase.trajectories.u = {{0, 0.4, 1, 5, 1.4, 2}};   // 5 stands at the left end of the second interval
  Inputs inputs = inputs_of(phase);
  ASSERT_EQ(inputs.pieces.size(), 2u);
  double u;
  evaluate(inputs.pieces[0], 0.7, {&u, 1});
  EXPECT_NEAR(u, 0.7, 1e-14);
  evaluate(inputs.pieces[1], 1.1, {&u, 1});
  EXPECT_NEAR(u, 1.1, 1e-14) << "only the two points of the interval count";
  phase.control_constant = true;
  inputs = inputs_of(phase);
  evaluate(inputs.pieces[1], 1.1, {&u, 1});
  EXPECT_EQ(u, 2);
}

}  // namespace
}  // namespace bolza::integrate
