// Segments on every integrator that has derivatives of its own steps: adjoint, tangent and differences with the steps held;
// orders of convergence of the gradients.
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/integrate/segment.h"
#include "tests/unit/support/hand_second.h"
#include "tests/unit/support/hand_series.h"
#include "tests/unit/support/known_models.h"

namespace bolza::integrate {
namespace {

using bolza::testing::HandProblem;
using bolza::testing::HandSecond;
using bolza::testing::HandSeries;
using bolza::testing::Mixed;
using bolza::testing::Reaction;
using Eigen::Index;

std::vector<const Method*> discrete_methods() {
  std::vector<const Method*> out;
  for (const Method* m : methods())
    if (m->discrete()) out.push_back(m);
  return out;
}

class OwnSteps : public ::testing::TestWithParam<std::tuple<const Method*, bool>> {};

// inputs: x(begin), u left, u right, startTime, finalTime, p, begin, length
TEST_P(OwnSteps, adjoint_tangent_and_differences_with_the_steps_held_agree) {
  auto [method, linear] = GetParam();
  HandProblem<Mixed> hand;
  hand.horizon(0.3, 1.5), hand.parameter(2, 1.2);
  HandSecond<Mixed> second(hand);
  HandSeries<Mixed> series(hand);
  hand.build();
  ReducedModel model(hand.problem, hand.model);
  Segment segment(model, {.rtol = 1e-5, .linear_control = linear, .method = method});
  std::size_t controls = segment.controls();
  std::vector<double> input{0.7, -0.4, 0.5};
  if (linear) input.push_back(-0.3);
  for (double v : {0.3, 1.5, 1.2, 0.4, 0.9}) input.push_back(v);
  auto objective = [&](const std::vector<double>& v) {
    model.at().shared = {v[2 + controls], v[3 + controls], v[4 + controls]};
    std::vector<double> x{v[0], v[1]}, q{0};
    std::span<const double> all = v;
    EXPECT_TRUE(
        segment.forward({v[5 + controls], v[6 + controls]}, all.subspan(2, 1), all.subspan(linear ? 3 : 2, 1), x, q));
    return x[0] + 1.5 * x[1] + 0.7 * q[0];
  };
  objective(input);
  segment.repeat_steps(true);
  std::vector<double> quotient(input.size());
  for (std::size_t k = 0; k < input.size(); ++k) {
    auto at = [&](double by) {
      std::vector<double> v = input;
      v[k] += by;
      return objective(v);
    };
    const double h = 2e-4;
    quotient[k] = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
  }
  objective(input);
  std::vector<double> lambda{1, 1.5}, weight{0.7}, gradient(segment.inputs());
  std::vector<double> samples{1, 0.5}, at_samples;
  ASSERT_TRUE(segment.adjoint(lambda, weight, gradient, samples, &at_samples));
  EXPECT_EQ(at_samples.size(), 4u);
  gradient.insert(gradient.begin(), lambda.begin(), lambda.end());
  Segment::Directions d;
  Index m = static_cast<Index>(input.size());
  d.x = Eigen::MatrixXd::Zero(2, m), d.x(0, 0) = d.x(1, 1) = 1;
  d.q = Eigen::MatrixXd::Zero(1, m);
  d.direct = Eigen::MatrixXd::Zero(m - 2, m);
  d.direct.rightCols(m - 2).setIdentity();
  std::vector<double> x{input[0], input[1]}, q{0};
  std::span<const double> all = input;
  ASSERT_TRUE(segment.tangent({input[5 + controls], input[6 + controls]}, all.subspan(2, 1), all.subspan(linear ? 3 : 2, 1),
                              x, q, d));
  for (std::size_t k = 0; k < input.size(); ++k) {
    Index c = static_cast<Index>(k);
    double size = std::max(1.0, std::fabs(quotient[k])), tangent = d.x(0, c) + 1.5 * d.x(1, c) + 0.7 * d.q(0, c);
    EXPECT_NEAR(gradient[k], tangent, 1e-11 * size) << "input " << k;
    EXPECT_NEAR(gradient[k], quotient[k], 1e-9 * size) << "input " << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, OwnSteps, ::testing::Combine(::testing::ValuesIn(discrete_methods()), ::testing::Bool()),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param)->name) +
                                  (std::get<1>(info.param) ? "_linear" : "_constant");
                         });

// Error of the gradient of x(2) by x0 and p, x0 = 1.5, p = 0.8.
double gradient_error(const Method& method, double step) {
  HandProblem<Reaction> hand;
  hand.horizon(0, 2), hand.parameter(2, 0.8);
  HandSecond<Reaction> second(hand);
  HandSeries<Reaction> series(hand);
  hand.build();
  ReducedModel model(hand.problem, hand.model);
  model.at().shared = hand.shared;
  SegmentOptions o{.method = &method, .fixed_step = step};
  if (method.name == "taylor") o.method_options.max_order = 4;
  Segment segment(model, o);
  std::vector<double> x{1.5}, q, lambda{1}, gradient(segment.inputs());
  EXPECT_TRUE(segment.forward({0, 2}, {}, {}, x, q));
  EXPECT_TRUE(segment.adjoint(lambda, {}, gradient));
  double below = 1 + 0.8 * 1.5 * 2, by_x0 = 1 / (below * below), by_p = -1.5 * 1.5 * 2 / (below * below);
  return std::max(std::fabs(lambda[0] - by_x0), std::fabs(gradient[2] - by_p));
}

TEST(OwnSteps, gradients_converge_with_the_order_of_the_method) {
  for (const Method* m : discrete_methods()) {
    int order = m->name == "taylor" ? 4 : m->order_high;
    double h = m->name == "adams" ? 0.02 : order >= 5 ? 0.2 : order >= 4 ? 0.05 : 0.01;
    double observed = std::log2(gradient_error(*m, h) / gradient_error(*m, h / 2));
    EXPECT_GT(observed, order - 0.4) << m->name;  // the next term of the error
  }
}

}  // namespace
}  // namespace bolza::integrate
