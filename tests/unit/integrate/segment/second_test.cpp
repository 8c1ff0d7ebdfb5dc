// SPDX-License-Identifier: Apache-2.0
// Second derivatives of segments on integrators of our own: forward over adjoint of the very steps, against differences of
// the exact gradient with the steps held, and symmetric.
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/integrate/segment/segment.h"
#include "tests/unit/support/hand_second.h"
#include "tests/unit/support/hand_series.h"
#include "tests/unit/support/known_models.h"

namespace bolza::integrate {
namespace {

using bolza::testing::HandProblem;
using bolza::testing::HandSecond;
using bolza::testing::HandSecondSeries;
using bolza::testing::HandSeries;
using bolza::testing::NoFunctions;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

struct MixedForSecond : NoFunctions {
  static constexpr std::size_t nx = 2, nz = 1, nu = 1, nq = 1, np = 3;
  template <class T>
  static void rates(const T* w, const T* p, T* r) {
    r[0] = w[3] * p[2] - w[1] * w[2] + sin(w[0]) * w[4];
    r[1] = w[1] * w[2] * T(0.3) - w[2] + w[4] * w[4] * p[2] + p[1] * p[0] * T(0.1);
    r[2] = w[1] * w[1] * w[2] + w[4] * w[4] * w[0] * w[3];
  }
  template <class T>
  static void residuals(const T* w, const T* p, T* r) {
    r[0] = w[3] * w[3] * w[3] + w[3] - w[2] - w[4] * w[1] - p[2] * w[0];
  }
};

/// J = λ'x(end) + weight Q over all inputs of a segment: x(begin), u left, (u right,) startTime, finalTime, p, begin,
/// length.
struct Functional {
  Functional(const Method& method, bool linear, double fixed, const MethodOptions& options)
      : second(prepare()),
        series(hand),
        second_series(hand),
        model(built(), hand.model),
        segment(model,
                {.rtol = 1e-3, .linear_control = linear, .method = &method, .fixed_step = fixed, .method_options = options}),
        controls(segment.controls()) {
    std::vector<double> all{0.7, -0.4, 0.5};
    if (linear) all.push_back(-0.3);
    for (double v : {0.3, 1.5, 1.2, 0.4, 0.9}) all.push_back(v);
    at = Eigen::Map<VectorXd>(all.data(), static_cast<Index>(all.size()));
  }
  HandProblem<MixedForSecond>& prepare() {
    hand.horizon(0.3, 1.5), hand.parameter(2, 1.2);
    return hand;
  }
  const bolza_problem& built() { return hand.build(); }

  std::span<const double> left(const VectorXd& v) const { return {v.data() + 2, 1}; }
  std::span<const double> right(const VectorXd& v) const { return {v.data() + 1 + controls, 1}; }
  SegmentTimes times(const VectorXd& v) const { return {v[v.size() - 2], v[v.size() - 1]}; }
  void set(const VectorXd& v) { model.at().shared = {v[v.size() - 5], v[v.size() - 4], v[v.size() - 3]}; }

  VectorXd gradient(const VectorXd& v) {
    set(v);
    std::vector<double> x{v[0], v[1]}, q{0}, l = lambda, g(segment.inputs());
    EXPECT_TRUE(segment.forward(times(v), left(v), right(v), x, q));
    EXPECT_TRUE(segment.adjoint(l, weight, g));
    VectorXd out(v.size());
    out << l[0], l[1], Eigen::Map<VectorXd>(g.data(), static_cast<Index>(g.size()));
    return out;
  }

  MatrixXd hessian() {
    Index n = at.size();
    set(at);
    Segment::Directions d{MatrixXd::Identity(2, n), MatrixXd::Zero(1, n), MatrixXd::Zero(n - 2, n), {}};
    d.direct.rightCols(n - 2).setIdentity();
    MatrixXd lambda_dot = MatrixXd::Zero(2, n), gradient_dot;
    std::vector<double> x{at[0], at[1]};
    EXPECT_TRUE(segment.second(times(at), left(at), right(at), x, d, lambda, weight, {}, lambda_dot, gradient_dot));
    MatrixXd H(n, n);
    H << lambda_dot, gradient_dot;
    return H;
  }

