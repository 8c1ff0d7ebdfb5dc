// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/checks/mesh_error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "runtime/transcribe/collocation/solve.h"
#include "runtime/transcribe/collocation/transcription.h"
#include "runtime/transcribe/collocation/transfer.h"
#include "runtime/transcribe/mesh/interpolate.h"
#include "tests/unit/transcribe/known_problems.h"

namespace bolza::transcribe {
namespace {

using bolza::testing::given;
using bolza::testing::HandProblem;
using bolza::testing::Problem;
using bolza::testing::smooth_dae;

/// x' = -100 (x - cos 3t) + u from x(0) = 3, min ∫ x² + u²: a layer of width 0.01 at the start, smooth afterwards.
Problem boundary_layer() {
  auto h = std::make_unique<HandProblem>();
  bolza_function* rates = h->function<[](auto* p, auto*, auto* r) {
    r[0] = -100.0 * (p[1] - cos(3.0 * p[0])) + p[2];
    r[1] = p[1] * p[1] + p[2] * p[2];
  },
                                      3, 2, 0, 2>("rates");
  h->model({{HandProblem::started("x", 3)}, {}, {HandProblem::variable("u")}, {}}, rates);
  h->parameters({given("t0", 0), given("tf", 1)});
  h->phase(0, {0, 1});
  h->value(BOLZA_INTEGRAL, 0, 0);
  h->point(h->function<[](auto* v, auto*, auto* r) { r[0] = 1.0 * v[0]; }, 1, 2, 0, 1>("objective"), 0);
  return h;
}

/// Double integrator from rest to rest over a distance of 1 in least time, -1 <= u <= 2: switches at tf/3, tf = √3.
Problem bang_bang() {
  auto h = std::make_unique<HandProblem>();
  bolza_function* rates =
      h->function<[](auto* p, auto*, auto* r) { r[0] = 1.0 * p[2], r[1] = 1.0 * p[3]; }, 4, 2, 0, 2>("rates");
  h->model({{HandProblem::started("x", 0), HandProblem::started("v", 0)}, {}, {HandProblem::variable("u", -1, 2)}, {}},
           rates);
  h->parameters({given("t0", 0), HandProblem::guessed("tf", 1, 0.1, 10)});
  h->phase(0, {0, 1});
  std::int32_t end = h->place(0, 0, 1);
  h->value(BOLZA_STATE, end, 0);
  h->value(BOLZA_STATE, end, 1);
  h->point(
      h->function<[](auto* v, auto* s, auto* r) { r[0] = 1.0 * s[1], r[1] = v[0] - 1.0, r[2] = 1.0 * v[1]; }, 2, 2, 0, 3>(
          "point"),
      2);
  return h;
}

/// Solves, then refines until all intervals are below tol.
abi::Solution refined(HandProblem& h, TranscribeOptions options, double tol, int most_rounds) {
  abi::Solution s = solve(h.problem, options);
  for (int round = 0; round < most_rounds; ++round) {
    MeshError error = mesh_error(h.problem, s);
    if (error.largest <= tol) break;
    options.mesh_fractions = refined_mesh(error, s, tol, 0, 1000).front();
    options.nlp.warm_start = true;
    options.nlp.barrier = 1e-6;
    s = solve(h.problem, options, &s);
    EXPECT_EQ(s.status, abi::SolveStatus::solved);
  }
  return s;
}

struct Row {
  const char* method;
  std::uint32_t points, mesh;
};

// For these the mesh points are more accurate than what lies between, so that the error between them is the local one.
TEST(mesh_error, is_within_a_factor_of_two_of_the_true_error_of_a_dae) {
  Problem h = smooth_dae();
  for (const Row& row :
       {Row{"radau", 2, 8}, {"radau", 3, 4}, {"radau", 4, 4}, {"gauss", 2, 8}, {"gauss", 3, 4}, {"gauss", 4, 3}}) {
    TranscribeOptions options{.transcription = row.method, .points = row.points, .mesh = row.mesh};
    options.nlp.tol = 1e-13;
    abi::Solution s = solve(h->problem, options);
    MeshError estimate = mesh_error(h->problem, s);
    ASSERT_TRUE(estimate.known);
    Interpolation interpolation(s.phases[0]);
    double error = 0, largest_x = 1, largest_y = std::exp(1.0);
    for (double t = 0; t <= 2; t += 0.002) {
      PhaseValues v = interpolation.at(t);
      error = std::max(
          {error, std::abs(v.x[0] - 1 / (1 + t)) / largest_x, std::abs(v.x[1] - std::exp(std::sin(t))) / largest_y});
    }
    EXPECT_LT(estimate.largest, 2 * error) << row.method << row.points;
    EXPECT_GT(estimate.largest, 0.5 * error) << row.method << row.points;
  }
}

/// x' = -1e6 (x - cos 3t) - 3 sin 3t from x(0) = 1, with an algebraic y = x: cos 3t, whatever the stiffness.
/// A. Prothero, A. Robinson 1974
Problem prothero_robinson() {
  auto h = std::make_unique<HandProblem>();
  bolza_function* rates =
      h->function<[](auto* p, auto*, auto* r) { r[0] = -1e6 * (p[2] - cos(3.0 * p[0])) - 3.0 * sin(3.0 * p[0]); }, 3, 2, 0,
                  1>("rates");
  bolza_function* residuals = h->function<[](auto* p, auto*, auto* r) { r[0] = p[2] - p[1]; }, 3, 2, 0, 1>("residuals");
  h->model({{HandProblem::started("x", 1)}, {HandProblem::variable("y")}, {}, {}}, rates, residuals);
  h->parameters({given("t0", 0), given("tf", 1)});
  h->phase(0, {0, 1});
  std::int32_t end = h->place(0, 0, 1);
  h->value(BOLZA_STATE, end, 0);
  h->point(h->function<[](auto* v, auto*, auto* r) { r[0] = 1.0 * v[0]; }, 1, 2, 0, 1>("objective"), 0);
  return h;
}

TEST(mesh_error, of_a_stiff_state_is_that_of_the_state_not_of_its_rate) {
  Problem h = prothero_robinson();
  for (const Row& row : {Row{"radau", 2, 8}, {"radau", 3, 4}, {"radau", 4, 3}, {"lobatto", 3, 6}}) {
    abi::Solution s = solve(h->problem, {.transcription = row.method, .points = row.points, .mesh = row.mesh});
    ASSERT_EQ(s.status, abi::SolveStatus::solved);
    Interpolation interpolation(s.phases[0]);
    double error = 0;
    for (double t = 0; t <= 1; t += 0.001) error = std::max(error, std::abs(interpolation.at(t).x[0] - std::cos(3 * t)));
    double estimate = mesh_error(h->problem, s).largest;
    EXPECT_LT(estimate, 2 * error) << row.method << row.points;
    EXPECT_GT(estimate, 0.5 * error) << row.method << row.points;
  }
}

TEST(mesh_error, of_the_objective_is_not_far_from_the_difference_to_a_fine_mesh) {
  for (const auto& make : {boundary_layer, bolza::testing::van_der_pol, bolza::testing::catalyst_mixing}) {
    Problem h = make();
    double fine = solve(h->problem, {.mesh = 400}).objective;
    for (std::uint32_t mesh : {10u, 20u, 40u}) {
      abi::Solution s = solve(h->problem, {.mesh = mesh});
      double error = std::abs(s.objective - fine), estimate = mesh_error(h->problem, s).objective;
      EXPECT_GT(10 * estimate, error - 1e-8) << h->problem.name << mesh;
    }
  }
}

/// x'' = u from x = 0, x' = 1 to x = 0, x' = -1 with x <= l and the least ∫ u²/2: 4/(9 l) where l <= 1/6.     A. E. Bryson,
/// W. F. Denham, S. E. Dreyfus 1963
Problem wall() {
  auto h = std::make_unique<HandProblem>();
  constexpr double limit = 0.1;
  bolza_function* rates =
      h->function<[](auto* p, auto*, auto* r) { r[0] = 1.0 * p[2], r[1] = 1.0 * p[3], r[2] = 0.5 * p[3] * p[3]; }, 4, 2, 0,
                  3>("rates");
  bolza_variable x = HandProblem::started("x", 0);
  x.max = limit;
  h->model({{x, HandProblem::started("v", 1)}, {}, {HandProblem::variable("u")}, {}}, rates);
  h->parameters({given("t0", 0), given("tf", 1)});
  h->phase(0, {0, 1});
  std::int32_t end = h->place(0, 0, 1);
  h->value(BOLZA_STATE, end, 0);
  h->value(BOLZA_STATE, end, 1);
  h->value(BOLZA_INTEGRAL, 0, 0);
  h->point(h->function<[](auto* v, auto*, auto* r) { r[0] = 1.0 * v[2], r[1] = 1.0 * v[0], r[2] = v[1] + 1.0; }, 3, 2, 0, 3>(
               "point"),
           2);
  return h;
}

TEST(mesh_error, of_the_objective_sees_what_a_limit_on_a_state_lets_through_between_the_points) {
  for (std::uint32_t mesh : {4u, 7u, 10u, 16u, 25u}) {
    Problem h = wall();
    abi::Solution s = solve(h->problem, {.points = 2, .mesh = mesh});
    ASSERT_EQ(s.status, abi::SolveStatus::solved);
    double error = std::abs(s.objective - 4 / 0.9), estimate = mesh_error(h->problem, s).objective;
    EXPECT_LT(error, 2 * estimate) << mesh;
    EXPECT_GT(error, estimate / 50) << mesh;
  }
}

TEST(mesh_error, falls_with_the_power_of_the_interval_that_it_states) {
  Problem h = smooth_dae();
  for (const Row& row : {Row{"radau", 1, 32},
                         {"radau", 3, 16},
                         {"lobatto", 3, 8},
                         {"euler", 1, 32},
                         {"trapezoidal", 2, 16},
                         {"midpoint", 1, 32},
                         {"hermite-simpson", 3, 8}}) {
    auto estimate = [&](std::uint32_t mesh) {
      TranscribeOptions options{.transcription = row.method, .points = row.points, .mesh = mesh};
      options.nlp.tol = 1e-13;
      return mesh_error(h->problem, solve(h->problem, options));
    };
    MeshError coarse = estimate(row.mesh), fine = estimate(2 * row.mesh);
    EXPECT_NEAR(std::log2(coarse.largest / fine.largest), static_cast<double>(coarse.order[0]), 0.35)
        << row.method << row.points;
  }
}

TEST(mesh_error, leads_to_short_intervals_in_a_boundary_layer) {
  Problem h = boundary_layer();
  abi::Solution s = refined(*h, {.mesh = 5}, 1e-6, 12);
  EXPECT_LE(mesh_error(h->problem, s).largest, 1e-6);
  const std::vector<double>& mesh = s.phases[0].mesh;
  EXPECT_LT(mesh[1], 0.1 * (mesh.back() - mesh[mesh.size() - 2]));
  EXPECT_LT(mesh.size(), 200u);
  // The same accuracy costs a uniform mesh several times as many intervals.
  EXPECT_GT(mesh_error(h->problem, solve(h->problem, {.mesh = static_cast<std::uint32_t>(2 * mesh.size())})).largest, 1e-6);
}

TEST(mesh_error, leads_to_short_intervals_at_a_switch) {
  Problem h = bang_bang();
  abi::Solution s = refined(*h, {.mesh = 10}, 1e-6, 12);
  EXPECT_LE(mesh_error(h->problem, s).largest, 1e-6);
  EXPECT_NEAR(s.objective, std::sqrt(3.0), 1e-7);  // the tolerance of the NLP, 1e-8, and the short interval squared
  const std::vector<double>& mesh = s.phases[0].mesh;
  auto right = static_cast<std::size_t>(std::upper_bound(mesh.begin(), mesh.end(), 1.0 / 3) - mesh.begin());
  EXPECT_LT(mesh[right] - mesh[right - 1], 0.01);
  EXPECT_NEAR(mesh.back() - mesh[mesh.size() - 2], 0.1, 1e-9);  // nothing is cut where the control does not jump
}

TEST(mesh_error, of_trajectories_without_polynomials_is_not_known) {
  Problem h = boundary_layer();
  abi::Solution s = solve(h->problem, {.mesh = 5});
  s.phases[0].transcription = "simulation";
  EXPECT_FALSE(mesh_error(h->problem, s).known);
}

TEST(refined_mesh, keeps_to_its_limit_and_cuts_the_worst_intervals_first) {
  Problem h = boundary_layer();
  abi::Solution s = solve(h->problem, {.mesh = 10});
  MeshError error = mesh_error(h->problem, s);
  std::vector<double> mesh = refined_mesh(error, s, 1e-9, 0, 12).front();
  EXPECT_EQ(mesh.size(), 13u);
  EXPECT_LT(mesh[1], 0.1 - 1e-9);
  EXPECT_EQ(refined_mesh(error, s, 2 * error.largest, 0, 1000).front().size(), 11u);
}

TEST(transfer, carries_multipliers_to_another_mesh) {
  Problem h = bolza::testing::van_der_pol();
  for (const char* method : {"radau", "gauss", "trapezoidal"}) {
    TranscribeOptions options{.transcription = method, .mesh = 40};
    abi::Solution coarse = solve(h->problem, options);
    for (int i = 0; i <= 60; ++i) options.mesh_fractions.push_back(i < 40 ? i / 80.0 : 0.5 + (i - 40) / 40.0);
    abi::Solution cold = solve(h->problem, options, &coarse);
    options.nlp.warm_start = true;
    options.nlp.barrier = 1e-6;
    abi::Solution warm = solve(h->problem, options, &coarse);
    EXPECT_EQ(warm.status, abi::SolveStatus::solved);
    EXPECT_NEAR(warm.objective, cold.objective, 1e-7);
    EXPECT_LT(warm.statistics.iterations, cold.statistics.iterations) << method;
    abi::Finding error;
    auto t = transcribe(h->problem, options, &coarse, error);
    nlp::Iterate carried = transfer_multipliers(*t, coarse);
    ASSERT_EQ(carried.lambda.size(), t->nlp.m());
    double largest = 0, distance = 0;  // the costates change by a fifth over an interval at most
    for (std::size_t r = 0; r < t->nlp.m(); ++r) {
      largest = std::max(largest, std::abs(cold.warm_start.rows[r]));
      distance = std::max(distance, std::abs(cold.warm_start.rows[r] - carried.lambda[r]));
    }
    EXPECT_LT(distance, 0.25 * largest) << method;
  }
}

}  // namespace
}  // namespace bolza::transcribe
