// SPDX-License-Identifier: Apache-2.0
// Second derivatives through events: a falling body that meets a moving, curved ground and leaves it as parameters, inputs
// and time say. Against differences of the exact gradient with steps and events held, and symmetric.
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/integrate/segment/segment.h"
#include "tests/unit/support/hand_hybrid.h"
#include "tests/unit/support/hand_second.h"

namespace bolza::integrate {
namespace {

using bolza::testing::HandHessian;
using bolza::testing::HandHybrid;
using bolza::testing::Indicating;
using bolza::testing::NoEvents;
using bolza::testing::Rates;
using bolza::testing::Reinit;
using bolza::testing::value_of;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Ground : NoEvents {  // t0 tf e c | r pre(r)
  static constexpr std::size_t nx = 2, nu = 1, nq = 1, np = 6, n_free = 4, nm = 1, n_indicators = 1, n_reinits = 1;
  template <class T>
  static void rates(const T* w, const T* p, T* r) {
    r[0] = w[2] + p[3] * w[3] * T(0.1), r[1] = -p[3] - w[3] * w[1] - w[2] * w[2] * T(0.02) * p[2];
    r[2] = w[1] * w[1] * w[3] + w[2] * w[0];
  }
  template <class T>
  static void update(const T* w, const T* p, T* r) {
    T g[1];
    indicators(w, p, g);
    r[0] = T(value_of(g[0]) <= 0);
  }
  template <class T>
  static void indicators(const T* w, const T* p, T* r) {
    r[0] = w[1] * (T(1) + T(0.3) * w[1]) - T(0.1) * sin(w[0] * p[2]) - T(0.05) * w[3] * w[0];
  }
  template <class T>
  static void reinit(const T* w, const T* p, T* r) {
    r[0] = T(value_of(p[4]) > 0.5 && value_of(p[5]) < 0.5);
    r[1] = -p[2] * w[2] + T(0.2) * w[1] * w[3] * p[3] + w[0] * w[0] * p[2];
  }
};

struct Fall {
  explicit Fall(const Method* method, bool linear, double rtol, double fixed) {
    hand.horizon(0.1, 0.9), hand.parameter(2, 0.8), hand.parameter(3, 9);
    hand.relation("on the ground", 4, 5, 0, false, true);
    hand.reinit_state = {1};
    hand.build();
    model = std::make_unique<ReducedModel>(hand.problem, hand.model);
    segment = std::make_unique<Segment>(
        *model, SegmentOptions{.rtol = rtol, .linear_control = linear, .method = method, .fixed_step = fixed});
    std::vector<double> all{1, 0.2, 0.6};
    if (linear) all.push_back(0.9);
    for (double v : {0.1, 0.9, 0.8, 9.0, 0.1, 0.8}) all.push_back(v);
    at = Eigen::Map<VectorXd>(all.data(), static_cast<Index>(all.size()));
  }
  std::span<const double> left(const VectorXd& v) const { return {v.data() + 2, 1}; }
  std::span<const double> right(const VectorXd& v) const { return {v.data() + 1 + segment->controls(), 1}; }
  SegmentTimes times(const VectorXd& v) const { return {v[v.size() - 2], v[v.size() - 1]}; }
  void set(const VectorXd& v) {
    for (Index k = 0; k < 4; ++k) model->at().shared[static_cast<std::size_t>(k)] = v[v.size() - 6 + k];
  }
  VectorXd gradient(const VectorXd& v) {
    set(v);
    std::vector<double> x{v[0], v[1]}, q{0}, l = lambda, g(segment->inputs());
    EXPECT_TRUE(segment->forward(times(v), left(v), right(v), x, q));
    EXPECT_GT(x[1], -3) << "it met the ground; −7 without";
    EXPECT_TRUE(segment->adjoint(l, weight, g));
    VectorXd out(v.size());
    out << l[0], l[1], Eigen::Map<VectorXd>(g.data(), static_cast<Index>(g.size()));
    return out;
  }
  MatrixXd hessian() {
    Index n = at.size();
    set(at);
    Segment::Directions d{MatrixXd::Identity(2, n), MatrixXd::Zero(1, n), MatrixXd::Zero(n - 2, n), {}, {}};
    d.direct.rightCols(n - 2).setIdentity();
    MatrixXd lambda_dot = MatrixXd::Zero(2, n), gradient_dot, H(n, n);
    std::vector<double> x{at[0], at[1]};
    EXPECT_TRUE(segment->second(times(at), left(at), right(at), x, d, lambda, weight, {}, lambda_dot, gradient_dot));
    H << lambda_dot, gradient_dot;
    return H;
  }

