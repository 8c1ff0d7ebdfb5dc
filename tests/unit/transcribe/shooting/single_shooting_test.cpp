// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/shooting/single_shooting.h"

#include <gtest/gtest.h>

#include <cmath>

#include "runtime/transcribe/shooting/shooting_internal.h"
#include "tests/unit/support/hand_model.h"
#include "tests/unit/transcribe/shooting/mixed_problem.h"

namespace bolza::transcribe {
namespace {

using bolza::testing::HandProblem;
using bolza::testing::inf;
using bolza::testing::NoFunctions;

struct VanDerPol : NoFunctions {  // examples/van_der_pol.mop: min ∫ x1² + x2² + u²
  static constexpr std::size_t nx = 2, nu = 1, nq = 1, np = 2, nv = 1;
  template <class T>
  static void rates(const T* w, const T*, T* r) {
    r[0] = (T(1) - w[2] * w[2]) * w[1] - w[2] + w[3], r[1] = w[1];
    r[2] = w[1] * w[1] + w[2] * w[2] + w[3] * w[3];
  }
  template <class T>
  static void point(const T* v, const T*, T* r) {
    r[0] = v[0];
  }
};

struct VanDerPolWithAlgebraic : VanDerPol {  // z = 1 - x2² as an equation
  static constexpr std::size_t nz = 1;
  template <class T>
  static void rates(const T* w, const T*, T* r) {
    r[0] = w[3] * w[1] - w[2] + w[4], r[1] = w[1];
    r[2] = w[1] * w[1] + w[2] * w[2] + w[4] * w[4];
  }
  template <class T>
  static void residuals(const T* w, const T*, T* r) {
    r[0] = w[3] + w[2] * w[2] - T(1);
  }
};

template <class M>
void set_van_der_pol(HandProblem<M>& hand) {
  hand.horizon(0, 5);
  hand.x[0].start = 0, hand.x[1].start = 1;
  hand.u[0].max = 0.75;
  hand.values = {{BOLZA_INTEGRAL, 0, 0}};
}

TEST(SingleShooting, keeps_controls_in_their_bounds_and_ends_without_costate) {
  HandProblem<VanDerPol> hand;
  set_van_der_pol(hand);
  TranscribeOptions options;
  options.mesh = 10, options.control_constant = true, options.nlp.tol = 1e-8;
  abi::Solution s = solve_single_shooting(hand.build(), options);
  EXPECT_EQ(s.status, abi::SolveStatus::solved);
  const abi::Trajectories& t = s.phases[0].trajectories;
  ASSERT_EQ(t.costate.size(), 2u);
  EXPECT_NEAR(t.costate[0].back(), 0, 1e-9) << "no cost on the end state";
  double largest = 0;
  for (double u : t.u[0]) largest = std::max(largest, u);
  EXPECT_NEAR(largest, 0.75, 1e-6) << "the bound is active";
}

TEST(SingleShooting, costates_at_the_start_are_the_derivative_of_the_optimum_by_the_initial_state) {
  HandProblem<VanDerPol> hand;
  set_van_der_pol(hand);
  TranscribeOptions options;
  options.mesh = 5, options.control_constant = true, options.nlp.tol = 1e-7;
  abi::Solution s = solve_single_shooting(hand.build(), options);
  ASSERT_EQ(s.status, abi::SolveStatus::solved);
  for (std::size_t i = 0; i < 2; ++i) {
    double h = 1e-3, start = hand.x[i].start;
    hand.x[i].start = start + h;
    double up = solve_single_shooting(hand.build(), options, {}, &s).objective;
    hand.x[i].start = start - h;
    double down = solve_single_shooting(hand.build(), options, {}, &s).objective;
    hand.x[i].start = start;
    EXPECT_NEAR(s.phases[0].trajectories.costate[i][0], (up - down) / (2 * h), 2e-4);  // h² and the tolerance over h
  }
}

TEST(SingleShooting, gives_the_same_with_an_algebraic_equation) {
  HandProblem<VanDerPol> plain;
  HandProblem<VanDerPolWithAlgebraic> hand;
  set_van_der_pol(plain), set_van_der_pol(hand);
  TranscribeOptions options;
  options.mesh = 5, options.control_constant = true, options.nlp.tol = 1e-6;
  abi::Solution a = solve_single_shooting(plain.build(), options), b = solve_single_shooting(hand.build(), options);
  EXPECT_EQ(b.status, abi::SolveStatus::solved);
  EXPECT_NEAR(a.objective, b.objective, 1e-5);
  EXPECT_NEAR(b.phases[0].trajectories.z[0][5], 1 - std::pow(b.phases[0].trajectories.x[1][5], 2), 1e-7);
}

struct Inverse : NoFunctions {  // [CPPAD]: y0' = -a1 y0, y1' = a1 y0 - a2 y1, y(0) = (a0, 0), four measurements of y1
  static constexpr std::size_t nx = 2, ni = 1, np = 5, nv = 4, nr = 4;
  static double exact(double t) { return 2.0 * 1.0 / (1.0 - 0.5) * (std::exp(-0.5 * t) - std::exp(-1.0 * t)); }
  template <class T>
  static void rates(const T* w, const T* p, T* r) {
    r[0] = -p[3] * w[1], r[1] = p[3] * w[1] - p[4] * w[2];
  }
  template <class T>
  static void initial(const T* w, const T* p, T* r) {
    r[0] = w[1] - p[2];
  }
  template <class T>
  static void point(const T* v, const T*, T* r) {
    r[0] = T(0);
    for (std::size_t k = 0; k < 4; ++k) {
      r[1 + k] = v[k] - T(exact(0.5 * static_cast<double>(k + 1)));
      r[0] = r[0] + T(0.5) * r[1 + k] * r[1 + k];
    }
  }
};

TEST(SingleShooting, recovers_the_parameters_of_the_inverse_problem_by_gauss_newton) {
  HandProblem<Inverse> hand;
  hand.horizon(0, 2);
  hand.parameter(2, 1.5, false), hand.parameter(3, 0.5, false, 0), hand.parameter(4, 0.2, false, 0);
  hand.x[0].fixed = 0, hand.x[0].start = 1.5;
  hand.places = {{0, 1, 0, 0.5}, {0, 1, 0, 1}, {0, 1, 0, 1.5}, {0, 0, 1, 0}};
  for (std::int32_t k = 0; k < 4; ++k) hand.values.push_back({BOLZA_STATE, k, 1});
  hand.build().least_squares = 1;
  TranscribeOptions options;
  options.mesh = 4;
  abi::Solution s = solve_single_shooting(hand.problem, options);
  EXPECT_EQ(s.status, abi::SolveStatus::solved);
  bool first = std::fabs(s.parameters[2] - 2) < 1e-4 && std::fabs(s.parameters[3] - 1) < 1e-4 &&
               std::fabs(s.parameters[4] - 0.5) < 1e-4;
  bool mirror = std::fabs(s.parameters[2] - 4) < 1e-4 && std::fabs(s.parameters[3] - 0.5) < 1e-4 &&
                std::fabs(s.parameters[4] - 1) < 1e-4;
  EXPECT_TRUE(first || mirror) << s.parameters[2] << " " << s.parameters[3] << " " << s.parameters[4];
  EXPECT_LT(s.objective, 1e-14);
}

struct Sledge : NoFunctions {  // shortest time from rest at 0 to rest at 1 with |u| <= 1: tf = 2, speed at most 1
  static constexpr std::size_t nx = 2, nu = 1, ng = 1, np = 2, nv = 2, nk = 2;
  template <class T>
  static void rates(const T* w, const T*, T* r) {
    r[0] = w[2], r[1] = w[3];
  }
  template <class T>
  static void residuals(const T* w, const T*, T* r) {
    r[0] = w[2] + T(0) * w[1];
  }
  template <class T>
  static void point(const T* v, const T* p, T* r) {
    r[0] = p[1], r[1] = v[0] - T(1), r[2] = v[1];
  }
};

struct SledgeProblem : HandProblem<Sledge> {
  explicit SledgeProblem(double limit) {
    horizon(0, 3);
    parameter(1, 3, false, 0.1, 100);
    u[0].min = -1, u[0].max = 1;
    values = {{BOLZA_STATE, 1, 0}, {BOLZA_STATE, 1, 1}};
    residuals.rows[0].lower = -inf, residuals.rows[0].upper = limit;
    build();
  }
};

TEST(SingleShooting, finds_the_shortest_time) {
  SledgeProblem hand(inf);
  TranscribeOptions options;
  options.mesh = 10, options.control_constant = true;
  abi::Solution s = solve_single_shooting(hand.problem, options);
  EXPECT_EQ(s.status, abi::SolveStatus::solved);
  EXPECT_NEAR(s.objective, 2, 1e-6);
  EXPECT_NEAR(s.phases[0].final_time, 2, 1e-6);
  // H(tf) = -1 with H = λ1 x2 + λ2 u: the costate of the position is -1 all along, that of the speed runs from -1 to 1
  EXPECT_NEAR(s.phases[0].trajectories.costate[0][3], -1, 1e-5);
  constexpr double interval =
      0.2;  // with constant controls the zero of λ2 may lie anywhere near the switch between two intervals
  EXPECT_NEAR(s.phases[0].trajectories.costate[1].front(), -1, interval / 2);
  EXPECT_NEAR(s.phases[0].trajectories.costate[1].back() - s.phases[0].trajectories.costate[1].front(), 2, 1e-5);
}

TEST(SingleShooting, keeps_path_constraints_at_the_mesh_points) {
  SledgeProblem hand(0.5);  // speed at most 1/2: half a second up, three half of coasting, half a second down: tf = 2.5
  TranscribeOptions options;
  options.mesh = 10, options.control_constant = true;
  abi::Solution s = solve_single_shooting(hand.problem, options);
  EXPECT_EQ(s.status, abi::SolveStatus::solved);
  EXPECT_NEAR(s.objective, 2.5, 1e-5);
  double largest = 0;
  for (double m : s.phases[0].trajectories.path_multiplier[0]) largest = std::max(largest, m);
  EXPECT_GT(largest, 0.1);
}

TEST(SingleShooting, says_what_cannot_be_reached) {
  SledgeProblem hand(inf);
  hand.parameters[1].max = 1;  // too short
  TranscribeOptions options;
  options.mesh = 5, options.control_constant = true;
  hand.build();
  abi::Solution s = solve_single_shooting(hand.problem, options);
  EXPECT_NE(s.status, abi::SolveStatus::solved);
  ASSERT_FALSE(s.findings.empty());
  EXPECT_EQ(s.findings[0].name.substr(0, 5), "point");
}

class MixedGradient : public ::testing::TestWithParam<std::tuple<bool, ShootingGradient>> {};

TEST_P(MixedGradient, agrees_with_difference_quotients) {
  HandProblem<bolza::testing::Mixed> hand;
  bolza::testing::set_mixed(hand);
  TranscribeOptions options;
  options.mesh = 4, options.control_constant = std::get<0>(GetParam());
  Shooting shooting(hand.build(), options, {.rtol = 1e-11, .gradient = std::get<1>(GetParam())}, nullptr);
  ASSERT_EQ(shooting.objection(), "");
  nlp::Nlp& nlp = shooting.nlp;
  std::vector<double> w = nlp.start;
  for (std::size_t k = 3; k < w.size(); ++k) w[k] += 0.1 * std::sin(static_cast<double>(7 * k));
  shooting.move_to(w);
  ASSERT_TRUE(shooting.gradient());
  std::vector<double> gradient(shooting.gradient(), shooting.gradient() + nlp.n());
  std::vector<double> jacobian(shooting.jacobian(), shooting.jacobian() + nlp.jacobian.size());
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(nlp.m()), static_cast<Eigen::Index>(nlp.n()));
  for (std::size_t k = 0; k < jacobian.size(); ++k) J(nlp.jacobian.row[k], nlp.jacobian.col[k]) = jacobian[k];
  for (std::size_t c = 1; c < nlp.n(); ++c) {  // startTime is fixed: forward directions leave it out
    auto values = [&](double h) {
      std::vector<double> v = w;
      v[c] += h;
      shooting.move_to(v);
      std::vector<double> out(1 + nlp.m());
      EXPECT_TRUE(shooting.objective(out[0]));
      std::copy_n(shooting.constraints(), nlp.m(), out.begin() + 1);
      return out;
    };
    auto quotient = [&](double h) {
      std::vector<double> a = values(-h), b = values(h);
      for (std::size_t i = 0; i < a.size(); ++i) a[i] = (b[i] - a[i]) / (2 * h);
      return a;
    };
    std::vector<double> coarse = quotient(2e-3), fine = quotient(1e-3);
    for (std::size_t i = 0; i < fine.size(); ++i) {
      double expected = (4 * fine[i] - coarse[i]) / 3,
             got = i ? J(static_cast<Eigen::Index>(i - 1), static_cast<Eigen::Index>(c)) : gradient[c];
      EXPECT_NEAR(got, expected, 5e-7 * (1 + std::fabs(expected))) << "row " << i << " by variable " << c;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, MixedGradient,
                         ::testing::Combine(::testing::Bool(),
                                            ::testing::Values(ShootingGradient::adjoint, ShootingGradient::forward)));

}  // namespace
}  // namespace bolza::transcribe
