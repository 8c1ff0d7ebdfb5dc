// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/segment/segment.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/support/hand_second.h"
#include "tests/unit/support/known_models.h"

namespace bolza::integrate {
namespace {

using bolza::testing::HandProblem;
using bolza::testing::NoFunctions;
using bolza::testing::Roberts;

// Everything at once: explicit time, explicit finalTime, an algebraic, two controls, a parameter, two integrals.
struct MixedWithTwoControls : NoFunctions {
  static constexpr std::size_t nx = 2, nz = 1, nu = 2, nq = 2, np = 3;
  template <class T>
  static void rates(const T* w, const T* p, T* r) {
    using std::sin;
    r[0] = w[3] * p[2] - w[1] + sin(w[0]) * w[4];
    r[1] = w[1] * w[2] * T(0.3) - w[2] + w[5] * w[5] + p[1] * T(0.1);
    r[2] = w[1] * w[1] + w[4] * w[4] * w[0];
    r[3] = w[3] * w[2];
  }
  template <class T>
  static void residuals(const T* w, const T* p, T* r) {  // z³ + z = x2 + u1 + p t
    r[0] = w[3] * w[3] * w[3] + w[3] - w[2] - w[4] - p[2] * w[0];
  }
};

struct RobertsRun {
  HandProblem<Roberts> hand;
  std::unique_ptr<ReducedModel> model;
  std::unique_ptr<Segment> segment;
  double T;
  std::vector<double> x{1, 0, 0}, q{0};

  RobertsRun(double end, double rtol) : T(end) {
    hand.horizon(0, T);
    hand.parameter(2, 0.04), hand.parameter(3, 1e4), hand.parameter(4, 3e7);
    hand.x[1].nominal = 1e-5, hand.x[1].has_nominal = 1;
    hand.build();
    model = std::make_unique<ReducedModel>(hand.problem, hand.model);
    model->at().shared = hand.shared;
    segment = std::make_unique<Segment>(*model, SegmentOptions{.rtol = rtol});
  }
  SegmentTimes times() const { return {0, T}; }
};

TEST(Segment, gives_the_published_adjoint_gradient_of_roberts_problem) {
  RobertsRun run(40, 1e-10);
  ASSERT_TRUE(run.segment->forward(run.times(), {}, {}, run.x, run.q));
  EXPECT_NEAR(run.q[0], 7.98858587, 5e-8);
  std::vector<double> lambda(3), weight{1}, gradient(7);
  ASSERT_TRUE(run.segment->adjoint(lambda, weight, gradient));
  EXPECT_NEAR(gradient[2] / 129.77648, 1, 1e-6);
  EXPECT_NEAR(gradient[3] / -3.6263831e-4, 1, 1e-6);
  EXPECT_NEAR(gradient[4] / 6.0442929e-8, 1, 1e-6);
  EXPECT_NEAR(gradient[6] / run.x[2], 1, 1e-6) << "dG/dT is the integrand at the end";
}

TEST(Segment, gives_the_published_costates_of_roberts_problem) {
  RobertsRun run(50, 1e-9);
  ASSERT_TRUE(run.segment->forward(run.times(), {}, {}, run.x, run.q));
  std::vector<double> lambda(3), weight{1}, gradient(7);
  ASSERT_TRUE(run.segment->adjoint(lambda, weight, gradient));
  constexpr double published = 1e-4;  // relative: those were integrated with a tolerance of 1e-6
  EXPECT_NEAR(lambda[0] / 8.4190, 1, published);
  EXPECT_NEAR(lambda[1] / 16.097, 1, published);
  EXPECT_NEAR(lambda[2] / 16.097, 1, published);
  EXPECT_NEAR(gradient[2] / 173.41, 1, published);
}

TEST(Segment, gives_the_gradient_over_the_long_horizon) {
  RobertsRun run(4e7, 1e-10);
  ASSERT_TRUE(run.segment->forward(run.times(), {}, {}, run.x, run.q));
  EXPECT_NEAR(run.q[0] / 39982528.2, 1, 1e-7);
  std::vector<double> lambda(3), weight{1}, gradient(7);
  ASSERT_TRUE(run.segment->adjoint(lambda, weight, gradient));
  EXPECT_NEAR(gradient[2] / 768377.3, 1, 1e-4);
  EXPECT_NEAR(gradient[3] / -3.0689209, 1, 1e-4);
  EXPECT_NEAR(gradient[4] / 5.1148898e-4, 1, 1e-4);
}

TEST(Segment, gives_the_published_forward_sensitivities_of_roberts_problem) {
  RobertsRun run(0.4, 1e-9);
  Segment::Directions d{Eigen::MatrixXd::Zero(3, 1), Eigen::MatrixXd::Zero(1, 1), Eigen::MatrixXd::Zero(7, 1), {0.04}};
  d.direct(2, 0) = 1;
  ASSERT_TRUE(run.segment->tangent(run.times(), {}, {}, run.x, run.q, d));
  EXPECT_NEAR(d.x(0, 0), -3.5595e-1, 6e-6);
  EXPECT_NEAR(d.x(1, 0), 3.9025e-4, 6e-9);
}

class MixedRun : public ::testing::TestWithParam<bool> {
 public:
  HandProblem<MixedWithTwoControls> hand;
  std::vector<double> input{0.7, -0.4, 0.5, 0.2, -0.3,
                            0.6, 0.3,  1.5, 1.2};  // x(begin), u left, u right, startTime, finalTime, p
  static constexpr std::size_t x_outputs = 4;

