// SPDX-License-Identifier: Apache-2.0
// A budget that ends while a segment is integrated: forwards, backwards, with sensitivities, by every kind of integration.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "runtime/integrate/method_table.h"
#include "runtime/integrate/segment/segment.h"
#include "tests/unit/support/hand_second.h"

namespace bolza::integrate {
namespace {

using bolza::testing::HandProblem;
using bolza::testing::NoFunctions;

/// Somebody interrupts at an evaluation of the rates, values or derivatives.
struct Interrupter {
  static inline int evaluations = 0, at = 0;
  static inline volatile bool flag = false;
  static void begin(int when) {
    evaluations = 0;
    at = when;
    flag = false;
  }
  static void count() {
    if (++evaluations == at) flag = true;
  }
};

/// A pendulum that is pushed, far too many swings for a few evaluations.
struct Swinging : NoFunctions {
  static constexpr std::size_t nx = 2, nu = 1, nq = 1, np = 3;
  template <class T>
  static void rates(const T* w, const T* p, T* r) {
    using std::sin;
    Interrupter::count();
    r[0] = w[2];
    r[1] = w[3] - p[2] * sin(w[1]);
    r[2] = w[1] * w[1];
  }
};

class Interrupted : public ::testing::TestWithParam<const char*> {
 protected:
  Interrupted() {
    hand_.horizon(0, end);
    hand_.parameter(2, 1.5);
    hand_.build();
    model_ = std::make_unique<ReducedModel>(hand_.problem, hand_.model);
    model_->at().shared = hand_.shared;
    std::string name = GetParam();
    SegmentOptions options{.rtol = 1e-9, .idas = name == "idas", .budget = Budget(&Interrupter::flag)};
    if (name != "idas" && name != "cvodes") options.method = find_method(name);
    segment_ = std::make_unique<Segment>(*model_, options);
  }

  bool forward() {
    std::vector<double> x{1, 0}, q{0}, u{0.1};
    return segment_->forward({0, end}, u, {}, x, q);
  }
  bool adjoint() {
    std::vector<double> lambda{1, 0}, weight{1}, gradient(segment_->inputs());
    return segment_->adjoint(lambda, weight, gradient);
  }
  bool tangent() {
    std::vector<double> x{1, 0}, q{0}, u{0.1};
    Segment::Directions d{Eigen::MatrixXd::Identity(2, 2),
                          Eigen::MatrixXd::Zero(1, 2),
                          Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(segment_->inputs()), 2),
                          {},
                          {}};
    return segment_->tangent({0, end}, u, {}, x, q, d);
  }

  /// Evaluations of a run that nobody interrupts, and of one that is. One that repeats steps needs fewer than the first.
  void expect_to_end_early(const std::function<bool()>& run) {
    constexpr int in_a_step = 60;  // with its iterations, and where derivatives are many evaluations
    Interrupter::begin(0);
    ASSERT_TRUE(run());
    int all = Interrupter::evaluations;
    ASSERT_GT(all, 4 * in_a_step);
    Interrupter::begin(all / 4);
    EXPECT_FALSE(run()) << Interrupter::evaluations << " of " << all;
    EXPECT_LT(Interrupter::evaluations, all / 4 + in_a_step);
    Interrupter::begin(0);
    EXPECT_TRUE(run()) << "what was interrupted can be done again";
  }

  static constexpr double end = 60;
  HandProblem<Swinging> hand_;
  std::unique_ptr<ReducedModel> model_;
  std::unique_ptr<Segment> segment_;
};

TEST_P(Interrupted, ends_within_a_step_forwards) {
  expect_to_end_early([this] { return forward(); });
}

TEST_P(Interrupted, ends_within_a_step_with_sensitivities) {
  expect_to_end_early([this] { return tangent(); });
}

TEST_P(Interrupted, ends_within_a_step_backwards) {
  Interrupter::begin(0);
  ASSERT_TRUE(forward());
  Interrupter::begin(1);
  EXPECT_FALSE(adjoint());
  EXPECT_LT(Interrupter::evaluations, 60);
}

INSTANTIATE_TEST_SUITE_P(Segments, Interrupted, ::testing::Values("cvodes", "idas", "dopri5", "radau5"),
                         [](const auto& info) { return std::string(info.param); });

/// Evaluations at a point, while a budget is watched.
TEST(Watched, evaluations_fail_from_when_the_budget_has_ended_and_only_while_it_is_watched) {
  using Part = nonlinear::ModelAt::Part;
  HandProblem<Swinging> hand;
  hand.horizon(0, 1);
  hand.parameter(2, 1.5);
  nonlinear::ModelAt model(hand.build(), hand.model, hand.shared);
  const double x[] = {1, 0}, u[] = {0.1};
  nonlinear::ModelAt::Point point{0, x, nullptr, u};
  std::vector<double> rows(3);
  nonlinear::Derivative derivative;
  volatile bool interrupt = false;
  Budget budget(&interrupt), none(0.0);
  {
    nonlinear::ModelAt::Watched watched(model, budget);
    ASSERT_TRUE(model.value(Part::rates, point, rows) && model.jacobian(Part::rates, point, {}, derivative));
    interrupt = true;
    EXPECT_FALSE(model.value(Part::rates, point, rows));
    EXPECT_TRUE(model.trouble().text.empty());
    EXPECT_FALSE(model.jacobian(Part::rates, point, {}, derivative));
    EXPECT_TRUE(derivative.value.empty()) << "what was found before is not taken for what is asked";
    {
      Budget unlimited;
      nonlinear::ModelAt::Watched inner(model, unlimited);
      EXPECT_TRUE(model.value(Part::rates, point, rows));
    }
    EXPECT_FALSE(model.value(Part::rates, point, rows)) << "the outer one goes on";
  }
  EXPECT_TRUE(model.value(Part::rates, point, rows));
  nonlinear::ModelAt::Watched over(model, none);
  EXPECT_FALSE(model.value(Part::rates, point, rows));
  EXPECT_FALSE(model.value(Part::rates, point, rows)) << "also between two looks at the clock";
}

}  // namespace
}  // namespace bolza::integrate
