// SPDX-License-Identifier: Apache-2.0
// Iterates that run away towards a bound that is not there: the problem is unbounded.
#include <gtest/gtest.h>

#include <limits>

#include "tests/unit/workflow/solve/fake_solver.h"

namespace bolza::workflow {
namespace {

using enum abi::SolveStatus;

TEST(Runaway, it_ends_the_attempts_with_the_name_of_the_control) {
  FakeSolver fake;
  fake.rocket.control.max = std::numeric_limits<double>::infinity();
  fake.endings = {ended({.status = diverging, .iterations = 10})};
  fake.endings[0].objective = -1e12;
  fake.endings[0].phases[0].trajectories.u = {{0, 1e9}};
  RetryOutcome outcome = fake.climb();
  EXPECT_EQ(fake.asked.size(), 1u);
  EXPECT_EQ(outcome.solution.status, unbounded);
  ASSERT_EQ(outcome.solution.findings.size(), 1u);
  EXPECT_EQ(outcome.solution.findings[0].kind, abi::Finding::Kind::unbounded);
  EXPECT_EQ(outcome.solution.findings[0].name, "u");
  EXPECT_NE(outcome.solution.findings[0].text.find("unbounded below"), std::string::npos);
}

/// What runs away, changed in one thing.
std::size_t attempts_after(const std::function<void(FakeSolver&, abi::Solution&)>& change) {
  FakeSolver fake;
  fake.rocket.control.max = std::numeric_limits<double>::infinity();
  fake.endings = {ended({.status = diverging, .iterations = 10})};
  abi::Solution& ending = fake.endings[0];
  ending.objective = -1e12, ending.phases[0].trajectories.u = {{0, 1e9}};
  change(fake, ending);
  fake.climb();
  return fake.asked.size();
}

TEST(Runaway, attempts_go_on_where_there_is_none) {
  EXPECT_EQ(attempts_after([](FakeSolver&, abi::Solution&) {}), 1u);
  EXPECT_GT(attempts_after([](FakeSolver& fake, abi::Solution&) { fake.rocket.control.max = 1; }), 5u) << "a bound";
  EXPECT_GT(attempts_after([](FakeSolver& fake, abi::Solution&) { fake.rocket.problem.maximize = 1; }), 5u) << "sign";
  EXPECT_GT(attempts_after([](FakeSolver&, abi::Solution& s) { s.objective = -1e6; }), 5u) << "a moderate objective";
  EXPECT_GT(attempts_after([](FakeSolver&, abi::Solution& s) { s.statistics.primal_infeasibility = 1e7; }), 5u)
      << "equations that do not hold";
  EXPECT_GT(attempts_after([](FakeSolver&, abi::Solution& s) { s.phases[0].u_size = {1e6}; }), 5u) << "a large size";
  EXPECT_GT(attempts_after([](FakeSolver&, abi::Solution& s) { s.phases[0].final_time = -1; }), 5u)
      << "a phase that ends before it starts";
}

TEST(Runaway, it_names_a_free_parameter) {
  FakeSolver fake;
  fake.endings = {ended({.status = diverging, .iterations = 10})};
  fake.rocket.problem.maximize = 1;
  fake.endings[0].objective = 1e12, fake.endings[0].parameters = {0, 1e10};
  RetryOutcome outcome = fake.climb();
  EXPECT_EQ(outcome.solution.status, unbounded);
  ASSERT_EQ(outcome.solution.findings.size(), 1u);
  EXPECT_EQ(outcome.solution.findings[0].name, "finalTime");
  EXPECT_NE(outcome.solution.findings[0].text.find("unbounded above"), std::string::npos);
}

}  // namespace
}  // namespace bolza::workflow
