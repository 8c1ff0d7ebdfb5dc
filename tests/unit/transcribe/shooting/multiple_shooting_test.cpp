// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/shooting/multiple_shooting.h"

#include <gtest/gtest.h>

#include <cmath>

#include "runtime/integrate/method_table.h"
#include "runtime/transcribe/collocation/solve.h"
#include "runtime/transcribe/shooting/single_shooting.h"
#include "tests/unit/transcribe/known_problems.h"
#include "tests/unit/transcribe/shooting/derivative_check.h"

namespace bolza::transcribe {
namespace {

std::vector<std::string> discrete_methods() {
  std::vector<std::string> names{"cvodes"};
  for (const integrate::Method* m : integrate::methods())
    if (m->discrete()) names.emplace_back(m->name);
  return names;
}

/// A pendulum of length and final time to be found, with an integral, a path constraint and an initial equation that bend.
bolza::testing::Problem bent_pendulum() {
  using bolza::testing::HandProblem;
  auto h = std::make_unique<HandProblem>();
  bolza_function* rates = h->function<[](auto* w, auto* p, auto* r) {
    r[0] = w[2], r[1] = w[3] - p[2] * sin(w[1]) + 0.1 * cos(w[0]), r[2] = w[1] * w[1] * p[2] + w[3] * w[3] * w[2];
  },
                                      4, 3, 0, 3>("rates");
  bolza_function* path = h->function<[](auto* w, auto* p, auto* r) { r[0] = w[1] * w[3] + p[2] * w[0] * w[2]; }, 4, 3, 0, 1>(
      "path", nullptr, {bolza_row{"path", {"hand.mop", 7, 3}, -8, 8}});
  bolza_function* initial =
      h->function<[](auto* w, auto* p, auto* r) { r[0] = w[1] * w[1] - p[2] * w[2]; }, 4, 3, 0, 1>("initial");
  h->model({{HandProblem::guessed("x", 0.8), HandProblem::guessed("v", 0.4)}, {}, {HandProblem::variable("u", -3, 3)}, {}},
           rates, path, initial, nullptr, {0, 1, 1});
  h->parameters({bolza::testing::given("t0", 0.1), HandProblem::guessed("tf", 1.6, 0.5, 5), HandProblem::guessed("p", 1.3)});
  h->phase(0, {0, 1, 2});
  std::int32_t end = h->place(0, 0, 1), between = h->place(0, 0.5, 0.5);
  h->value(BOLZA_STATE, end, 0), h->value(BOLZA_INTEGRAL, 0, 0), h->value(BOLZA_RATE, between, 1),
      h->value(BOLZA_CONTROL, end, 0);
  h->point(h->function<[](auto* v, auto* p, auto* r) {
    r[0] = v[0] * v[0] * p[2] + v[1] * v[1] + p[1], r[1] = v[2] * v[0] - v[3] * v[3], r[2] = v[1] * v[0];
  },
                       4, 3, 0, 3>("point"),
           2);
  h->problem.maximize = 1;
  return h;
}

class MultipleShootingOn : public ::testing::TestWithParam<std::tuple<std::string, bool>> {};

TEST_P(MultipleShootingOn, has_derivatives_that_agree_with_difference_quotients) {
  auto hand = bent_pendulum();
  TranscribeOptions options;
  options.mesh = 3, options.control_constant = std::get<1>(GetParam());
  bool continuous = std::get<0>(GetParam()) == "cvodes";  // derivatives of steps are exact at any tolerance
  MultipleShooting shooting(hand->problem, options,
                            {.rtol = continuous ? 1e-10 : 1e-4, .integrator = std::get<0>(GetParam())}, nullptr);
  if (!shooting.objection().empty()) GTEST_SKIP() << shooting.objection();  // Taylor: the kernels here have no series
  bolza::testing::ShootingDerivatives(shooting).compare(continuous ? 2e-6 : 1e-7, continuous ? 2e-5 : 1e-6);
}

INSTANTIATE_TEST_SUITE_P(EveryIntegrator, MultipleShootingOn,
                         ::testing::Combine(::testing::ValuesIn(discrete_methods()), ::testing::Bool()),
                         [](const auto& info) {
                           return std::get<0>(info.param) + (std::get<1>(info.param) ? "_constant" : "_linear");
                         });

TEST(MultipleShooting, finds_the_optimum_of_single_shooting_and_costates) {
  auto hand = bolza::testing::catalyst_mixing();
  TranscribeOptions options;
  options.mesh = 10;
  ShootingOptions dopri5{.rtol = 1e-10, .integrator = "dopri5"};
  abi::Solution many = solve_multiple_shooting(hand->problem, options, dopri5);
  ASSERT_EQ(many.status, abi::SolveStatus::solved);
  abi::Solution one = solve_single_shooting(hand->problem, options, dopri5, &many);
  ASSERT_EQ(one.status, abi::SolveStatus::solved);
  EXPECT_NEAR(many.objective, one.objective, 1e-7);
  ASSERT_EQ(many.phases[0].trajectories.costate.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {  // at the start they are the derivatives of the optimum by the initial state
    bolza_variable& x = hand->state(0, i);
    double h = 1e-3, start = x.start;
    auto optimum = [&](double at) {
      x.start = at;
      return solve_multiple_shooting(hand->problem, options, dopri5, &many).objective;
    };
    double expected = (optimum(start + h) - optimum(start - h)) / (2 * h);
    x.start = start;
    EXPECT_NEAR(many.phases[0].trajectories.costate[i][0], expected, 1e-4);  // h² and the tolerance over h
  }
}

TEST(MultipleShooting, finds_the_optimum_of_collocation_with_the_same_controls) {
  for (auto make : {bolza::testing::goddard, bolza::testing::catalyst_mixing}) {
    auto hand = make();
    TranscribeOptions options;
    options.mesh = 20, options.control_constant = true, options.points = 4;
    abi::Solution collocation = solve(hand->problem, options);
    abi::Solution shooting = solve_multiple_shooting(hand->problem, options, {.integrator = "dopri5"});
    ASSERT_EQ(collocation.status, abi::SolveStatus::solved);
    ASSERT_EQ(shooting.status, abi::SolveStatus::solved);
    EXPECT_NEAR(shooting.objective, collocation.objective, 1e-6);
  }
}

TEST(MultipleShooting, has_the_same_bits_on_any_number_of_threads) {
  auto hand = bolza::testing::goddard();
  TranscribeOptions options;
  options.mesh = 5, options.control_constant = true, options.nlp.tol = 1e-6;
  abi::Solution one = solve_multiple_shooting(hand->problem, options);
  for (unsigned threads : {2u, 3u, 16u}) {
    options.threads = threads;
    abi::Solution more = solve_multiple_shooting(hand->problem, options);
    EXPECT_EQ(one.objective, more.objective) << threads << " threads";
    EXPECT_EQ(one.statistics.iterations, more.statistics.iterations);
    EXPECT_EQ(one.phases[0].trajectories.x, more.phases[0].trajectories.x);
    EXPECT_EQ(one.phases[0].trajectories.costate, more.phases[0].trajectories.costate);
  }
}

}  // namespace
}  // namespace bolza::transcribe
