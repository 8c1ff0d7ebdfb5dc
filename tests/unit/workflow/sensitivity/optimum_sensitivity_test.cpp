// SPDX-License-Identifier: Apache-2.0
// dJ*/dp against closed forms: of weights, coefficients, starts, times, bounds, limits, references, with a DAE and two
// phases.
#include "workflow/sensitivity/optimum_sensitivity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "runtime/result/restore.h"
#include "tests/unit/workflow/models.h"
#include "workflow/solve/report/report.h"

namespace bolza::workflow {
namespace {

/// J = sqrt(q r) tanh(T sqrt(q/r)) x0^2 of the Riccati equation.
const char* const regulator = R"(optimization Regulator(objectiveIntegrand = q*x^2 + r*u^2, finalTime = 1)
  parameter Real q = 2;
  parameter Real r = 0.5;
  parameter Real x0 = 1.5;
  Real x(start = x0, fixed = true);
  input Real u;
equation
  der(x) = u;
end Regulator;
)";

/// T = 2 sqrt(distance/power).
const char* const rest_to_rest =
    R"(optimization Rest(objective = finalTime, finalTime(free = true, start = 2, min = 0.1, max = 20))
  parameter Real power = 2;
  parameter Real distance = 3;
  Real x(start = 0, fixed = true), v(start = 0, fixed = true);
  input Real a(min = -power, max = power);
equation
  der(x) = v;
  der(v) = a;
constraint
  x(finalTime) = distance;
  v(finalTime) = 0;
end Rest;
)";

/// x' = u to a goal with least energy through an equation for z: z = gain u, J = goal^2/gain^2.
const char* const through_algebraic = R"(optimization Through(objectiveIntegrand = u^2, finalTime = 1)
  parameter Real gain = 2;
  parameter Real goal = 1.5;
  Real x(start = 0, fixed = true), z(start = 0);
  input Real u(min = -5, max = 5);
equation
  der(x) = z;
  z + 0.2*(z - gain*u)^3 = gain*u;
constraint
  x(finalTime) = goal;
end Through;
)";

/// What is sold of a store that decays: the maximum of price * sold is price * (1 - exp(-decay)) * most / decay.
const char* const maximised = R"(optimization Store(objective = -price*x(finalTime), finalTime = 1)
  parameter Real price = 3;
  parameter Real most = 2;
  parameter Real decay = 0.7;
  Real x(start = 0, fixed = true);
  input Real u(min = 0, max = most);
equation
  der(x) = u - decay*x;
end Store;
)";

std::vector<ParameterSlope> slopes_of(const char* text) {
  auto model = model_of(text);
  SolveRequest request;
  request.files = false;
  request.options = options_of({{"refine", "1e-6"}});
  Result<SolveOutcome> found = solve(*model, request);
  EXPECT_TRUE(found) << codes_of(*model);
  std::vector<result::ResultTable> tables{result_table(*model, found->solution)};
  abi::Solution stored = result::restore(model->abi(), tables).solution;
  result::restore_multipliers(model->abi(), tables.front(), stored);
  auto sensitivity = optimum_sensitivity(*model, tables.front(), stored, {.wanted = true});
  EXPECT_TRUE(sensitivity);
  return sensitivity->parameters;
}

void expect_slope(const std::vector<ParameterSlope>& slopes, const std::string& name, double wanted) {
  auto at = std::ranges::find(slopes, name, &ParameterSlope::name);
  ASSERT_NE(at, slopes.end()) << name;
  EXPECT_NEAR(at->slope, wanted, 1e-4 * std::abs(wanted)) << name;
}

TEST(ParameterSlopes, of_a_regulator_are_those_of_the_riccati_equation) {
  double q = 2, r = 0.5, x0 = 1.5, s = std::sqrt(q / r), t = std::tanh(s), c = 1 / std::pow(std::cosh(s), 2);
  std::vector<ParameterSlope> slopes = slopes_of(regulator);
  expect_slope(slopes, "q", (0.5 * std::sqrt(r / q) * t + std::sqrt(q * r) * c * 0.5 / std::sqrt(q * r)) * x0 * x0);
  expect_slope(slopes, "r", (0.5 * std::sqrt(q / r) * t - std::sqrt(q * r) * c * 0.5 * s / r) * x0 * x0);
  expect_slope(slopes, "x0", 2 * std::sqrt(q * r) * t * x0);
  expect_slope(slopes, "finalTime", q * c * x0 * x0);
}

TEST(ParameterSlopes, of_bounds_and_goals_where_the_time_is_free) {
  std::vector<ParameterSlope> slopes = slopes_of(rest_to_rest);
  expect_slope(slopes, "power", -std::sqrt(3.0) / std::pow(2.0, 1.5));
  expect_slope(slopes, "distance", 1 / std::sqrt(3.0 * 2.0));
}

TEST(ParameterSlopes, through_algebraic_equations) {
  std::vector<ParameterSlope> slopes = slopes_of(through_algebraic);
  expect_slope(slopes, "gain", -2 * 1.5 * 1.5 / std::pow(2.0, 3));
  expect_slope(slopes, "goal", 2 * 1.5 / 4);
}

TEST(ParameterSlopes, of_coefficients_and_prices) {
  double price = 3, most = 2, decay = 0.7, e = std::exp(-decay);
  std::vector<ParameterSlope> slopes = slopes_of(maximised);
  expect_slope(slopes, "price", -(1 - e) * most / decay);
  expect_slope(slopes, "most", -price * (1 - e) / decay);
  expect_slope(slopes, "decay", -price * most * (decay * e - (1 - e)) / (decay * decay));
}

}  // namespace
}  // namespace bolza::workflow
