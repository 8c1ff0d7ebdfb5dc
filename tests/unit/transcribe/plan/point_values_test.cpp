// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/plan/point_values.h"

#include <gtest/gtest.h>

#include <cmath>

#include "runtime/transcribe/checks/violation.h"
#include "runtime/transcribe/collocation/solve.h"
#include "runtime/transcribe/mesh/interpolate.h"
#include "tests/unit/transcribe/known_problems.h"

namespace bolza::transcribe {
namespace {

using bolza::testing::given;
using bolza::testing::HandProblem;
using bolza::testing::inf;
using bolza::testing::Problem;

/// x' = -k x with a free decay rate k, free final time where x(tf) = 0.2, and measurements of x = 2 exp(-0.7 t) at fixed
/// times.
Problem decay_with_measurements(double latest) {
  auto h = std::make_unique<HandProblem>();
  bolza_function* rates = h->function<[](auto* p, auto* s, auto* r) { r[0] = -s[2] * p[1]; }, 2, 3, 0, 1>("rates");
  h->model({{HandProblem::guessed("x", 1, -inf, inf)}, {}, {}, {}}, rates, nullptr, nullptr, nullptr, {0, 1, 1});
  h->parameters({given("t0", 0), HandProblem::guessed("finalTime", 0.5, 0, 50), HandProblem::guessed("k", 0.3, 0, 5)});
  h->phase(0, {0, 1, 2});
  for (double t : {0.31, 1.0, latest}) h->value(BOLZA_STATE, h->place(0, 0, 0, t), 0);
  h->value(BOLZA_STATE, h->place(0, 0, 1), 0);
  bolza_function* point = h->function<[](auto* v, auto* s, auto* r) {
    r[2] = v[0] - s[3], r[3] = v[1] - s[4], r[4] = v[2] - s[5];
    r[0] = 0.5 * (r[2] * r[2] + r[3] * r[3] + r[4] * r[4]);
    r[1] = v[3] - 0.2;
  },
                                      4, 3, 3, 5>("point");
  h->point(point, 1, 3, {2 * std::exp(-0.7 * 0.31), 2 * std::exp(-0.7), 2 * std::exp(-0.7 * latest)});
  h->problem.least_squares = 1;
  return h;
}

TEST(places, at_fixed_times_stay_there_while_the_final_time_moves) {
  for (const char* method : {"radau", "gauss", "lobatto"})
    for (nlp::Hessian hessian : {nlp::Hessian::exact, nlp::Hessian::gauss_newton, nlp::Hessian::lbfgs}) {
      Problem h = decay_with_measurements(2.2);
      TranscribeOptions options{.transcription = method, .points = 4, .mesh = 12};
      options.nlp.hessian = hessian;
      abi::Solution s = solve(h->problem, options);
      ASSERT_EQ(s.status, abi::SolveStatus::solved) << method;
      EXPECT_NEAR(s.parameters[2], 0.7, 1e-5);
      EXPECT_NEAR(s.parameters[1], std::log(10) / 0.7, 1e-4);
      EXPECT_NEAR(s.phases[0].trajectories.x[0][0], 2, 1e-5);
    }
}

TEST(places, at_fixed_times_bound_the_final_time_and_say_so) {
  Problem h = decay_with_measurements(2.2);
  h->problem.n_k = 0;  // without x(tf) = 0.2 nothing else holds tf; make it want to shrink
  bolza_function* point =
      h->function<[](auto* v, auto* s, auto* r) { r[0] = s[1] + 0.0 * v[0] * v[1] * v[2] * v[3]; }, 4, 3, 0, 1>("shortest");
  h->point(point, 0);
  h->problem.least_squares = 0;
  abi::Solution s = solve(h->problem, {});
  EXPECT_NEAR(s.parameters[1], 2.2, 1e-6);
  bool said = false;
  for (const abi::Finding& f : s.findings)
    said = said || (f.name == "finalTime" && f.bound == 2.2 && f.text.find("fixed time") != std::string::npos);
  EXPECT_TRUE(said);
}

TEST(places, off_the_mesh_are_as_accurate_as_the_scheme_and_can_be_met_by_the_mesh) {
  // x = 2 exp(-0.7 t) to tf = 3; the value at 0.31 and 2.2 lies inside intervals.
  for (const SchemeFamily& method : schemes())
    for (bool meet : {false, true}) {
      Problem h = decay_with_measurements(2.2);
      h->parameter(1) = given("finalTime", 3);
      h->parameter(2) = given("k", 0.7);
      h->state(0, 0) = HandProblem::started("x", 2);
      h->problem.n_k = 0;
      TranscribeOptions options{.transcription = std::string(method.name), .mesh = 50, .meet_places = meet};
      abi::Solution s = solve(h->problem, options);
      double order = method.name == "euler" || method.name == "implicit-euler" ? 1 : 2;
      double tolerance = order == 1 ? 2e-3 : 1e-7;  // the objective is the square of the interpolation's error
      EXPECT_LT(s.objective, tolerance) << method.name << meet;
      bool has = false;
      for (double fraction : s.phases[0].mesh) has = has || std::abs(3 * fraction - 0.31) < 1e-12;
      EXPECT_EQ(has, meet);
    }
}

TEST(places, outside_the_horizon_are_refused_with_the_time) {
  Problem h = decay_with_measurements(2.2);
  h->parameter(1) = given("finalTime", 2);
  abi::Solution s = solve(h->problem, {});
  EXPECT_EQ(s.status, abi::SolveStatus::refused);
  ASSERT_FALSE(s.findings.empty());
  EXPECT_NEAR(s.findings[0].time, 2.2, 1e-15);
  EXPECT_NE(s.findings[0].text.find("outside the horizon"), std::string::npos);
}

TEST(places, tie_a_path_constraint_to_the_start_value) {
  // y <= x(startTime): the compiler makes x(startTime) a global parameter p with one point constraint. max ∫ y with x(0) in
  // [0, 0.3], y' = u <= 1, y(0) = 0: y rises with slope 1 to 0.3 and stays: ∫ over [0, 1] = 0.3 - 0.045.
  auto h = std::make_unique<HandProblem>();
  bolza_function* rates =
      h->function<[](auto* p, auto*, auto* r) { r[0] = -p[1], r[1] = 1.0 * p[3], r[2] = 1.0 * p[2]; }, 4, 3, 0, 3>("rates");
  bolza_function* residuals = h->function<[](auto* p, auto* s, auto* r) { r[0] = p[2] - s[2]; }, 4, 3, 0, 1>(
      "residuals", nullptr, {{"y <= x(startTime)", {"hand.mop", 5, 1}, -inf, 0}});
  h->model({{HandProblem::guessed("x", 0.1, -inf, 0.3), HandProblem::started("y", 0)},
            {},
            {HandProblem::guessed("u", 0, -5, 1)},
            {}},
           rates, residuals, nullptr, nullptr, {0, 1, 0});
  h->parameters({given("t0", 0), given("tf", 1), HandProblem::guessed("p", 0)});
  h->phase(0, {0, 1, 2});
  h->value(BOLZA_STATE, h->place(0, 1, 0), 0);
  h->value(BOLZA_INTEGRAL, 0, 0);
  h->point(h->function<[](auto* v, auto* s, auto* r) { r[0] = 1.0 * v[1], r[1] = s[2] - v[0]; }, 2, 3, 0, 2>("point"), 1);
  h->problem.maximize = 1;
  for (const SchemeFamily& method : schemes()) {
    abi::Solution s = solve(h->problem, {.transcription = std::string(method.name), .mesh = 50});
    ASSERT_EQ(s.status, abi::SolveStatus::solved) << method.name;
    EXPECT_NEAR(s.parameters[2], 0.3, 1e-6) << method.name;
    EXPECT_NEAR(s.objective, 0.255, method.name.find("euler") == std::string_view::npos ? 1e-3 : 1.2e-2) << method.name;
    EXPECT_LT(constraint_violation(h->problem, s).largest, 0.02) << method.name;
  }
}

TEST(places, link_two_phases_by_point_constraints) {
  // A cart x'' = u moves a unit distance from rest to rest in two phases that meet at a free time; min ∫ u² over both, total
  // time 1: value 12 (cubic).
  auto h = std::make_unique<HandProblem>();
  bolza_function* rates =
      h->function<[](auto* p, auto*, auto* r) { r[0] = 1.0 * p[2], r[1] = 1.0 * p[3], r[2] = p[3] * p[3]; }, 4, 2, 0, 3>(
          "rates");
  h->model({{HandProblem::variable("x"), HandProblem::variable("v")}, {}, {HandProblem::variable("u")}, {}}, rates);
  h->parameters({given("t0", 0), HandProblem::guessed("tm", 0.4, 0.2, 0.8), given("tf", 1)});
  h->phase(0, {0, 1});
  h->phase(0, {1, 2});
  std::int32_t a = h->place(0, 1, 0), b = h->place(0, 0, 1), c = h->place(1, 1, 0), d = h->place(1, 0, 1);
  for (std::int32_t place : {a, b, c, d})
    for (std::int32_t state : {0, 1}) h->value(BOLZA_STATE, place, state);
  h->value(BOLZA_INTEGRAL, 0, 0);
  h->value(BOLZA_INTEGRAL, 1, 0);
  h->point(h->function<[](auto* v, auto*, auto* r) {
    r[0] = v[8] + v[9];
    r[1] = 1.0 * v[0], r[2] = 1.0 * v[1], r[3] = v[2] - v[4], r[4] = v[3] - v[5], r[5] = v[6] - 1.0, r[6] = 1.0 * v[7],
    r[7] = v[2] - 0.352;
  },
                       10, 3, 0, 8>("point"),
           7);
  for (const SchemeFamily& method : schemes()) {
    if (method.name.find("euler") != std::string_view::npos) continue;
    abi::Solution s = solve(h->problem, {.transcription = std::string(method.name), .mesh = 40});
    ASSERT_EQ(s.status, abi::SolveStatus::solved) << method.name;
    EXPECT_NEAR(s.objective, 12, 2e-2) << method.name;
    EXPECT_NEAR(s.parameters[1], 0.4, 1e-3) << method.name;  // 3 s² - 2 s³ = 0.352
    EXPECT_NEAR(s.phases[0].trajectories.x[1].back(), s.phases[1].trajectories.x[1].front(), 1e-8);
  }
}

TEST(places, take_rates_algebraics_and_controls_at_the_ends) {
  // x' = z, z = u + t, min ∫ u² with der(x)(tf) = 1.5, z(t0) = 1, u(0.28) <= -0.2 and der(x)(0.53) = 0.9 on [0, 1]. The
  // controls are polynomials per interval, so only the neighbourhood of these places pays; the constraints must hold, and u
  // follows from z = u + t.
  auto h = std::make_unique<HandProblem>();
  bolza_function* rates =
      h->function<[](auto* p, auto*, auto* r) { r[0] = 1.0 * p[2], r[1] = p[3] * p[3]; }, 4, 2, 0, 2>("rates");
  bolza_function* residuals =
      h->function<[](auto* p, auto*, auto* r) { r[0] = p[2] - p[3] - p[0]; }, 4, 2, 0, 1>("residuals");
  h->model({{HandProblem::started("x", 0)}, {HandProblem::variable("z")}, {HandProblem::variable("u")}, {}}, rates,
           residuals);
  h->parameters({given("t0", 0), given("tf", 1)});
  h->phase(0, {0, 1});
  std::int32_t start = h->place(0, 1, 0), end = h->place(0, 0, 1), middle = h->place(0, 0.47, 0.53),
               early = h->place(0, 0.72, 0.28);
  h->value(BOLZA_RATE, end, 0);
  h->value(BOLZA_ALGEBRAIC, start, 0);
  h->value(BOLZA_CONTROL, end, 0);
  h->value(BOLZA_INTEGRAL, 0, 0);
  h->value(BOLZA_RATE, middle, 0);
  h->value(BOLZA_CONTROL, early, 0);
  h->point(h->function<[](auto* v, auto*, auto* r) {
    r[0] = 1.0 * v[3], r[1] = v[0] - 1.5, r[2] = v[1] - 1.0, r[3] = 1.0 * v[2], r[4] = 1.0 * v[4], r[5] = 1.0 * v[5];
  },
                       6, 2, 0, 6>("point", nullptr,
                                   {{"J", {}, 0, 0},
                                    {"der(x)(tf)", {}, 0, 0},
                                    {"z(t0)", {}, 0, 0},
                                    {"u(tf)", {}, -inf, 0.7},
                                    {"der(x)(0.53)", {}, 0.9, 0.9},
                                    {"u(0.28)", {}, -inf, -0.2}}),
           5);
  for (const SchemeFamily& method : schemes()) {
    if (method.max_points == 1)
      continue;  // the polynomials of one point cannot meet two places of an interval and its neighbours
    abi::Solution s = solve(h->problem, {.transcription = std::string(method.name), .mesh = 10});
    ASSERT_EQ(s.status, abi::SolveStatus::solved) << method.name;
    const abi::Trajectories& y = s.phases[0].trajectories;
    EXPECT_NEAR(y.rate[0].back(), 1.5, 1e-6) << method.name;
    EXPECT_NEAR(y.z[0].front(), 1, 1e-6) << method.name;
    EXPECT_NEAR(y.u[0].back(), 0.5, 1e-6) << method.name;
    Interpolation at(s.phases[0]);
    EXPECT_NEAR(at.at(0.53).u[0], 0.37, 1e-6) << method.name;
    EXPECT_NEAR(at.at(0.28).u[0], -0.2, 1e-6) << method.name;
    EXPECT_NEAR(at.at(0.28).z[0], 0.08, 1e-6) << method.name;
  }
}

}  // namespace
}  // namespace bolza::transcribe
