// SPDX-License-Identifier: Apache-2.0
// IDAS where the states alone tell it nothing about the order: polynomials of low degree in time, and a state at rest. What
// is looked for, integrals and derivatives, has the tolerance, in tens of steps and not thousands.
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/integrate/segment/segment.h"
#include "tests/unit/support/hand_second.h"

namespace bolza::integrate {
namespace {

using bolza::testing::HandProblem;
using bolza::testing::HandSecond;
using bolza::testing::NoFunctions;
using Eigen::MatrixXd;

constexpr double order_rtol = 1e-8;
// Evaluations; of steps of order 1 there were tens of thousands.
constexpr long few = 1500;
long order_evaluations = 0;

// x1' = 1, x2' = −p x1, Q = ∫ x1⁴: λ is a polynomial of degree 4 at most, the states are of degree 1 and 2.
struct Polynomials : NoFunctions {
  static constexpr std::size_t nx = 2, nq = 1, np = 3;
  template <class T>
  static void rates(const T* w, const T* p, T* r) {
    ++order_evaluations;
    r[0] = T(1), r[1] = -p[2] * w[1], r[2] = w[1] * w[1] * w[1] * w[1];
  }
};

// A pendulum at rest.
struct RestOfOrders : NoFunctions {
  static constexpr std::size_t nx = 2, nq = 1, np = 3;
  template <class T>
  static void rates(const T* w, const T* p, T* r) {
    using std::sin;
    ++order_evaluations;
    r[0] = w[2], r[1] = -p[2] * sin(w[1]) - T(0.1) * w[2], r[2] = w[1] * w[1];
  }
};

template <class M>
struct Hand {
  HandProblem<M> hand;
  HandSecond<M> second{hand};
  std::unique_ptr<ReducedModel> model;
  explicit Hand(double p) {
    hand.horizon(0, 1), hand.parameter(2, p);
    hand.build();
    model = std::make_unique<ReducedModel>(hand.problem, hand.model);
    model->at().shared = hand.shared;
    order_evaluations = 0;
  }
};

TEST(IdasOrders, integrals_of_linear_states_and_their_adjoint_take_few_steps) {
  Hand<Polynomials> run(0.8);
  Segment segment(*run.model, {.rtol = order_rtol, .idas = true});
  std::vector<double> x{1, 0.5}, q{0}, lambda{0, 1}, gradient(segment.inputs());
  ASSERT_TRUE(segment.forward({0, 1}, {}, {}, x, q));
  EXPECT_LT(order_evaluations, few);
  EXPECT_NEAR(q[0], 31.0 / 5, 100 * order_rtol);
  EXPECT_NEAR(x[1], 0.5 - 0.8 * 1.5, 100 * order_rtol);
  order_evaluations = 0;
  ASSERT_TRUE(segment.adjoint(lambda, std::vector<double>{2}, gradient));
  EXPECT_LT(order_evaluations, few);
  EXPECT_NEAR(lambda[0], -0.8 + 2 * 15, 1000 * order_rtol);
  EXPECT_NEAR(lambda[1], 1, 100 * order_rtol);
  EXPECT_NEAR(gradient[2], -1.5, 100 * order_rtol) << "by p";
}

TEST(IdasOrders, the_adjoint_of_a_ball_in_flight_takes_few_steps) {
  Hand<Polynomials> run(9.81);  // height x2 here: its second derivative is −p
  Segment segment(*run.model, {.rtol = order_rtol, .idas = true});
  std::vector<double> x{0, 1}, q{0}, lambda{0, 1}, gradient(segment.inputs());
  ASSERT_TRUE(segment.forward({0, 1}, {}, {}, x, q));
  order_evaluations = 0;
  ASSERT_TRUE(segment.adjoint(lambda, std::vector<double>{0}, gradient));
  EXPECT_LT(order_evaluations, few);
  EXPECT_NEAR(lambda[0], -9.81, 100 * order_rtol);
  EXPECT_NEAR(gradient[2], -0.5, 100 * order_rtol);
}

// s(T) of s'' = −p s − 0.1 s', s(0) = 1, s'(0) = 0.
double swing(double p, double T) {
  double frequency = std::sqrt(p - 0.0025);
  return std::exp(-0.05 * T) * (std::cos(frequency * T) + 0.05 / frequency * std::sin(frequency * T));
}

TEST(IdasOrders, sensitivities_of_a_state_at_rest_control_the_steps) {
  constexpr double T = 10;
  Hand<RestOfOrders> run(7.2);
  Segment segment(*run.model, {.rtol = order_rtol, .idas = true});
  std::vector<double> x{0, 0}, q{0};
  Segment::Directions d{MatrixXd::Identity(2, 2),
                        MatrixXd::Zero(1, 2),
                        MatrixXd::Zero(static_cast<Eigen::Index>(segment.inputs()), 2),
                        {1, 1},
                        {}};
  ASSERT_TRUE(segment.tangent({0, T}, {}, {}, x, q, d));
  EXPECT_NEAR(d.x(0, 0), swing(7.2, T), 100 * order_rtol);
  EXPECT_LT(order_evaluations, 3 * few);
  EXPECT_EQ(x[0], 0);
}

TEST(IdasOrders, second_derivatives_at_rest_are_those_of_cvodes) {
  constexpr double T = 1;
  MatrixXd by[2];
  for (bool idas : {false, true}) {
    Hand<RestOfOrders> run(7.2);
    Segment segment(*run.model, {.rtol = 1e-10, .idas = idas});
    auto inputs = static_cast<Eigen::Index>(segment.inputs());
    Segment::Directions d{MatrixXd::Identity(2, 2), MatrixXd::Zero(1, 2), MatrixXd::Zero(inputs, 2), {1, 1}, {}};
    MatrixXd lambda_dot = MatrixXd::Zero(2, 2), gradient_dot;
    ASSERT_TRUE(segment.second({0, T}, {}, {}, std::vector<double>{0, 0}, d, std::vector<double>{1, 0},
                               std::vector<double>{1}, {}, lambda_dot, gradient_dot));
    by[idas] = MatrixXd(2 + inputs, 2);
    by[idas] << lambda_dot, gradient_dot;
    EXPECT_LT(order_evaluations, 40 * few);
  }
  EXPECT_LT((by[0] - by[1]).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_GT(by[0].cwiseAbs().maxCoeff(), 0.1);
}

}  // namespace
}  // namespace bolza::integrate
