// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/transcribe/checks/violation.h"
#include "runtime/transcribe/collocation/guess.h"
#include "runtime/transcribe/collocation/solve.h"
#include "runtime/transcribe/mesh/interpolate.h"
#include "tests/unit/transcribe/known_problems.h"

namespace bolza::transcribe {
namespace {

using bolza::testing::given;
using bolza::testing::HandProblem;
using bolza::testing::inf;
using bolza::testing::Problem;

TEST(reports, name_the_most_violated_constraint_of_an_infeasible_problem) {
  // x' = u <= 1 cannot reach 3 at time 1.
  auto h = std::make_unique<HandProblem>();
  h->model({{HandProblem::started("x", 0)}, {}, {HandProblem::variable("u", -1, 1)}, {}},
           h->function<[](auto* p, auto*, auto* r) { r[0] = 1.0 * p[2]; }, 3, 2, 0, 1>("rates"));
  h->parameters({given("t0", 0), given("tf", 1)});
  h->phase(0, {0, 1});
  h->value(BOLZA_STATE, h->place(0, 0, 1), 0);
  h->point(h->function<[](auto* v, auto*, auto* r) { r[0] = v[0] * v[0], r[1] = v[0] - 3.0; }, 1, 2, 0, 2>(
               "point", nullptr, {{"J", {}, 0, 0}, {"x(finalTime) = 3", {"reach.mop", 12, 3}, 0, 0}}),
           1);
  abi::Solution s = solve(h->problem, {});
  EXPECT_EQ(s.status, abi::SolveStatus::infeasible);
  bool named = false;
  for (const abi::Finding& f : s.findings) named = named || (f.name == "x(finalTime) = 3" && f.line == 12 && f.amount > 0.1);
  EXPECT_TRUE(named);
}

TEST(reports, give_function_row_time_and_inputs_of_a_value_that_is_not_finite) {
  // x' = sqrt(x - t) u: at the constant guess x = 0.5 the root's argument is negative from t = 0.5 on.
  auto h = std::make_unique<HandProblem>();
  bolza_function* rates = h->function<[](auto* p, auto*, auto* r) { r[0] = sqrt(p[1] - p[0]) * p[2]; }, 3, 2, 0, 1>(
      "rates", nullptr, {{"der(x) = sqrt(x - time)*u", {"root.mop", 3, 5}, 0, 0}});
  h->model({{HandProblem::started("x", 0.5)}, {}, {HandProblem::guessed("u", 1)}, {}}, rates);
  h->parameters({given("t0", 0), given("tf", 1)});
  h->phase(0, {0, 1});
  h->value(BOLZA_STATE, h->place(0, 0, 1), 0);
  h->point(h->function<[](auto* v, auto*, auto* r) { r[0] = v[0] * v[0]; }, 1, 2, 0, 1>("objective"), 0);
  NonfiniteReport report;
  TranscribeOptions options{.mesh = 10};
  options.explain = [](void*, const NonfiniteReport& r) { return "argument = " + std::to_string(r.point[1] - r.point[0]); };
  abi::Solution s = solve(h->problem, options, nullptr, report);
  EXPECT_EQ(s.status, abi::SolveStatus::evaluation_error);
  ASSERT_TRUE(report.seen);
  EXPECT_TRUE(report.at_start);
  EXPECT_EQ(report.function, "rates");
  EXPECT_EQ(report.row, 0);
  EXPECT_GT(report.time, 0.5);
  EXPECT_LT(report.point[1], report.point[0]);
  ASSERT_FALSE(s.findings.empty());
  EXPECT_EQ(s.findings[0].kind, abi::Finding::Kind::nonfinite);
  EXPECT_EQ(s.findings[0].line, 3);
  EXPECT_NE(s.findings[0].text.find("x = 0.5"), std::string::npos);
  EXPECT_NE(s.findings[0].text.find("argument = -"), std::string::npos);
}

TEST(reports, name_active_bounds_with_their_multipliers) {
  Problem h = bolza::testing::catalyst_mixing();
  abi::Solution s = solve(h->problem, {});
  bool named = false;
  for (const abi::Finding& f : s.findings)
    named = named || (f.kind == abi::Finding::Kind::at_bound && f.name == "u" && f.amount != 0);
  EXPECT_TRUE(named);
}

TEST(reports, refuse_methods_and_points_that_do_not_exist) {
  Problem h = bolza::testing::van_der_pol();
  EXPECT_NE(solve(h->problem, {.transcription = "radua"}).findings.at(0).text.find("radua"), std::string::npos);
  EXPECT_EQ(solve(h->problem, {.transcription = "lobatto", .points = 1}).status, abi::SolveStatus::refused);
  EXPECT_EQ(solve(h->problem, {.mesh_fractions = {0, 0.7, 0.5, 1}}).status, abi::SolveStatus::refused);
}

TEST(reports, measure_the_violation_of_any_trajectories) {
  Problem h = bolza::testing::van_der_pol();
  abi::Solution s = solve(h->problem, {});
  EXPECT_LT(constraint_violation(h->problem, s).largest, 1e-7);
  s.phases[0].transcription = "";  // as after a simulation: plain samples
  s.phases[0].trajectories.u[0][10] = 1;
  Violation v = constraint_violation(h->problem, s);
  EXPECT_NEAR(v.largest, 0.25, 1e-12);
  EXPECT_EQ(v.findings.at(0).name, "u");
  EXPECT_EQ(v.findings.at(0).time, s.phases[0].trajectories.time[10]);
}

TEST(guesses, from_a_solution_on_another_mesh_and_method_save_iterations) {
  Problem h = bolza::testing::catalyst_mixing();
  abi::Solution coarse = solve(h->problem, {.mesh = 100});
  TranscribeOptions options{.mesh = 100};
  options.nlp.warm_start = true;
  abi::Solution again = solve(h->problem, options, &coarse);
  EXPECT_EQ(again.status, abi::SolveStatus::solved);
  EXPECT_LT(2 * again.statistics.iterations, coarse.statistics.iterations);
  EXPECT_NEAR(again.objective, coarse.objective, 1e-7);
  abi::Solution gauss = solve(h->problem, {.transcription = "gauss", .points = 2, .mesh = 37}, &coarse);
  EXPECT_EQ(gauss.status, abi::SolveStatus::solved);
  EXPECT_NEAR(gauss.objective, coarse.objective, 1e-4);
}

TEST(interpolation, repeats_samples_and_has_the_scheme_s_order_between_them) {
  // The harmonic oscillator has a closed form between the samples as well.
  auto h = std::make_unique<HandProblem>();
  bolza_function* rates = h->function<[](auto* p, auto*, auto* r) { r[0] = 1.0 * p[2], r[1] = -p[1]; }, 3, 2, 0, 2>("rates");
  h->model({{HandProblem::started("x", 1), HandProblem::started("v", 0)}, {}, {}, {}}, rates);
  h->parameters({given("t0", 0), given("tf", 3)});
  h->phase(0, {0, 1});
  h->value(BOLZA_STATE, h->place(0, 0, 1), 0);
  h->point(h->function<[](auto* v, auto*, auto* r) { r[0] = 0.0 * v[0]; }, 1, 2, 0, 1>("objective"), 0);
  for (const char* method : {"radau", "gauss", "lobatto"}) {
    abi::Solution s = solve(h->problem, {.transcription = method, .points = 4, .mesh = 10});
    Interpolation at(s.phases[0]);
    ASSERT_TRUE(at.exact()) << method;
    const abi::Trajectories& y = s.phases[0].trajectories;
    for (std::size_t k = 0; k < y.time.size(); ++k) EXPECT_NEAR(at.at(y.time[k]).x[0], y.x[0][k], 1e-12) << method;
    for (double t = 0.01; t < 3; t += 0.0173) EXPECT_NEAR(at.at(t).x[0], std::cos(t), 2e-6) << method << t;
  }
}

TEST(static_problems, are_plain_nonlinear_programs) {
  // min (u-2)² + p² with z = u p, z >= 1, and der(x) = z - x = 0.
  auto h = std::make_unique<HandProblem>();
  bolza_function* rates = h->function<[](auto* p, auto*, auto* r) { r[0] = p[2] - p[1]; }, 4, 3, 0, 1>("rates");
  bolza_function* residuals =
      h->function<[](auto* p, auto* s, auto* r) { r[0] = p[2] - p[3] * s[2], r[1] = 1.0 * p[1]; }, 4, 3, 0, 2>(
          "residuals", nullptr, {{"h", {}, 0, 0}, {"x >= 1", {}, 1, inf}});
  h->model({{HandProblem::guessed("x", 0)}, {HandProblem::guessed("z", 0)}, {HandProblem::guessed("u", 1)}, {}}, rates,
           residuals, nullptr, nullptr, {0, 1, 1});
  h->parameters({given("t0", 0), given("tf", 1), HandProblem::guessed("p", 1)});
  h->phase(0, {0, 1, 2});
  std::int32_t start = h->place(0, 1, 0);
  h->value(BOLZA_CONTROL, start, 0);
  h->value(BOLZA_STATE, start, 0);
  h->point(h->function<[](auto* v, auto* s, auto* r) { r[0] = (v[0] - 2.0) * (v[0] - 2.0) + s[2] * s[2] + 0.0 * v[1]; }, 2,
                       3, 0, 1>("objective"),
           0);
  h->problem.is_static = 1;
  abi::Solution s = solve(h->problem, {});
  ASSERT_EQ(s.status, abi::SolveStatus::solved);
  double u = s.phases[0].trajectories.u[0][0], p = s.parameters[2];
  EXPECT_NEAR(u * p, 1, 1e-6);
  EXPECT_NEAR((u - 2) * u, p * p, 1e-5);  // stationarity: 2(u-2)/p = 2p/u = multiplier
  EXPECT_EQ(s.phases[0].trajectories.time.size(), 1u);
}

TEST(initial_equations, fix_the_start_of_a_state) {
  // x(0)² = 4 on the positive side, x' = -x.
  auto h = std::make_unique<HandProblem>();
  bolza_function* rates = h->function<[](auto* p, auto*, auto* r) { r[0] = -p[1]; }, 2, 2, 0, 1>("rates");
  bolza_function* initial = h->function<[](auto* p, auto*, auto* r) { r[0] = p[1] * p[1] - 4.0; }, 2, 2, 0, 1>("initial");
  h->model({{HandProblem::guessed("x", 1, 0, inf)}, {}, {}, {}}, rates, nullptr, initial);
  h->parameters({given("t0", 0), given("tf", 1)});
  h->phase(0, {0, 1});
  h->value(BOLZA_STATE, h->place(0, 0, 1), 0);
  h->point(h->function<[](auto* v, auto*, auto* r) { r[0] = 1.0 * v[0]; }, 1, 2, 0, 1>("objective"), 0);
  for (const char* method : {"radau", "gauss", "lobatto"})
    EXPECT_NEAR(solve(h->problem, {.transcription = method, .points = 4, .mesh = 10}).objective, 2 * std::exp(-1.0), 1e-7)
        << method;
}

TEST(integrals, may_stand_in_constraints) {
  // max x(1), x' = u, ∫ u² = 1/4: u = 1/2 throughout.
  auto h = std::make_unique<HandProblem>();
  bolza_function* rates =
      h->function<[](auto* p, auto*, auto* r) { r[0] = 1.0 * p[2], r[1] = p[2] * p[2]; }, 3, 2, 0, 2>("rates");
  h->model({{HandProblem::started("x", 0)}, {}, {HandProblem::guessed("u", 0.1)}, {}}, rates);
  h->parameters({given("t0", 0), given("tf", 1)});
  h->phase(0, {0, 1});
  h->value(BOLZA_STATE, h->place(0, 0, 1), 0);
  h->value(BOLZA_INTEGRAL, 0, 0);
  h->point(h->function<[](auto* v, auto*, auto* r) { r[0] = 1.0 * v[0], r[1] = v[1] - 0.25; }, 2, 2, 0, 2>("point"), 1);
  h->problem.maximize = 1;
  for (const SchemeFamily& method : schemes()) {
    abi::Solution s = solve(h->problem, {.transcription = std::string(method.name), .mesh = 10});
    EXPECT_NEAR(s.objective, 0.5, 1e-7) << method.name;
    EXPECT_NEAR(s.phases[0].trajectories.integral[0], 0.25, 1e-7) << method.name;
    EXPECT_NEAR(s.phases[0].trajectories.costate[0][0], -1, 1e-6) << method.name;  // of the minimised problem
  }
}

}  // namespace
}  // namespace bolza::transcribe
