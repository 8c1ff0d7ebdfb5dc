// SPDX-License-Identifier: Apache-2.0
// What ends the attempts of a solve before they are through: time, an interrupt, a model that no guess can hold.
#include <gtest/gtest.h>

#include "tests/unit/workflow/solve/fake_solver.h"

namespace bolza::workflow {
namespace {

using enum abi::SolveStatus;
using Statuses = std::vector<abi::SolveStatus>;

TEST(Attempts, the_time_limit_is_shared_and_no_other_begins_after_it) {
  FakeSolver fake;
  fake.options.nlp.budget = Budget(1e-9);  // over before the first attempt ends
  end_so(fake, {infeasible});
  RetryOutcome outcome = fake.climb();
  EXPECT_EQ(fake.asked.size(), 1u);
  EXPECT_TRUE(fake.asked[0].options.nlp.budget.over());
  EXPECT_EQ(outcome.solution.status, time_limit);  // infeasible is not the last word where others had no time
  FakeSolver once;
  once.options.nlp.budget = Budget(1e-9);
  once.change = [](RetryTask& task) { task.retry = false; };
  end_so(once, {infeasible});
  EXPECT_EQ(once.climb().solution.status, infeasible);
}

TEST(Attempts, the_time_limit_leaves_what_is_no_failure_of_the_numbers) {
  for (abi::SolveStatus status : {evaluation_error, diverging, solved, acceptable}) {
    FakeSolver fake;
    fake.options.nlp.budget = Budget(1e-9);
    end_so(fake, {status});
    EXPECT_EQ(fake.climb().solution.status, status) << abi::name_of(status);
  }
}

TEST(Attempts, an_interrupt_ends_them_wherever_it_comes) {
  FakeSolver all;
  end_so(all, {infeasible});
  all.climb();
  for (std::size_t k = 1; k < all.asked.size(); ++k) {
    FakeSolver fake;
    Statuses statuses(k, infeasible);
    statuses.push_back(interrupted);
    end_so(fake, statuses);
    RetryOutcome outcome = fake.climb();
    EXPECT_EQ(fake.asked.size(), k + 1) << all.asked[k].what;
    EXPECT_EQ(outcome.solution.status, interrupted) << all.asked[k].what;
    EXPECT_FALSE(outcome.stopped) << all.asked[k].what;
  }
}

TEST(Attempts, the_time_limit_of_an_engine_ends_them_wherever_it_comes) {
  FakeSolver all;
  end_so(all, {infeasible});
  all.climb();
  for (std::size_t k = 1; k < all.asked.size(); ++k) {
    FakeSolver fake;
    Statuses statuses(k, infeasible);
    statuses.push_back(time_limit);
    end_so(fake, statuses);
    fake.climb();
    EXPECT_EQ(fake.asked.size(), k + 1) << all.asked[k].what;
  }
}

TEST(Attempts, end_where_errors_grow_too_much_for_any_guess) {
  FakeSolver fake;
  end_so(fake, {failed});
  fake.endings[0].findings.emplace_back().kind = abi::Finding::Kind::unstable;
  EXPECT_EQ(fake.climb().solution.status, failed);
  EXPECT_EQ(fake.asked.size(), 1u);
}

}  // namespace
}  // namespace bolza::workflow