  HandProblem<MixedForSecond> hand;
  HandSecond<MixedForSecond> second;
  HandSeries<MixedForSecond> series;
  HandSecondSeries<MixedForSecond> second_series;
  ReducedModel model;
  Segment segment;
  std::size_t controls;
  VectorXd at;
  std::vector<double> lambda{1, 1.5}, weight{0.7};
};

void compare(Functional& J, double symmetry = 1e-12) {
  J.gradient(J.at);
  J.segment.repeat_steps(true);
  ASSERT_TRUE(J.segment.has_second());
  MatrixXd H = J.hessian();
  double size = H.cwiseAbs().maxCoeff();
  EXPECT_LT((H - H.transpose()).cwiseAbs().maxCoeff(), symmetry * size);
  for (Index k = 0; k < J.at.size(); ++k) {
    auto moved = [&](double by) {
      VectorXd v = J.at;
      v[k] += by;
      return J.gradient(v);
    };
    const double h = 5e-4;  // fourth order: h⁴ = 6e-14 times a fifth derivative, rounding 1e-15/h
    VectorXd column = (8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h);
    for (Index r = 0; r < column.size(); ++r) EXPECT_NEAR(H(r, k), column[r], 5e-9 * size) << "entry " << r << ", " << k;
  }
}

class SecondOfSteps : public ::testing::TestWithParam<std::tuple<const Method*, bool, double>> {};

TEST_P(SecondOfSteps, is_the_derivative_of_the_gradient_and_symmetric) {
  auto [method, linear, fixed] = GetParam();
  Functional J(*method, linear, fixed, {});
  compare(J);
}

TEST_P(SecondOfSteps, is_the_same_from_checkpoints) {
  auto [method, linear, fixed] = GetParam();
  MethodOptions o;
  o.checkpoint_steps = 2;
  Functional J(*method, linear, fixed, {}), parts(*method, linear, fixed, o);
  J.gradient(J.at), parts.gradient(J.at);
  MatrixXd H = J.hessian();
  EXPECT_LT((H - parts.hessian()).cwiseAbs().maxCoeff(), 1e-10 * H.cwiseAbs().maxCoeff());
}

// As for functions with algorithms.
TEST(SecondOfSteps, third_derivatives_are_differences_where_there_are_no_series) {
  for (const char* name : {"grk4", "enright"}) {
    Functional J(*find_method(name), true, 0.3, {});
    J.hand.rates.function.kernels[BOLZA_TAYLOR_HESSIAN] = nullptr;
    compare(J, 1e-9);
  }
}

std::vector<const Method*> methods_with_second_derivatives() {
  std::vector<const Method*> out;
  for (const Method* m : methods())
    if (m->discrete()) out.push_back(m);
  return out;
}

TEST(SecondOfSteps, a_method_whose_derivatives_need_second_ones_says_so) {
  HandProblem<MixedForSecond> bare, whole;
  bare.horizon(0.3, 1.5), whole.horizon(0.3, 1.5);
  HandSecond<MixedForSecond> second(whole);
  bare.build(), whole.build();
  for (const Method* m : methods_with_second_derivatives()) {
    bool wants = m->name == "grk4" || m->name == "enright" || m->name == "enright_semi";
    std::string why = m->objection_to_derivatives(bare.problem, bare.model);
    EXPECT_EQ(why.empty(), !wants) << m->name;
    EXPECT_EQ(why.find("second derivatives") != std::string::npos, wants) << why;
    EXPECT_EQ(m->objection_to_derivatives(whole.problem, whole.model), "") << m->name;
  }
  EXPECT_NE(find_method("grk4")->objection_to_derivatives(bare.problem, bare.model).find("`radau5`"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Methods, SecondOfSteps,
                         ::testing::Combine(::testing::ValuesIn(methods_with_second_derivatives()), ::testing::Values(true),
                                            ::testing::Values(0.3, 0.0)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param)->name) +
                                  (std::get<1>(info.param) ? "_linear" : "_constant") +
                                  (std::get<2>(info.param) > 0 ? "_fixed" : "_automatic");
                         });

}  // namespace
}  // namespace bolza::integrate
