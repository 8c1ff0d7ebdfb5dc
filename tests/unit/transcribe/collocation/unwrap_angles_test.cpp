// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/collocation/unwrap_angles.h"

#include <gtest/gtest.h>

#include <cmath>

#include "runtime/transcribe/collocation/solve.h"
#include "tests/unit/transcribe/known_problems.h"

namespace bolza::transcribe {
namespace {

using bolza::testing::given;
using bolza::testing::HandProblem;
using bolza::testing::Problem;

constexpr double span = 3, whole_turn = 6.283185307179586;

/// x' = 0.1 u, min ∫ of the second row.
template <auto Rates>
Problem integral_alone(double least, double most) {
  auto h = std::make_unique<HandProblem>();
  h->model({{HandProblem::started("x", 0)}, {}, {HandProblem::guessed("u", 0.1, least, most)}, {}},
           h->function<Rates, 3, 2, 0, 2>("rates"), nullptr);
  h->parameters({given("t0", 0), given("tf", span)});
  h->phase(0, {0, 1});
  h->value(BOLZA_INTEGRAL, 0, 0);
  h->point(h->function<[](auto* v, auto*, auto* r) { r[0] = 1.0 * v[0]; }, 1, 2, 0, 1>("objective"), 0);
  return h;
}

/// A compass needle behind a turning field: the optimum is the time itself, or turns beside it.
Problem needle(double least, double most) {
  return integral_alone<[](auto* p, auto*, auto* r) {
    using std::cos, std::sin;
    r[0] = cos(p[2]), r[1] = -1.0 * cos(p[2] - p[0]);
  }>(least, most);
}

/// The solution with its controls some turns away, another number of them at every sample.
abi::Solution wrapped(abi::Solution s) {
  std::vector<double>& u = s.phases[0].trajectories.u[0];
  for (std::size_t k = 0; k < u.size(); ++k) u[k] += whole_turn * (static_cast<double>(7 * k % 5) - 2);
  return s;
}

void expect_one_turn(const abi::Solution& s) {
  const abi::Trajectories& y = s.phases[0].trajectories;
  double first = std::round((y.u[0][1] - y.time[1]) / whole_turn);
  for (std::size_t k = 0; k < y.time.size(); ++k) EXPECT_NEAR(y.u[0][k], y.time[k] + whole_turn * first, 1e-4) << y.time[k];
}

class unwrap_angles_of : public ::testing::TestWithParam<const char*> {};

TEST_P(unwrap_angles_of, leaves_one_smooth_control) {
  Problem h = needle(-INFINITY, INFINITY);
  TranscribeOptions options{.transcription = GetParam(), .mesh = 10};
  abi::Solution s = solve(h->problem, options);
  ASSERT_EQ(s.status, abi::SolveStatus::solved);
  expect_one_turn(s);
  abi::Solution guess = wrapped(s);
  ASSERT_GT(std::abs(guess.phases[0].trajectories.u[0][2] - guess.phases[0].trajectories.u[0][1]), 3);
  abi::Solution again = solve(h->problem, options, &guess);
  ASSERT_EQ(again.status, abi::SolveStatus::solved);
  EXPECT_NEAR(again.objective, -span, 1e-8);
  expect_one_turn(again);
}

INSTANTIATE_TEST_SUITE_P(schemes, unwrap_angles_of, ::testing::Values("radau", "gauss", "lobatto", "trapezoidal"),
                         [](const auto& p) { return std::string(p.param); });

TEST(unwrap_angles, stays_within_bounds) {
  Problem h = needle(-4, 9);
  abi::Solution s = solve(h->problem, {.mesh = 10});
  abi::Solution guess = s;
  std::vector<double>& u = guess.phases[0].trajectories.u[0];
  for (std::size_t k = 0; k < u.size(); k += 3) u[k] += u[k] + whole_turn < 9 ? whole_turn : 0;
  abi::Solution again = solve(h->problem, {.mesh = 10}, &guess);
  ASSERT_EQ(again.status, abi::SolveStatus::solved);
  expect_one_turn(again);
  for (double value : again.phases[0].trajectories.u[0]) EXPECT_TRUE(value >= -4 && value <= 9) << value;
}

TEST(unwrap_angles, leaves_other_controls_alone) {
  Problem h = integral_alone<[](auto* p, auto*, auto* r) {
    using std::sin;
    auto away = p[2] - 10.0 * sin(20.0 * p[0]);
    r[0] = 0.1 * p[2], r[1] = away * away;
  }>(-INFINITY, INFINITY);
  abi::Solution s = solve(h->problem, {.mesh = 10});
  ASSERT_EQ(s.status, abi::SolveStatus::solved);
  const abi::Trajectories& y = s.phases[0].trajectories;
  double most = 0;
  for (std::size_t k = 1; k < y.time.size(); ++k) {
    EXPECT_NEAR(y.u[0][k], 10 * std::sin(20 * y.time[k]), 1e-6) << y.time[k];
    most = std::max(most, std::abs(y.u[0][k] - y.u[0][k - 1]));
  }
  EXPECT_GT(most, 0.5 * whole_turn);
}

}  // namespace
}  // namespace bolza::transcribe
