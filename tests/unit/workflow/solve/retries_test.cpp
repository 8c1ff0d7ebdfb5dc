// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/attempts/retries.h"

#include <gtest/gtest.h>

#include <utility>

#include "tests/unit/workflow/solve/fake_solver.h"

namespace bolza::workflow {
namespace {

/// A solution that needed a regularised Hessian in many steps: a problem that is not convex.
abi::Solution solved_after(int iterations, std::size_t variables) {
  abi::Solution out;
  out.status = abi::SolveStatus::solved, out.objective = 1;
  out.parameters = {0, 1};
  out.statistics.iterations = iterations, out.statistics.variables = variables;
  out.statistics.regularized = 10, out.statistics.regularization = 1;
  out.phases.resize(1);
  out.phases[0].final_time = 1;
  return out;
}

struct Searched {
  RetryOutcome outcome;
  int searches = 0, iterations = 0;  ///< after the solution
};

/// Solves with a first attempt that ends so, and searches that end at the limit of their iterations or with `status`.
Searched search(const abi::Solution& first, abi::SolveStatus status) {
  FakeSolver fake;
  Searched out;
  bool found = false;
  auto solve = [&](const transcribe::TranscribeOptions& options, const abi::Solution*) {
    if (!std::exchange(found, true)) return first;
    abi::Solution other;
    other.status = status, other.objective = 17, other.statistics.iterations = options.nlp.max_iterations;
    ++out.searches, out.iterations += options.nlp.max_iterations;
    return other;
  };
  out.outcome = solve_with_retries({.problem = fake.rocket.problem,
                                    .library = fake.library,
                                    .options = {},
                                    .integrated = true,
                                    .solve = solve,
                                    .announce = [](const std::string&, bool) {}});
  return out;
}

TEST(Retries, a_search_after_a_solution_takes_no_more_iterations_than_it) {
  Searched long_one = search(solved_after(700, 1000), abi::SolveStatus::iteration_limit);
  EXPECT_GE(long_one.searches, 2);
  EXPECT_LE(long_one.iterations, 700);
  EXPECT_EQ(long_one.outcome.iterations, 700 + long_one.iterations);
}

TEST(Retries, a_search_takes_a_few_hundred_iterations_at_most_where_the_problem_is_small) {
  Searched small = search(solved_after(20, 1000), abi::SolveStatus::iteration_limit);
  EXPECT_GE(small.searches, 2);
  EXPECT_LE(small.iterations, 300);
  Searched large = search(solved_after(40, 1'000'000), abi::SolveStatus::iteration_limit);
  EXPECT_LE(large.iterations, 40);
}

TEST(Retries, an_interrupt_in_a_search_gives_the_solution) {
  Searched stopped = search(solved_after(100, 1000), abi::SolveStatus::interrupted);
  EXPECT_EQ(stopped.searches, 1);
  EXPECT_EQ(stopped.outcome.solution.status, abi::SolveStatus::solved);
  EXPECT_EQ(stopped.outcome.solution.objective, 1);
  ASSERT_TRUE(stopped.outcome.stopped);
  EXPECT_EQ(stopped.outcome.stopped->what, search_for_optima);
  EXPECT_FALSE(stopped.outcome.stopped->by_time);
}

TEST(Retries, an_interrupt_before_a_solution_leaves_none) {
  abi::Solution first;
  first.status = abi::SolveStatus::iteration_limit, first.phases.resize(1);
  Searched stopped = search(first, abi::SolveStatus::interrupted);
  EXPECT_EQ(stopped.outcome.solution.status, abi::SolveStatus::interrupted);
  EXPECT_FALSE(stopped.outcome.stopped);
}

}  // namespace
}  // namespace bolza::workflow
