// SPDX-License-Identifier: Apache-2.0
// Adjoint, tangent and difference quotients of one functional of a segment over a Mixed model, held against each other.
#pragma once
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/integrate/segment/segment.h"

namespace bolza::testing {

/// How far differences go, and what is expected: each relative to the larger of 1 and the derivative.
struct DerivativeTolerances {
  double step = 2e-4;      ///< of differences of fourth order
  double tangent = 1e-11;  ///< of the adjoint's difference to the tangent
  double quotient = 1e-9;  ///< to the differences
  bool hold_steps = true;  ///< differences repeat the steps of the first run; else they choose them again
};

/// J = x1 + 1.5 x2 + 0.7 Q at the end over all inputs: x(begin), u left, (u right,) startTime, finalTime, p, begin, length.
inline void compare_derivatives(integrate::ReducedModel& model, integrate::Segment& segment, bool linear,
                                const DerivativeTolerances& expected) {
  using Eigen::Index;
  std::size_t controls = segment.controls();
  std::vector<double> input{0.7, -0.4, 0.5};
  if (linear) input.push_back(-0.3);
  for (double v : {0.3, 1.5, 1.2, 0.4, 0.9}) input.push_back(v);
  auto times = [&](const std::vector<double>& v) { return integrate::SegmentTimes{v[5 + controls], v[6 + controls]}; };
  auto left = [&](const std::vector<double>& v) { return std::span(v).subspan(2, 1); };
  auto right = [&](const std::vector<double>& v) { return std::span(v).subspan(linear ? 3 : 2, 1); };
  auto objective = [&](const std::vector<double>& v) {
    model.at().shared = {v[2 + controls], v[3 + controls], v[4 + controls]};
    std::vector<double> x{v[0], v[1]}, q{0};
    EXPECT_TRUE(segment.forward(times(v), left(v), right(v), x, q));
    return x[0] + 1.5 * x[1] + 0.7 * q[0];
  };
  objective(input);
  segment.repeat_steps(expected.hold_steps);
  std::vector<double> quotient(input.size());
  for (std::size_t k = 0; k < input.size(); ++k) {
    auto at = [&](double by) {
      std::vector<double> v = input;
      v[k] += by;
      return objective(v);
    };
    double h = expected.step;
    quotient[k] = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
  }
  objective(input);
  std::vector<double> lambda{1, 1.5}, weight{0.7}, gradient(segment.inputs()), samples{1, 0.5}, at_samples;
  ASSERT_TRUE(segment.adjoint(lambda, weight, gradient, samples, &at_samples));
  EXPECT_EQ(at_samples.size(), 4u);
  gradient.insert(gradient.begin(), lambda.begin(), lambda.end());
  Index m = static_cast<Index>(input.size());
  integrate::Segment::Directions d;
  d.x = Eigen::MatrixXd::Identity(2, m), d.q = Eigen::MatrixXd::Zero(1, m), d.direct = Eigen::MatrixXd::Zero(m - 2, m);
  d.direct.rightCols(m - 2).setIdentity();
  std::vector<double> x{input[0], input[1]}, q{0};
  ASSERT_TRUE(segment.tangent(times(input), left(input), right(input), x, q, d));
  for (std::size_t k = 0; k < input.size(); ++k) {
    Index c = static_cast<Index>(k);
    double size = std::max(1.0, std::fabs(quotient[k])), tangent = d.x(0, c) + 1.5 * d.x(1, c) + 0.7 * d.q(0, c);
    EXPECT_NEAR(gradient[k], tangent, expected.tangent * size) << "input " << k;
    EXPECT_NEAR(gradient[k], quotient[k], expected.quotient * size) << "input " << k;
  }
}

}  // namespace bolza::testing
