// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "runtime/transcribe/collocation/solve.h"
#include "runtime/transcribe/mesh/scheme.h"
#include "tests/unit/transcribe/known_problems.h"

namespace bolza::transcribe {
namespace {

using bolza::testing::given;
using bolza::testing::HandProblem;
using bolza::testing::inf;
using bolza::testing::Problem;

/// Pendulum with torque: x1' = x2, x2' = z, z = u - sin x1; free final time, x(tf) = 0, min tf + ∫ u²/2.
Problem swing_to_rest() {
  auto h = std::make_unique<HandProblem>();
  bolza_function* rates =
      h->function<[](auto* p, auto*, auto* r) { r[0] = 1.0 * p[2], r[1] = 1.0 * p[3], r[2] = 0.5 * p[4] * p[4]; }, 5, 2, 0,
                  3>("rates");
  bolza_function* residuals =
      h->function<[](auto* p, auto*, auto* r) { r[0] = p[3] - p[4] + sin(p[1]); }, 5, 2, 0, 1>("residuals");
  h->model({{HandProblem::started("x1", 0.8), HandProblem::started("x2", 0.1)},
            {HandProblem::variable("z")},
            {HandProblem::variable("u")},
            {}},
           rates, residuals);
  h->parameters({given("t0", 0), HandProblem::guessed("tf", 2, 0.1, 10)});
  h->phase(0, {0, 1});
  std::int32_t end = h->place(0, 0, 1);
  h->value(BOLZA_STATE, end, 0);
  h->value(BOLZA_STATE, end, 1);
  h->value(BOLZA_INTEGRAL, 0, 0);
  h->point(
      h->function<[](auto* v, auto* s, auto* r) { r[0] = s[1] + v[2], r[1] = 1.0 * v[0], r[2] = 1.0 * v[1]; }, 3, 2, 0, 3>(
          "point"),
      2);
  return h;
}

/// Linear oscillator, min ∫ x1² + x2² + u²/4 + x1(tf)², with x2 + 0.02 u >= -0.35 as an active path constraint and a
/// time-varying right-hand side.
Problem constrained_oscillator() {
  auto h = std::make_unique<HandProblem>();
  bolza_function* rates = h->function<[](auto* p, auto*, auto* r) {
    r[0] = 1.0 * p[2];
    r[1] = p[3] - p[1] * (1.0 + 0.3 * sin(p[0]));
    r[2] = p[1] * p[1] + p[2] * p[2] + 0.25 * p[3] * p[3];
  },
                                      4, 2, 0, 3>("rates");
  bolza_function* residuals = h->function<[](auto* p, auto*, auto* r) { r[0] = p[2] + 0.02 * p[3]; }, 4, 2, 0, 1>(
      "residuals", nullptr, {{"x2 >= -0.35", {"hand.mop", 9, 3}, -0.35, inf}});
  h->model({{HandProblem::started("x1", 1), HandProblem::started("x2", 0)}, {}, {HandProblem::variable("u")}, {}}, rates,
           residuals);
  h->parameters({given("t0", 0), given("tf", 3)});
  h->phase(0, {0, 1});
  h->value(BOLZA_STATE, h->place(0, 0, 1), 0);
  h->value(BOLZA_INTEGRAL, 0, 0);
  h->point(h->function<[](auto* v, auto*, auto* r) { r[0] = v[1] + v[0] * v[0]; }, 2, 2, 0, 1>("objective"), 0);
  return h;
}

Problem short_van_der_pol() {
  Problem h = bolza::testing::van_der_pol();
  h->parameter(1).start = 5;
  return h;
}

class costates : public ::testing::TestWithParam<std::tuple<std::string, bool>> {};

/// λ(t0) against the difference quotient of the optimal value by the initial states.
void compare(HandProblem& h, const TranscribeOptions& options, double tolerance) {
  abi::Solution s = solve(h.problem, options);
  ASSERT_EQ(s.status, abi::SolveStatus::solved);
  const double d = 1e-4;  // its square, and the solver's 1e-11 divided by it, are below the tolerance
  for (std::size_t a = 0; a < 2; ++a) {
    double x0 = h.state(0, a).start;
    h.state(0, a).start = x0 + d;
    double above = solve(h.problem, options).objective;
    h.state(0, a).start = x0 - d;
    double below = solve(h.problem, options).objective;
    h.state(0, a).start = x0;
    double quotient = (above - below) / (2 * d);
    EXPECT_NEAR(s.phases[0].trajectories.costate[a][0], quotient, tolerance * (1 + std::abs(quotient))) << "state " << a;
  }
}

TEST_P(costates, at_the_start_are_the_derivatives_of_the_optimal_value) {
  TranscribeOptions options{
      .transcription = std::get<0>(GetParam()), .mesh = 20, .control_constant = std::get<1>(GetParam())};
  options.nlp.tol = 1e-11;
  compare(*short_van_der_pol(), options, 1e-6);
  compare(*swing_to_rest(), options, 1e-6);
  compare(*constrained_oscillator(), options, 1e-5);  // constraints change activity within the difference
}

INSTANTIATE_TEST_SUITE_P(all_rows, costates,
                         ::testing::Combine(::testing::Values("radau", "gauss", "lobatto", "euler", "implicit-euler",
                                                              "trapezoidal", "midpoint", "hermite-simpson"),
                                            ::testing::Bool()),
                         [](const auto& info) {
                           std::string name =
                               std::get<0>(info.param) + (std::get<1>(info.param) ? "_constant" : "_collocated");
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

/// x' = -z, z = x, min z(T)²/2 + ∫ z²/2: λ = (exp(-t) + exp(t - 2T))/2.
Problem algebraic_decay(double T) {
  auto h = std::make_unique<HandProblem>();
  bolza_function* rates =
      h->function<[](auto* p, auto*, auto* r) { r[0] = -1.0 * p[2], r[1] = 0.5 * p[2] * p[2]; }, 3, 2, 0, 2>("rates");
  bolza_function* residuals = h->function<[](auto* p, auto*, auto* r) { r[0] = p[2] - p[1]; }, 3, 2, 0, 1>("residuals");
  h->model({{HandProblem::started("x", 1)}, {HandProblem::variable("z")}, {}, {}}, rates, residuals);
  h->parameters({given("t0", 0), given("tf", T)});
  h->phase(0, {0, 1});
  h->value(BOLZA_ALGEBRAIC, h->place(0, 0, 1), 0);
  h->value(BOLZA_INTEGRAL, 0, 0);
  h->point(h->function<[](auto* v, auto*, auto* r) { r[0] = v[1] + 0.5 * v[0] * v[0]; }, 2, 2, 0, 1>("objective"), 0);
  return h;
}

/// The largest error of λ at mesh points.
double error_at_mesh_points(const std::string& transcription, std::uint32_t mesh) {
  constexpr double T = 2;
  Problem h = algebraic_decay(T);
  TranscribeOptions options{.transcription = transcription, .mesh = mesh};
  options.nlp.tol = 1e-12;
  abi::Solution s = solve(h->problem, options);
  EXPECT_EQ(s.status, abi::SolveStatus::solved);
  const abi::Trajectories& y = s.phases[0].trajectories;
  double largest = 0;
  for (std::size_t k = 0; k < y.time.size(); ++k) {
    double share = y.time[k] / T * mesh;
    if (std::abs(share - std::round(share)) > 1e-9) continue;
    largest = std::max(largest, std::abs(y.costate[0][k] - 0.5 * (std::exp(-y.time[k]) + std::exp(y.time[k] - 2 * T))));
  }
  return largest;
}

TEST(costates_at_mesh_points, converge_beside_algebraic_variables_as_the_states_do) {
  for (auto [transcription, order] :
       {std::pair("trapezoidal", 2), std::pair("hermite-simpson", 4), std::pair("lobatto", 4)}) {
    double coarse = error_at_mesh_points(transcription, 8), fine = error_at_mesh_points(transcription, 16);
    EXPECT_GT(std::log2(coarse / fine), order - 0.3) << transcription << ": " << coarse << ", " << fine;
  }
}

TEST(multipliers, of_point_constraints_are_minus_the_derivative_by_their_bound) {
  Problem h = swing_to_rest();
  TranscribeOptions options;
  options.nlp.tol = 1e-11;
  abi::Solution s = solve(h->problem, options);
  auto* row = const_cast<bolza_row*>(&h->problem.point->rows[1]);
  double d = 1e-4;
  row->lower = row->upper = d;
  double above = solve(h->problem, options).objective;
  row->lower = row->upper = -d;
  double below = solve(h->problem, options).objective;
  EXPECT_NEAR(s.point_multipliers[0], -(above - below) / (2 * d), 1e-5);
  // λ(tf) = k_x' ν and H(tf) = -1 for the final time in the objective.
  const abi::Trajectories& y = s.phases[0].trajectories;
  EXPECT_NEAR(y.costate[0].back(), s.point_multipliers[0], 1e-8);
  double u = y.u[0].back(),
         hamiltonian = 0.5 * u * u + y.costate[0].back() * y.rate[0].back() + y.costate[1].back() * y.rate[1].back();
  EXPECT_NEAR(hamiltonian, -1, 1e-5);
}

TEST(multipliers, of_path_constraints_are_functions_of_time) {
  // min ∫ (u-1)², u <= 1/2 written as a path constraint: ν = -d/du (u-1)² = 1 at all times.
  auto h = std::make_unique<HandProblem>();
  bolza_function* rates =
      h->function<[](auto* p, auto*, auto* r) { r[0] = 1.0 * p[2], r[1] = (p[2] - 1.0) * (p[2] - 1.0); }, 3, 2, 0, 2>(
          "rates");
  bolza_function* residuals = h->function<[](auto* p, auto*, auto* r) { r[0] = 1.0 * p[2]; }, 3, 2, 0, 1>(
      "residuals", nullptr, {{"u <= 0.5", {"hand.mop", 4, 2}, -inf, 0.5}});
  h->model({{HandProblem::started("x", 0)}, {}, {HandProblem::variable("u")}, {}}, rates, residuals);
  h->parameters({given("t0", 0), given("tf", 3)});
  h->phase(0, {0, 1});
  h->value(BOLZA_INTEGRAL, 0, 0);
  h->point(h->function<[](auto* v, auto*, auto* r) { r[0] = 1.0 * v[0]; }, 1, 2, 0, 1>("objective"), 0);
  for (const SchemeFamily& method : schemes()) {
    abi::Solution s = solve(h->problem, {.transcription = std::string(method.name), .mesh = 7});
    ASSERT_EQ(s.status, abi::SolveStatus::solved) << method.name;
    const std::vector<double>& nu = s.phases[0].trajectories.path_multiplier[0];
    const std::vector<double>& time = s.phases[0].trajectories.time;
    for (std::size_t k = 0; k < nu.size(); ++k) {
      if (time[k] < 0.43 || time[k] > 2.57)
        continue;  // in the first and last interval the extra points at the ends share the multiplier
      EXPECT_NEAR(nu[k], 1, 1e-3) << method.name << " " << k;
    }
    ASSERT_FALSE(s.findings.empty());
    EXPECT_EQ(s.findings.front().name, "u <= 0.5");
    EXPECT_EQ(s.findings.front().line, 4);
  }
}

}  // namespace
}  // namespace bolza::transcribe
