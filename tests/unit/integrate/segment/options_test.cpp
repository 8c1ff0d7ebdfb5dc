// SPDX-License-Identifier: Apache-2.0
// What options say of the steps of CVODES and IDAS holds for gradients too: forward, sensitivities, and backward.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "runtime/integrate/segment/segment.h"
#include "tests/unit/support/hand_model.h"

namespace bolza::integrate {
namespace {

using bolza::testing::HandProblem;
using bolza::testing::NoFunctions;
using Eigen::MatrixXd;

long evaluations_by_options = 0;

// x' = −p x + cos t, Q = ∫ x²
struct DrivenForOptions : NoFunctions {
  static constexpr std::size_t nq = 1, np = 3;
  template <class T>
  static void rates(const T* w, const T* p, T* r) {
    using std::cos;
    ++evaluations_by_options;
    r[0] = cos(w[0]) - p[2] * w[1], r[1] = w[1] * w[1];
  }
};

struct Counts {
  long forward = 0, tangent = 0, backward = 0;
  double by_p = 0, tangent_by_p = 0;
};

/// Evaluations of each kind of run over some seconds. False results fail the test.
Counts count(bool idas, const MethodOptions& o, double length = 4) {
  HandProblem<DrivenForOptions> hand;
  hand.horizon(0, length), hand.parameter(2, 1.3);
  hand.build();
  ReducedModel model(hand.problem, hand.model);
  model.at().shared = hand.shared;
  Segment segment(model, {.rtol = 1e-7, .idas = idas, .method_options = o});
  auto inputs = static_cast<Eigen::Index>(segment.inputs());
  Counts out;
  std::vector<double> x{1}, q{0}, lambda{1}, gradient(segment.inputs());
  Segment::Directions d{MatrixXd::Zero(1, 1), MatrixXd::Zero(1, 1), MatrixXd::Zero(inputs, 1), {1}, {}};
  d.direct(2, 0) = 1;
  evaluations_by_options = 0;
  EXPECT_TRUE(segment.tangent({0, length}, {}, {}, x, q, d));
  out.tangent = evaluations_by_options, out.tangent_by_p = d.x(0, 0) + d.q(0, 0);
  x = {1}, q = {0}, evaluations_by_options = 0;
  EXPECT_TRUE(segment.forward({0, length}, {}, {}, x, q));
  out.forward = evaluations_by_options, evaluations_by_options = 0;
  EXPECT_TRUE(segment.adjoint(lambda, std::vector<double>{1}, gradient));
  out.backward = evaluations_by_options, out.by_p = gradient[2];
  return out;
}

class SegmentOptionsOn : public ::testing::TestWithParam<bool> {};

TEST_P(SegmentOptionsOn, the_longest_step_is_kept_in_seconds) {
  MethodOptions o;
  o.max_step = 0.004;  // a thousand
  Counts plain = count(GetParam(), {}), limited = count(GetParam(), o);
  for (auto kind : {&Counts::forward, &Counts::tangent, &Counts::backward}) {
    EXPECT_LT(plain.*kind, 1000);
    EXPECT_GE(limited.*kind, 1000);
  }
  EXPECT_NEAR(plain.by_p, limited.by_p, 1e-5);
  EXPECT_NEAR(plain.by_p, plain.tangent_by_p, 1e-5);
}

TEST_P(SegmentOptionsOn, the_highest_order_is_kept) {
  MethodOptions o;
  o.max_order = 1;
  Counts plain = count(GetParam(), {}), limited = count(GetParam(), o);
  for (auto kind : {&Counts::forward, &Counts::tangent, &Counts::backward}) EXPECT_GT(limited.*kind, 5 * (plain.*kind));
}

TEST_P(SegmentOptionsOn, the_first_step_is_taken_in_both_directions) {
  MethodOptions o;
  o.initial_step = 1e-16;
  Counts plain = count(GetParam(), {}, 1e-4), tiny = count(GetParam(), o, 1e-4);  // a few steps, among which they are seen
  for (auto kind : {&Counts::forward, &Counts::tangent, &Counts::backward}) EXPECT_GT(tiny.*kind, plain.*kind);
  o.initial_step = 1e-13;
  EXPECT_NEAR(count(GetParam(), {}).by_p, count(GetParam(), o).by_p, 1e-5);
}

TEST_P(SegmentOptionsOn, integrals_choose_no_steps_where_they_are_not_tested) {
  MethodOptions o;
  o.quadrature_error_control = 0;
  Counts plain = count(GetParam(), {}), untested = count(GetParam(), o);
  EXPECT_NE(plain.forward, untested.forward);
  EXPECT_NE(plain.tangent, untested.tangent);
  EXPECT_NE(plain.backward, untested.backward);
}

TEST_P(SegmentOptionsOn, matrices_are_of_the_form_that_is_asked_for) {
  for (const char* kind : {"dense", "band", "klu"}) {
    MethodOptions o;
    o.linear_solver = kind;
    Counts plain = count(GetParam(), {}), other = count(GetParam(), o);
    EXPECT_NEAR(plain.by_p, other.by_p, 1e-9) << kind;
    EXPECT_NEAR(plain.tangent_by_p, other.tangent_by_p, 1e-9) << kind;
  }
}

INSTANTIATE_TEST_SUITE_P(Integrators, SegmentOptionsOn, ::testing::Values(false, true),
                         [](const auto& info) { return std::string(info.param ? "idas" : "cvodes"); });

}  // namespace
}  // namespace bolza::integrate