  HandHybrid<Ground> hand;
  static constexpr std::size_t nw = HandHybrid<Ground>::nw;
  HandHessian<Ground, Rates, nw, 3> rates{hand.rates.function};
  HandHessian<Ground, Indicating, nw, 1> indicators{hand.indicators.function};
  HandHessian<Ground, Reinit, nw, 2> reinit{hand.reinit.function};
  std::unique_ptr<ReducedModel> model;
  std::unique_ptr<Segment> segment;
  VectorXd at;
  std::vector<double> lambda{1, 0.4}, weight{0.7};
};

class SecondThroughEvents : public ::testing::TestWithParam<std::tuple<const char*, bool, double>> {};

TEST_P(SecondThroughEvents, is_the_derivative_of_the_gradient_and_symmetric) {
  auto [name, linear, fixed] = GetParam();
  Fall J(find_method(name), linear, 1e-4, fixed);
  ASSERT_TRUE(J.segment->has_second());
  J.gradient(J.at);
  J.segment->repeat_steps(true);
  MatrixXd H = J.hessian();
  double size = H.cwiseAbs().maxCoeff();
  EXPECT_LT((H - H.transpose()).cwiseAbs().maxCoeff(), 1e-11 * size);
  for (Index k = 0; k < J.at.size(); ++k) {
    auto moved = [&](double by) {
      VectorXd v = J.at;
      v[k] += by;
      return J.gradient(v);
    };
    const double h = 1e-3;  // fourth order: h⁴ = 1e-12 times a fifth derivative, rounding 1e-14/h
    VectorXd column = (8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h);
    for (Index r = 0; r < column.size(); ++r) EXPECT_NEAR(H(r, k), column[r], 2e-9 * size) << "entry " << r << ", " << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, SecondThroughEvents,
                         ::testing::Combine(::testing::Values("radau5", "dopri5", "sdirk", "adams", "rk4"),
                                            ::testing::Values(true, false), ::testing::Values(0.05)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param)) + (std::get<1>(info.param) ? "_linear" : "_constant");
                         });

TEST(SecondThroughEvents, of_continuous_equations_is_that_of_fine_steps) {
  Fall continuous(nullptr, true, 1e-10, 0), steps(find_method("radau5"), true, 1e-10, 0);
  continuous.gradient(continuous.at), steps.gradient(steps.at);
  MatrixXd a = continuous.hessian(), b = steps.hessian();
  EXPECT_LT((a - b).cwiseAbs().maxCoeff(), 1e-6 * b.cwiseAbs().maxCoeff());
}

// Sensitivity form: λ' x_ij + w' Q_ij, the event's time and what it sets differentiated twice.
TEST(SecondThroughEvents, in_sensitivity_form_is_that_of_the_adjoint_form) {
  for (bool linear : {false, true}) {
    Fall J(nullptr, linear, 1e-10, 0);
    J.gradient(J.at);
    MatrixXd H = J.hessian();
    Index n = J.at.size();
    ASSERT_TRUE(J.segment->has_second_tangent());
    std::vector<ReducedModel::Pair> pairs;
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j <= i; ++j) pairs.push_back({i, j});
    Index all = n + static_cast<Index>(pairs.size());
    Segment::Directions d{MatrixXd::Zero(2, all), MatrixXd::Zero(1, all), MatrixXd::Zero(n - 2, all), {}, pairs};
    d.x.leftCols(2).setIdentity(), d.direct.middleCols(2, n - 2).setIdentity();
    std::vector<double> x{J.at[0], J.at[1]}, q{0};
    ASSERT_TRUE(J.segment->tangent(J.times(J.at), J.left(J.at), J.right(J.at), x, q, d));
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      Index c = n + static_cast<Index>(k);
      double value = J.lambda[0] * d.x(0, c) + J.lambda[1] * d.x(1, c) + J.weight[0] * d.q(0, c);
      EXPECT_NEAR(value, H(pairs[k].first, pairs[k].second), 1e-6 * H.cwiseAbs().maxCoeff())
          << "entry " << pairs[k].first << ", " << pairs[k].second << (linear ? " linear" : " constant");
    }
  }
}

}  // namespace
}  // namespace bolza::integrate