  std::vector<double> end(const std::vector<double>& v, Segment& segment, ReducedModel& model) {
    apply(v, model);
    std::vector<double> out{v[0], v[1], 0, 0};
    EXPECT_TRUE(segment.forward(times(v), std::span(v).subspan(2, 2), std::span(v).subspan(4, 2), std::span(out).first(2),
                                std::span(out).last(2)));
    return out;
  }
  void apply(const std::vector<double>& v, ReducedModel& model) { model.at().shared = {v[6], v[7], v[8]}; }
  // the segment is the second half of the horizon
  SegmentTimes times(const std::vector<double>& v) { return {0.5 * (v[6] + v[7]), 0.5 * (v[7] - v[6])}; }
  // a gradient by a segment's inputs becomes one by u, startTime, finalTime, p
  static std::vector<double> through_times(std::vector<double> g) {
    std::size_t n = g.size();
    g[n - 5] += 0.5 * g[n - 2] - 0.5 * g[n - 1], g[n - 4] += 0.5 * g[n - 2] + 0.5 * g[n - 1];
    g.resize(n - 2);
    return g;
  }

  // central differences with Richardson extrapolation, inputs that the segment has
  Eigen::MatrixXd quotients(Segment& segment, ReducedModel& model) {
    Eigen::MatrixXd out(x_outputs, input.size());
    for (std::size_t k = 0; k < input.size(); ++k) {
      auto quotient = [&](double h) {
        std::vector<double> a = input, b = input;
        a[k] -= h, b[k] += h;
        std::vector<double> fa = end(a, segment, model), fb = end(b, segment, model), d(x_outputs);
        for (std::size_t i = 0; i < d.size(); ++i) d[i] = (fb[i] - fa[i]) / (2 * h);
        return d;
      };
      std::vector<double> coarse = quotient(2e-3), fine = quotient(1e-3);
      for (std::size_t i = 0; i < x_outputs; ++i)
        out(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) = (4 * fine[i] - coarse[i]) / 3;
    }
    return out;
  }
};

TEST_P(MixedRun, adjoint_and_forward_derivatives_agree_with_difference_quotients) {
  bool linear = GetParam();
  hand.horizon(0.3, 1.5), hand.parameter(2, 1.2);
  hand.build();
  ReducedModel model(hand.problem, hand.model);
  Segment segment(model, {.rtol = 1e-11, .linear_control = linear});
  Eigen::MatrixXd expected = quotients(segment, model);
  constexpr double close = 2e-7;  // integration at 1e-11 over a step of 1e-3, and the quotient's own error

  std::vector<double> x{input[0], input[1]}, q{0, 0};
  apply(input, model);
  Eigen::Index controls = linear ? 4 : 2, m = 5 + controls;
  Segment::Directions d{
      Eigen::MatrixXd::Identity(2, m), Eigen::MatrixXd::Zero(2, m), Eigen::MatrixXd::Zero(controls + 5, m), {}};
  for (Eigen::Index k = 0; k < controls + 3; ++k) d.direct(k, 2 + k) = 1;
  for (Eigen::Index k = 0; k < 2; ++k)
    d.direct(controls + 3, 2 + controls + k) = 0.5, d.direct(controls + 4, 2 + controls + k) = k ? 0.5 : -0.5;
  ASSERT_TRUE(segment.tangent(times(input), std::span(input).subspan(2, 2), std::span(input).subspan(4, 2), x, q, d));
  auto column = [&](Eigen::Index k) { return k < 2 + controls ? k : k - 2 - controls + 6; };
  for (Eigen::Index i = 0; i < 4; ++i)
    for (Eigen::Index k = 0; k < m; ++k)
      EXPECT_NEAR(i < 2 ? d.x(i, k) : d.q(i - 2, k), expected(i, column(k)), close) << i << " by " << k;

  end(input, segment, model);
  for (Eigen::Index i = 0; i < 4; ++i) {
    std::vector<double> lambda(2), weight(2), gradient(segment.inputs());
    (i < 2 ? lambda[static_cast<std::size_t>(i)] : weight[static_cast<std::size_t>(i - 2)]) = 1;
    ASSERT_TRUE(segment.adjoint(lambda, weight, gradient));
    for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(lambda[k], expected(i, static_cast<Eigen::Index>(k)), close);
    gradient = through_times(gradient);
    for (std::size_t k = 0; k < gradient.size(); ++k)
      EXPECT_NEAR(gradient[k], expected(i, column(2 + static_cast<Eigen::Index>(k))), close) << i << " by input " << k;
  }
}

TEST_P(MixedRun, adjoint_on_idas_agrees_with_difference_quotients) {
  bool linear = GetParam();
  hand.horizon(0.3, 1.5), hand.parameter(2, 1.2);
  hand.build();
  ReducedModel model(hand.problem, hand.model);
  Segment segment(model, {.rtol = 1e-11, .linear_control = linear, .idas = true}),
      by_cvodes(model, {.rtol = 1e-11, .linear_control = linear});
  Eigen::MatrixXd expected = quotients(by_cvodes, model);
  constexpr double close = 2e-7;  // as above
  Eigen::Index controls = linear ? 4 : 2;
  auto column = [&](Eigen::Index k) { return k < 2 + controls ? k : k - 2 - controls + 6; };
  end(input, segment, model);
  for (Eigen::Index i = 0; i < 4; ++i) {
    std::vector<double> lambda(2), weight(2), gradient(segment.inputs());
    (i < 2 ? lambda[static_cast<std::size_t>(i)] : weight[static_cast<std::size_t>(i - 2)]) = 1;
    ASSERT_TRUE(segment.adjoint(lambda, weight, gradient));
    for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(lambda[k], expected(i, static_cast<Eigen::Index>(k)), close);
    gradient = through_times(gradient);
    for (std::size_t k = 0; k < gradient.size(); ++k)
      EXPECT_NEAR(gradient[k], expected(i, column(2 + static_cast<Eigen::Index>(k))), close) << i << " by input " << k;
  }
}

TEST_P(MixedRun, second_derivatives_agree_with_differences_of_the_adjoint) {
  bool linear = GetParam();
  hand.horizon(0.3, 1.5), hand.parameter(2, 1.2);
  hand.build();
  bolza::testing::HandSecond<MixedWithTwoControls> hessians(hand);
  ReducedModel model(hand.problem, hand.model);
  Segment segment(model, {.rtol = 1e-11, .linear_control = linear});
  const std::vector<double> lambda{0.7, -1.1}, weight{0.4, 0.9};
  std::size_t controls = linear ? 4 : 2, n = 2 + segment.inputs();
  // x, u left, (u right), startTime, finalTime, p, begin, length
  std::vector<double> at{0.7, -0.4, 0.5, 0.2, 0.3, 1.5, 1.2, 0.9, 0.6};
  if (linear) at.insert(at.begin() + 4, {-0.3, 0.6});
  auto u = [&](const std::vector<double>& v, std::size_t first) { return std::span(v).subspan(first, 2); };
  auto go_to = [&](const std::vector<double>& v) {
    model.at().shared = {v[2 + controls], v[3 + controls], v[4 + controls]};
    return SegmentTimes{v[5 + controls], v[6 + controls]};
  };
  auto gradient = [&](const std::vector<double>& v) {
    std::vector<double> x{v[0], v[1]}, q(2), l = lambda, by(segment.inputs());
    EXPECT_TRUE(segment.forward(go_to(v), u(v, 2), u(v, linear ? 4 : 2), x, q));
    EXPECT_TRUE(segment.adjoint(l, weight, by));
    l.insert(l.end(), by.begin(), by.end());
    return Eigen::VectorXd(Eigen::Map<Eigen::VectorXd>(l.data(), static_cast<Eigen::Index>(l.size())));
  };
  auto m = static_cast<Eigen::Index>(n);
  Segment::Directions d{Eigen::MatrixXd::Identity(2, m), Eigen::MatrixXd::Zero(2, m), Eigen::MatrixXd::Zero(m - 2, m), {}};
  d.direct.rightCols(m - 2).setIdentity();
  ASSERT_TRUE(segment.has_second());
  Eigen::MatrixXd lambda_dot = Eigen::MatrixXd::Zero(2, m), gradient_dot, H(m, m);
  ASSERT_TRUE(segment.second(go_to(at), u(at, 2), u(at, linear ? 4 : 2), std::span(at).first(2), d, lambda, weight, {},
                             lambda_dot, gradient_dot));
  H << lambda_dot, gradient_dot;
  for (Eigen::Index k = 0; k < m; ++k) {
    constexpr double h = 2e-3;
    auto side = [&](double step) {
      std::vector<double> v = at;
      v[static_cast<std::size_t>(k)] += step;
      return gradient(v);
    };
    Eigen::VectorXd quotient = (8 * (side(h) - side(-h)) - (side(2 * h) - side(-2 * h))) / (12 * h);
    // gradients to about 1e-10, over the step
    EXPECT_LT((H.col(k) - quotient).cwiseAbs().maxCoeff(), 1e-6) << "by " << k;
  }
  EXPECT_LT((H - H.transpose()).cwiseAbs().maxCoeff(), 1e-8) << "symmetric to the tolerance of the integration";
}

INSTANTIATE_TEST_SUITE_P(Controls, MixedRun, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "linear" : "constant"; });

}  // namespace
}  // namespace bolza::integrate
