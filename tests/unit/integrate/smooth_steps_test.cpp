// Derivatives that count how the lengths of steps move, against differences of the objective with the steps chosen anew.
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/integrate/segment.h"
#include "tests/unit/support/hand_second.h"
#include "tests/unit/support/known_models.h"

namespace bolza::integrate {
namespace {

using bolza::testing::HandProblem;
using bolza::testing::HandSecond;
using Eigen::Index;

struct Mixed : bolza::testing::Mixed {  // faster
  template <class T>
  static void rates(const T* w, const T* p, T* r) {
    r[0] = w[3] * p[2] - w[1] + sin(w[0] * T(4)) * w[4];
    r[1] = w[1] * w[2] * T(0.3) - w[2] * T(6) + w[4] * w[4] + p[1] * T(0.1);
    r[2] = w[1] * w[1] + w[4] * w[4] * w[0];
  }
};

// first: 0: the default; else a first attempt that is rejected
void compare(const char* name, double first, bool linear) {
  SCOPED_TRACE(std::string(name) + (first > 0 ? " with rejected attempts" : ""));
  HandProblem<Mixed> hand;
  hand.horizon(0.3, 1.5), hand.parameter(2, 1.2);
  HandSecond<Mixed> second(hand);
  hand.build();
  ReducedModel model(hand.problem, hand.model);
  SegmentOptions o{.rtol = 1e-4, .linear_control = linear, .method = find_method(name)};
  o.method_options.steps = "smooth", o.method_options.initial_step = first;
  Segment segment(model, o);
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
  std::vector<double> quotient(input.size());
  for (std::size_t k = 0; k < input.size(); ++k) {
    auto at = [&](double by) {
      std::vector<double> v = input;
      v[k] += by;
      return objective(v);
    };
    const double h = 1e-5;  // the steps are chosen anew: rounding 1e-16/h, truncation h⁴
    quotient[k] = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
  }
  objective(input);
  std::vector<double> lambda{1, 1.5}, weight{0.7}, gradient(segment.inputs()), samples{1, 0.5}, at_samples;
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
    EXPECT_NEAR(gradient[k], tangent, 1e-10 * size) << "input " << k;
    EXPECT_NEAR(gradient[k], quotient[k], 1e-8 * size) << "input " << k;
  }
}

TEST(SmoothSteps, their_lengths_take_part_in_the_gradient) {
  for (const char* name : {"adams", "enright", "enright_semi"})
    for (bool linear : {false, true}) compare(name, 0, linear);
}

TEST(SmoothSteps, attempts_that_were_rejected_take_part) {
  for (const char* name : {"adams", "enright", "enright_semi"}) compare(name, 0.4, true);
}

// The same gradient in the end: what the lengths add goes with the error of the steps.
TEST(SmoothSteps, the_gradient_converges_to_that_of_the_equations) {
  HandProblem<Mixed> hand;
  hand.horizon(0.3, 1.5), hand.parameter(2, 1.2);
  HandSecond<Mixed> second(hand);
  hand.build();
  ReducedModel model(hand.problem, hand.model);
  model.at().shared = hand.shared;
  auto gradient_of = [&](const char* steps, double rtol) {
    SegmentOptions o{.rtol = rtol, .method = find_method("adams")};
    o.method_options.steps = steps;
    Segment segment(model, o);
    std::vector<double> x{0.7, -0.4}, q{0}, u{0.5}, lambda{1, 1.5}, gradient(segment.inputs());
    EXPECT_TRUE(segment.forward({0.4, 0.9}, u, u, x, q));
    EXPECT_TRUE(segment.adjoint(lambda, std::vector<double>{0.7}, gradient));
    return lambda[0];
  };
  double exact = gradient_of("frozen", 1e-10);
  EXPECT_NEAR(gradient_of("smooth", 1e-3), exact, 0.05) << "of the numbers computed, with their error";
  EXPECT_NEAR(gradient_of("smooth", 1e-8), exact, 1e-6) << "which goes with the tolerance";
}

}  // namespace
}  // namespace bolza::integrate
