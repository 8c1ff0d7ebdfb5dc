// SPDX-License-Identifier: Apache-2.0
// Runs too long for the checkpoints of SUNDIALS' adjoint module: bounded memory, the same gradients.
#include "runtime/integrate/segment/adjoint_pieces.h"

#include <gtest/gtest.h>

#include <cmath>

#include "runtime/integrate/segment/segment.h"
#include "tests/unit/support/allocated.h"
#include "tests/unit/support/hand_second.h"
#include "tests/unit/support/known_models.h"

namespace bolza::integrate {
namespace {

using bolza::testing::allocated;
using bolza::testing::HandProblem;
using bolza::testing::HandSecond;
using bolza::testing::NoFunctions;

// Steps of 1/1000; the numbers are the time and how often a start was made.
struct Steps {
  double s = 0;
  std::vector<std::pair<double, double>> begins;
  AdjointPieces::Run run() {
    return {.begin =
                [this](double at, std::span<const double> numbers) {
                  begins.emplace_back(at, numbers[0]), s = at;
                  return true;
                },
            .step =
                [this](double& to) {
                  s = std::round(s * 1000 + 1) / 1000, to = s;
                  return true;
                },
            .numbers = [this](std::vector<double>& numbers) { numbers = {s}; }};
  }
};

TEST(AdjointPieces, a_long_run_is_divided_and_its_pieces_come_back_from_the_last_to_the_first) {
  for (const char* storage : {"memory", "disk"}) {
    MethodOptions o;
    o.checkpoint_steps = 10, o.checkpoint_memory = 0.02, o.checkpoint_storage = storage;  // a piece is 250 steps at least
    AdjointPieces pieces(o, 1, 8);
    Steps steps;
    ASSERT_TRUE(pieces.forward(steps.run(), {0}, 5000));
    ASSERT_EQ(pieces.count(), 4u);
    for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(pieces.begin_of(k), 0.25 * static_cast<double>(k));
    for (int again : {0, 1}) {
      steps.begins.clear();
      std::vector<double> back;
      ASSERT_TRUE(pieces.backward(steps.run(), [&](double s) { return back.push_back(s), steps.s > s; }));
      ASSERT_EQ(back.size(), 4u);
      EXPECT_EQ(back.front(), 0.75);
      EXPECT_EQ(back.back(), 0);
      EXPECT_EQ(steps.begins.size(), again ? 4u : 3u) << "the last one is still on record the first time";
      for (auto [at, number] : steps.begins) EXPECT_EQ(at, number);
    }
    EXPECT_FALSE(pieces.forward(steps.run(), {0}, 900)) << "too many steps";
  }
}

TEST(AdjointPieces, a_short_run_is_one_piece) {
  AdjointPieces pieces({}, 3, 8);
  Steps steps;
  ASSERT_TRUE(pieces.forward(steps.run(), {0}, 5000));
  EXPECT_EQ(pieces.count(), 1u);
  EXPECT_EQ(pieces.steps_between(), 500);
}

// x' = −x + p cos ωt, Q = ∫ x²: steps as short as the period, whatever becomes of x.
constexpr double omega = 300;
double peak = 0;
long evaluations = 0;
struct Driven : NoFunctions {
  static constexpr std::size_t nq = 1, np = 3;
  template <class T>
  static void rates(const T* w, const T* p, T* r) {
    using std::cos;
    r[0] = p[2] * cos(T(omega) * w[0]) - w[1], r[1] = w[1] * w[1];
    if (++evaluations % 2000 == 0) peak = std::max(peak, allocated());
  }
};

// J = x + 0.7 Q, x(begin) and p moved a little the second time: λ, gradient, λ at samples, values.
std::vector<double> gradient(bool idas, const MethodOptions& o) {
  HandProblem<Driven> hand;
  hand.horizon(0, 1), hand.parameter(2, 0.8);
  hand.build();
  ReducedModel model(hand.problem, hand.model);
  model.at().shared = hand.shared;
  Segment segment(model, {.rtol = 1e-7, .max_steps = 100000, .idas = idas, .method_options = o});
  std::vector<double> out;
  for (double by : {0.0, 0.1}) {
    model.at().shared[2] = 0.8 + by;
    std::vector<double> x{1.5 + by}, q{0};
    EXPECT_TRUE(segment.forward({0, 1}, {}, {}, x, q));
    for (int again : {0, 1}) {
      std::vector<double> lambda{1.0 + again}, weight{0.7}, g(segment.inputs()), samples{1, 0.7, 0.5, 0.1}, at_samples;
      EXPECT_TRUE(segment.adjoint(lambda, weight, g, samples, &at_samples));
      for (const auto* v : {&lambda, &g, &at_samples}) out.insert(out.end(), v->begin(), v->end());
    }
    out.insert(out.end(), {x[0], q[0]});
  }
  return out;
}

TEST(AdjointPieces, gradients_on_cvodes_and_idas_are_those_of_the_undivided_run) {
  for (bool idas : {false, true}) {
    std::vector<double> whole = gradient(idas, {});
    MethodOptions memory, disk;
    memory.checkpoint_memory = 0.001, memory.checkpoint_interpolation = "hermite";
    disk.checkpoint_memory = 0.001, disk.checkpoint_steps = 70, disk.checkpoint_storage = "disk";
    for (const MethodOptions& o : {memory, disk}) {
      std::vector<double> divided = gradient(idas, o);
      ASSERT_EQ(divided.size(), whole.size());
      // The integrations' tolerance, 1e-7, and what a thousand steps make of it; derivatives by times are ω as large.
      for (std::size_t k = 0; k < whole.size(); ++k)
        EXPECT_NEAR(divided[k], whole[k], 1e-4 * std::max(1.0, std::fabs(whole[k])))
            << (idas ? "idas" : "cvodes") << ", number " << k;
    }
  }
}

// The most that a run and its adjoint hold, and dx(T)/dp.
std::pair<double, double> long_run(bool idas, double memory, const char* storage) {
  constexpr double T = 25;
  HandProblem<Driven> hand;
  hand.horizon(0, T), hand.parameter(2, 0.8);
  hand.build();
  ReducedModel model(hand.problem, hand.model);
  model.at().shared = hand.shared;
  SegmentOptions o{.rtol = 1e-6, .max_steps = 2000000, .idas = idas};
  o.method_options.checkpoint_memory = memory, o.method_options.checkpoint_storage = storage;
  double before = allocated();
  peak = before;
  Segment segment(model, o);
  std::vector<double> x{1.5}, q{0}, lambda{1}, by(segment.inputs());
  EXPECT_TRUE(segment.forward({0, T}, {}, {}, x, q));
  EXPECT_TRUE(segment.adjoint(lambda, std::vector<double>{0}, by));
  EXPECT_NEAR(lambda[0], std::exp(-T), 1e-4);
  double exact = (std::cos(omega * T) + omega * std::sin(omega * T) - std::exp(-T)) / (1 + omega * omega);
  EXPECT_NEAR(by[2], exact, 1e-4);
  return {peak - before, by[2]};
}

TEST(AdjointPieces, memory_does_not_grow_with_the_steps) {
  for (bool idas : {false, true}) {
    auto [all, whole] = long_run(idas, 64, "memory");
    for (const char* storage : {"memory", "disk"}) {
      auto [few, divided] = long_run(idas, 0.2, storage);
      EXPECT_LT(few, 0.35e6) << (idas ? "idas" : "cvodes");
      EXPECT_GT(all, 2 * few) << "or the run is too short to say anything";
      EXPECT_NEAR(divided, whole, 1e-4);
    }
  }
}

// How λ(0) and the gradient of Q move along x(0) and p, and the most that it takes.
std::pair<Eigen::MatrixXd, double> second(bool idas, double T, const MethodOptions& o) {
  HandProblem<Driven> hand;
  HandSecond<Driven> hessians(hand);
  hand.horizon(0, T), hand.parameter(2, 0.8);
  hand.build();
  ReducedModel model(hand.problem, hand.model);
  model.at().shared = hand.shared;
  Segment segment(model, {.rtol = 1e-6, .max_steps = 2000000, .idas = idas, .method_options = o});
  peak = allocated();
  double before = peak;
  auto inputs = static_cast<Eigen::Index>(segment.inputs());
  Eigen::MatrixXd both;
  for (int again : {0, 1}) {
    Segment::Directions d{
        Eigen::MatrixXd::Zero(1, 2), Eigen::MatrixXd::Zero(1, 2), Eigen::MatrixXd::Zero(inputs, 2), {1, 1}, {}};
    d.x(0, 0) = 1, d.direct(2, 1) = 1;
    Eigen::MatrixXd lambda_dot = Eigen::MatrixXd::Zero(1, 2), gradient_dot, out(1 + inputs, 2);
    EXPECT_TRUE(segment.second({0, T}, {}, {}, std::vector<double>{1.5}, d, std::vector<double>{0}, std::vector<double>{1},
                               {}, lambda_dot, gradient_dot));
    out << lambda_dot, gradient_dot;
    if (again) {
      EXPECT_LT((out - both).norm(), 1e-3 * both.norm()) << "derivatives by times are ω as large";
    }
    both = out;
  }
  return {both, peak - before};
}

TEST(AdjointPieces, second_derivatives_on_cvodes_and_idas_are_those_of_the_undivided_run_in_bounded_memory) {
  constexpr double T = 0.4;  // some 1500 steps
  for (bool idas : {false, true}) {
    SCOPED_TRACE(idas ? "idas" : "cvodes");
    auto [whole, all] = second(idas, T, {});
    // Q = ∫ x², x = x(0) e⁻ᵗ + p (…): twice the integral of e⁻²ᵗ
    EXPECT_NEAR(whole(0, 0), 1 - std::exp(-2 * T), 1e-4);
    EXPECT_NEAR(whole(0, 1), whole(3, 0), 1e-4) << "symmetric";
    for (const char* storage : {"memory", "disk"}) {
      MethodOptions o;
      o.checkpoint_memory = 0.1, o.checkpoint_storage = storage;
      auto [divided, few] = second(idas, T, o);
      EXPECT_LT((divided - whole).norm(), 1e-3 * whole.norm()) << storage;
      EXPECT_LT(few, 0.35e6);
      EXPECT_GT(all, 2 * few) << "or the run is too short to say anything";
    }
  }
}

}  // namespace
}  // namespace bolza::integrate
