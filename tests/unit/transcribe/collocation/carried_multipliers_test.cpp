// SPDX-License-Identifier: Apache-2.0
// A solution's multipliers along the horizon, put into its own transcription again, are the multipliers that it was solved
// with.
#include "runtime/transcribe/collocation/carried_multipliers.h"

#include <gtest/gtest.h>

#include <cmath>

#include "runtime/transcribe/collocation/solve.h"
#include "tests/unit/transcribe/known_problems.h"

namespace bolza::transcribe {
namespace {

using testing::Problem;

struct Method {
  const char* name;
  double room;  ///< of the largest multiplier: what least squares leave, and costates between points
};

/// The largest difference of a row's multiplier, relative to the largest of all; and that of bounds.
void expect_same(Problem problem, const Method& method) {
  problem->parameter(1).start = 5;
  TranscribeOptions options;
  options.transcription = method.name, options.mesh = 40, options.nlp.tol = 1e-10;
  abi::Solution solution = solve(problem->problem, options);
  ASSERT_TRUE(abi::is_solution(solution.status)) << method.name;
  abi::Finding error;
  std::unique_ptr<Transcription> t = transcribe(problem->problem, options, &solution, error);
  ASSERT_TRUE(t);
  nlp::Iterate carried = carried_multipliers(*t, solution);
  ASSERT_EQ(carried.lambda.size(), t->nlp.m());
  double largest = 0, worst = 0;
  for (double v : solution.warm_start.rows) largest = std::max(largest, std::abs(v));
  for (std::size_t r = 0; r < t->nlp.m(); ++r)
    worst = std::max(worst, std::abs(carried.lambda[r] - solution.warm_start.rows[r]));
  EXPECT_LE(worst, method.room * largest) << method.name;
  double bounds = 0;
  for (std::size_t v = 0; v < t->nlp.n(); ++v) {
    if (t->nlp.lower[v] == t->nlp.upper[v]) continue;
    double own = solution.warm_start.upper[v] - solution.warm_start.lower[v];
    bounds = std::max(bounds, std::abs(carried.z_upper[v] - carried.z_lower[v] - own));
  }
  EXPECT_LE(bounds, 1e-9 * std::max(1.0, largest)) << method.name;
}

TEST(CarriedMultipliers, are_those_of_the_solution_on_its_own_mesh) {
  for (Method method : {Method{"radau", 1e-3},
                        {"gauss", 1e-6},
                        {"lobatto", 0.02},
                        {"hermite-simpson", 0.02},
                        {"trapezoidal", 0.05},
                        {"euler", 1e-6},
                        {"implicit-euler", 1e-6},
                        {"midpoint", 1e-6}})
    expect_same(testing::van_der_pol(), method);
}

}  // namespace
}  // namespace bolza::transcribe
