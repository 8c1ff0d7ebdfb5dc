// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "runtime/transcribe/shooting/multiple_shooting.h"
#include "tests/unit/transcribe/shooting/derivative_check.h"
#include "tests/unit/transcribe/shooting/mixed_problem.h"

namespace bolza::transcribe {
namespace {

class MixedMultipleShooting : public ::testing::TestWithParam<std::tuple<bool, ShootingGradient>> {};

TEST_P(MixedMultipleShooting, has_derivatives_that_agree_with_difference_quotients) {
  bolza::testing::HandProblem<bolza::testing::Mixed> hand;
  bolza::testing::set_mixed(hand);
  TranscribeOptions options;
  options.mesh = 4, options.control_constant = std::get<0>(GetParam());
  MultipleShooting shooting(hand.build(), options, {.rtol = 1e-11, .gradient = std::get<1>(GetParam())}, nullptr);
  ASSERT_EQ(shooting.objection(), "");
  bolza::testing::ShootingDerivatives(shooting).compare(1e-6, 1e-4);
}

INSTANTIATE_TEST_SUITE_P(All, MixedMultipleShooting,
                         ::testing::Combine(::testing::Bool(),
                                            ::testing::Values(ShootingGradient::adjoint, ShootingGradient::forward)));

constexpr double pi = std::numbers::pi;

/// Bock's notorious problem [BOCKPLITT]: x1' = x2, x2' = μ² x1 − (μ² + p²) sin pt with μ = 60 and measurements of x1 = sin
/// πt: a perturbation of p grows by e^60.
struct Notorious : bolza::testing::NoFunctions {
  static constexpr std::size_t nx = 2, np = 3, nv = 10, nr = 10;
  static double time(std::size_t k) { return 0.1 * static_cast<double>(k + 1); }
  template <class T>
  static void rates(const T* w, const T* p, T* r) {
    using std::sin;
    T mu2 = T(3600);
    r[0] = w[2], r[1] = mu2 * w[1] - (mu2 + p[2] * p[2]) * sin(p[2] * w[0]);
  }
  template <class T>
  static void point(const T* v, const T*, T* r) {
    r[0] = T(0);
    for (std::size_t k = 0; k < nv; ++k) {
      r[1 + k] = v[k] - T(std::sin(pi * time(k)));
      r[0] = r[0] + T(0.5) * r[1 + k] * r[1 + k];
    }
  }
};

TEST(MultipleShooting, estimates_the_parameter_of_an_unstable_model) {
  bolza::testing::HandProblem<Notorious> hand;
  hand.horizon(0, 1), hand.places.clear();
  hand.parameter(2, 1, false);
  hand.x[0].start = 0, hand.x[1].start = pi;
  for (std::size_t k = 0; k < Notorious::nv; ++k) {
    hand.places.push_back(k + 1 < Notorious::nv ? bolza_place{0, 1, 0, Notorious::time(k)} : bolza_place{0, 0, 1, 0});
    hand.values.push_back({BOLZA_STATE, static_cast<std::int32_t>(k), 0});
  }
  hand.build().least_squares = 1;
  TranscribeOptions options;
  options.mesh = 20;
  for (nlp::Hessian hessian : {nlp::Hessian::exact, nlp::Hessian::gauss_newton}) {
    options.nlp.hessian = hessian;
    abi::Solution s = solve_multiple_shooting(hand.problem, options, {.rtol = 1e-10, .integrator = "radau5"});
    ASSERT_EQ(s.status, abi::SolveStatus::solved);
    EXPECT_NEAR(s.parameters[2], pi, 1e-6);
    const abi::Trajectories& t = s.phases[0].trajectories;
    for (std::size_t k = 0; k < t.time.size(); ++k) EXPECT_NEAR(t.x[0][k], std::sin(pi * t.time[k]), 1e-5);
  }
}

struct Pole : bolza::testing::NoFunctions {  // x' = x², x(0) = 1 has no value at t = 1
  static constexpr std::size_t nx = 1, nv = 1, np = 2;
  template <class T>
  static void rates(const T* w, const T*, T* r) {
    r[0] = w[1] * w[1];
  }
  template <class T>
  static void point(const T* v, const T*, T* r) {
    r[0] = v[0];
  }
};

TEST(MultipleShooting, tells_that_an_interval_could_not_be_integrated) {
  bolza::testing::HandProblem<Pole> hand;
  hand.horizon(0, 2);
  hand.x[0].start = 1;
  hand.values = {{BOLZA_STATE, 0, 0}};
  hand.places = {{0, 0, 1, 0}};
  TranscribeOptions options;
  options.mesh = 1;
  abi::Solution s = solve_multiple_shooting(hand.build(), options);
  EXPECT_EQ(s.status, abi::SolveStatus::evaluation_error);
  ASSERT_FALSE(s.findings.empty());
  EXPECT_FALSE(s.findings[0].text.empty());
}

}  // namespace
}  // namespace bolza::transcribe
