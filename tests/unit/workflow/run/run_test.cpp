// SPDX-License-Identifier: Apache-2.0
// The one entry: what a job becomes, whom it tells, and what ends it.
#include "workflow/run/run.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/workflow/models.h"

namespace bolza::workflow {
namespace {

/// x' = u from 0 to `goal` within a second, the integral of u² least: goal², or out of reach beyond 1.
const char* const reach = R"(optimization Reach(objectiveIntegrand = u^2, finalTime = 1)
  parameter Real goal = 0.5;
  Real x(start = 0, fixed = true);
  input Real u(min = -1, max = 1);
equation
  der(x) = u;
constraint
  x(finalTime) = goal;
end Reach;
)";

SolveJob job_of(const char* text, std::vector<std::string> settings = {}) {
  SolveJob job;
  job.load.texts.push_back({"reach.mop", text});
  job.load.settings = std::move(settings);
  job.solve.files = false;
  return job;
}

struct Watcher : Observer {
  int loads = 0, steps = 0;
  volatile bool* interrupt = nullptr;
  void loaded(const Model&) override { ++loads; }
  void progress(const Progress&) override {
    ++steps;
    if (interrupt) *interrupt = true;
  }
};

TEST(Run, a_job_is_solved_and_watched) {
  Watcher watcher;
  workflow::Run done = run(job_of(reach), {}, watcher);
  ASSERT_FALSE(done.input_is_wrong);
  EXPECT_EQ(done.verdict(), Verdict::solved);
  EXPECT_NEAR(done.outcome->solution.objective, 0.25, 1e-6);
  EXPECT_EQ(watcher.loads, 1);
  EXPECT_GT(watcher.steps, 0);
  EXPECT_EQ(done.outcome->result, "") << "no file was asked for";
}

TEST(Run, what_is_out_of_reach_is_not_solved) {
  Watcher watcher;
  workflow::Run done = run(job_of(reach, {"goal=3"}), {}, watcher);
  ASSERT_FALSE(done.input_is_wrong);
  EXPECT_EQ(done.verdict(), Verdict::not_solved);
  EXPECT_EQ(done.outcome->solution.status, abi::SolveStatus::infeasible);
}

TEST(Run, wrong_input_is_a_diagnostic_and_nobody_is_told_of_a_model) {
  Watcher watcher;
  workflow::Run unknown = run(job_of(reach, {"gaol=3"}), {}, watcher);
  EXPECT_TRUE(unknown.input_is_wrong);
  EXPECT_GT(unknown.model->diagnostics.errors(), 0u);
  EXPECT_EQ(watcher.loads, 0);
  SolveJob two = job_of(reach);
  two.objectives = "x(finalTime), integral(u^2)";
  workflow::Run front = run(two, {}, watcher);
  EXPECT_TRUE(front.input_is_wrong) << "a front needs the number of its points";
  EXPECT_EQ(front.model->diagnostics.all()[0].code->id, "E979");
}

TEST(Run, objectives_in_order_are_points_with_verdicts) {
  SolveJob job = job_of(reach);
  job.objectives = "integral(u^2) > -u(0)";
  Watcher watcher;
  workflow::Run done = run(job, {}, watcher);
  ASSERT_FALSE(done.input_is_wrong);
  ASSERT_TRUE(done.points);
  EXPECT_EQ(done.points->points.size(), 2u);
  EXPECT_EQ(done.verdict(), Verdict::solved);
  EXPECT_NEAR(done.points->points[0].values[0], 0.25, 1e-6);
}

TEST(Run, an_interrupt_and_the_end_of_the_budget_end_it) {
  volatile bool interrupt = false;
  Watcher watcher;
  watcher.interrupt = &interrupt;
  workflow::Run interrupted = run(job_of(reach), Budget(INFINITY, &interrupt), watcher);
  ASSERT_FALSE(interrupted.input_is_wrong);
  EXPECT_EQ(interrupted.verdict(), Verdict::interrupted);
  Watcher none;
  workflow::Run late = run(job_of(reach, {"goal=3"}), Budget(1e-9), none);
  ASSERT_FALSE(late.input_is_wrong);
  EXPECT_EQ(late.verdict(), Verdict::not_solved);
  EXPECT_EQ(late.outcome->solution.status, abi::SolveStatus::time_limit);
}

TEST(Budget, parts_are_no_longer_than_what_is_left) {
  EXPECT_FALSE(Budget().is_limited());
  EXPECT_FALSE(Budget().over());
  EXPECT_TRUE(Budget(0.0).over());
  Budget hour(3600);
  EXPECT_LE(hour.part(1e9).left(), 3600);
  EXPECT_LE(hour.part(2).left(), 2);
  EXPECT_EQ(Budget(-1.0).left(), 0);
  volatile bool interrupt = true;
  EXPECT_TRUE(Budget(1, &interrupt).part(0.5).interrupted());
}

}  // namespace
}  // namespace bolza::workflow
