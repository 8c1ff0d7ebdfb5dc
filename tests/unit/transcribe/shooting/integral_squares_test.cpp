// SPDX-License-Identifier: Apache-2.0
// Gauss-Newton matrices of integrals of squares in single shooting.
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/transcribe/shooting/multiple_shooting.h"
#include "runtime/transcribe/shooting/shooting_internal.h"
#include "runtime/transcribe/shooting/single_shooting.h"
#include "tests/unit/support/hand_model.h"

namespace bolza::transcribe {
namespace {

using bolza::testing::HandFunction;
using bolza::testing::HandProblem;
using bolza::testing::NoFunctions;

struct IntegrandResiduals {
  template <class M, class T>
  static void call(const T* w, const T* p, T* r) {
    M::squares(w, p, r);
  }
};

/// q = ½ Σ r², the objective its integral.
template <class M>
struct SquaresProblem : HandProblem<M> {
  HandFunction<M, IntegrandResiduals, HandProblem<M>::nw, M::n_squares> squares{"squares"};

  SquaresProblem() { this->values = {{BOLZA_INTEGRAL, 0, 0}}; }
  bolza_problem& built() {
    this->build().least_squares = 1;
    this->model.integrand_residuals = &squares.function;
    return this->problem;
  }
};

template <class M, class T>
T half_square(const T* w, const T* p) {
  T r[M::n_squares], sum(0);
  M::squares(w, p, r);
  for (const T& value : r) sum = sum + T(0.5) * value * value;
  return sum;
}

Eigen::MatrixXd gauss_newton(Shooting& shooting) {
  auto n = static_cast<Eigen::Index>(shooting.nlp.n());
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(n, n);
  const double* values = shooting.gauss_newton(1);
  EXPECT_TRUE(values);
  for (std::size_t k = 0; values && k < shooting.nlp.gauss_newton.size(); ++k) {
    Eigen::Index r = shooting.nlp.gauss_newton.row[k], c = shooting.nlp.gauss_newton.col[k];
    G(r, c) = G(c, r) = values[k];
  }
  return G;
}

struct Ramp : NoFunctions {  // der(x) = p3 from 0, r = (x − t, 3 p3)
  static constexpr std::size_t nq = 1, np = 3, nv = 1, n_squares = 2;
  template <class T>
  static void squares(const T* w, const T* p, T* r) {
    r[0] = w[1] - w[0], r[1] = T(3) * p[2];
  }
  template <class T>
  static void rates(const T* w, const T* p, T* r) {
    r[0] = p[2], r[1] = half_square<Ramp>(w, p);
  }
  template <class T>
  static void point(const T* v, const T*, T* r) {
    r[0] = v[0];
  }
};

// With x = p t the first residual is (p − 1) t: at p = 1 it moves by t with p, and not with T at a held share of the
// horizon.
TEST(IntegralSquares, matrix_has_the_closed_form_with_a_free_end) {
  constexpr double T = 2;
  SquaresProblem<Ramp> hand;
  hand.horizon(0, T);
  hand.parameter(1, 1, false), hand.parameter(2, 2, false);
  TranscribeOptions options;
  options.mesh = 3;
  Shooting shooting(hand.built(), options, {.rtol = 1e-9}, nullptr);
  ASSERT_EQ(shooting.objection(), "");
  std::vector<double> w = shooting.nlp.start;
  w[1] = T, w[2] = 1;
  shooting.move_to(w);
  Eigen::MatrixXd G = gauss_newton(shooting);
  EXPECT_NEAR(G(2, 2), T * T * T / 3 + 9 * T, 1e-7);
  EXPECT_NEAR(G(2, 1), 4.5, 1e-7);
  EXPECT_NEAR(G(1, 1), 9 / (4 * T), 1e-7);
  EXPECT_GT(shooting.quadrature().points, 9u);
  EXPECT_LT(shooting.quadrature().error, 1e-8);
}

struct Linear : NoFunctions {  // everything is linear: the matrix is the second derivative of the objective
  static constexpr std::size_t nx = 2, nz = 1, nu = 1, nq = 1, np = 3, nv = 1, n_squares = 2;
  template <class T>
  static void squares(const T* w, const T* p, T* r) {
    r[0] = w[3] - w[0] * p[2], r[1] = w[1] + T(0.5) * w[4] - T(1);
  }
  template <class T>
  static void rates(const T* w, const T* p, T* r) {
    r[0] = w[2] + w[4], r[1] = w[3] - T(2) * w[2] - w[1] + p[2] * w[0], r[2] = half_square<Linear>(w, p);
  }
  template <class T>
  static void residuals(const T* w, const T* p, T* r) {
    r[0] = T(2) * w[3] - w[1] - w[4] + p[2];
  }
  template <class T>
  static void point(const T* v, const T*, T* r) {
    r[0] = v[0];
  }
};

class LinearSquares : public ::testing::TestWithParam<bool> {};

TEST_P(LinearSquares, matrix_is_the_second_derivative) {
  SquaresProblem<Linear> hand;
  hand.horizon(0.2, 1.5);
  hand.parameter(2, 0.8, false);
  hand.x[0].fixed = 0, hand.x[0].start = 0.4, hand.x[1].start = 0.9, hand.u[0].start = 0.3;
  TranscribeOptions options;
  options.mesh = 3, options.control_constant = GetParam();
  Shooting shooting(hand.built(), options, {.rtol = 1e-10}, nullptr);
  ASSERT_EQ(shooting.objection(), "");
  std::vector<double> w = shooting.nlp.start;
  shooting.move_to(w);
  Eigen::MatrixXd G = gauss_newton(shooting);
  auto gradient_at = [&](std::size_t c, double h) {
    std::vector<double> v = w;
    v[c] += h;
    shooting.move_to(v);
    return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(shooting.gradient(), G.rows()));
  };
  for (std::size_t c = 2; c < w.size(); ++c) {  // the horizon is fixed
    Eigen::VectorXd column = (gradient_at(c, 0.5) - gradient_at(c, -0.5));
    for (std::size_t r = 2; r < w.size(); ++r) {
      bool is_fixed = r == 4 || c == 4;  // x2 at the start
      if (is_fixed) continue;
      auto i = static_cast<Eigen::Index>(r), j = static_cast<Eigen::Index>(c);
      EXPECT_NEAR(G(i, j), column[i], 1e-7 * (1 + std::fabs(column[i]))) << r << ", " << c;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Controls, LinearSquares, ::testing::Bool());

struct Decay : NoFunctions {  // der(x) = −p3 x from 1, compared with exp(−0.7 t)
  static constexpr std::size_t nq = 1, np = 3, nv = 2, nr = 1, n_squares = 1;
  template <class T>
  static void squares(const T* w, const T*, T* r) {
    using std::exp;
    r[0] = w[1] - exp(T(-0.7) * w[0]);
  }
  template <class T>
  static void rates(const T* w, const T* p, T* r) {
    r[0] = -p[2] * w[1], r[1] = half_square<Decay>(w, p);
  }
  template <class T>
  static void point(const T* v, const T*, T* r) {  // and with its value at the end
    r[1] = v[1] - T(std::exp(-1.4));
    r[0] = v[0] + T(0.5) * r[1] * r[1];
  }
};

struct DecayProblem : SquaresProblem<Decay> {
  DecayProblem() {
    horizon(0, 2), parameter(2, 3, false);
    x[0].start = 1;
    values = {{BOLZA_INTEGRAL, 0, 0}, {BOLZA_STATE, 1, 0}};
  }
};

// By p the state moves by −t exp(−0.7 t): G = ∫ t² exp(−1.4 t) dt + 4 exp(−2.8) where the residuals are zero.
TEST(IntegralSquares, are_added_to_squares_of_values_at_points) {
  DecayProblem hand;
  TranscribeOptions options;
  options.mesh = 2;
  Shooting shooting(hand.built(), options, {.rtol = 1e-10}, nullptr);
  std::vector<double> w = shooting.nlp.start;
  w[2] = 0.7;
  shooting.move_to(w);
  constexpr double a = 1.4, T = 2;
  double integral = 2 / (a * a * a) - std::exp(-a * T) * (T * T / a + 2 * T / (a * a) + 2 / (a * a * a));
  EXPECT_NEAR(gauss_newton(shooting)(2, 2), integral + T * T * std::exp(-2.8), 1e-8);
}

TEST(IntegralSquares, give_least_squares_its_matrix) {
  DecayProblem hand;
  TranscribeOptions options;
  options.mesh = 2, options.nlp.engine = "nlsq";
  abi::Solution s = solve_single_shooting(hand.built(), options);
  EXPECT_EQ(s.status, abi::SolveStatus::solved);
  EXPECT_NEAR(s.parameters[2], 0.7, 1e-7);
  EXPECT_LT(s.statistics.iterations, 15) << "nothing is left at the optimum: steps are Newton's";
}

TEST(IntegralSquares, are_refused_where_states_between_mesh_points_are_not_known) {
  DecayProblem hand;
  TranscribeOptions options;
  options.mesh = 2, options.nlp.engine = "nlsq";
  abi::Solution by_steps = solve_single_shooting(hand.built(), options, {.integrator = "dopri5"});
  ASSERT_EQ(by_steps.status, abi::SolveStatus::refused);
  EXPECT_NE(by_steps.findings[0].text.find("which `dopri5` does not give"), std::string::npos) << by_steps.findings[0].text;
  abi::Solution multiple = solve_multiple_shooting(hand.built(), options);
  ASSERT_EQ(multiple.status, abi::SolveStatus::refused);
  EXPECT_NE(multiple.findings[0].text.find("multiple shooting"), std::string::npos) << multiple.findings[0].text;
}

}  // namespace
}  // namespace bolza::transcribe
