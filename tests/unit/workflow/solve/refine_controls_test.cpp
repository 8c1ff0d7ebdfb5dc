// SPDX-License-Identifier: Apache-2.0
// Rounds that make the grids of controls finer, what stops them and which solution is kept.
#include "runtime/transcribe/shooting/control_error.h"
#include "workflow/solve/mesh/refine_controls.h"

#include <gtest/gtest.h>

#include <deque>

#include "tests/unit/workflow/solve/fake_solver.h"

namespace bolza::workflow {
namespace {

using enum abi::SolveStatus;

/// A solution whose control has values on so many intervals.
abi::Solution on_grid(double objective, std::size_t intervals, abi::SolveStatus status = solved) {
  abi::Solution out = ended({.status = status, .objective = objective, .iterations = 10});
  out.phases[0].control_grid = {std::vector<double>(intervals + 1)};
  return out;
}

transcribe::ControlError grid_error(double bound, double integration = 0) {
  transcribe::ControlError error;
  error.known = true, error.objective = error.objective_bound = bound, error.integration = integration;
  error.name = "u", error.time = 0.25;
  return error;
}

/// Errors and solutions of one grid after the other. Every round has twice the intervals.
struct FakeGrids {
  Rocket rocket;
  SolverLibrary library{};
  std::deque<transcribe::ControlError> errors;  ///< the last one stays
  std::deque<abi::Solution> endings;            ///< the last one stays
  std::vector<transcribe::TranscribeOptions> rounds;
  std::vector<double> from;  ///< objectives of the solutions that rounds begin with
  int iterations = 0;

  FakeGrids();
  ControlTask task() {
    return {rocket.problem, library, {}, {}, [this](const transcribe::TranscribeOptions& how, const abi::Solution& guess) {
              rounds.push_back(how), from.push_back(guess.objective);
              abi::Solution found = endings.front();
              if (endings.size() > 1) endings.pop_front();
              found.phases[0].control_grid = how.control_fractions[0];
              return found;
            }};
  }
  Refinement run(abi::Solution& solution, const std::function<void(ControlTask&)>& change = {}) {
    ControlTask how = task();
    if (change) change(how);
    return refine_controls(how, solution, iterations);
  }
};

FakeGrids& grids_of_fake(const bolza_problem& problem) { return *static_cast<FakeGrids*>(problem.provider); }

FakeGrids::FakeGrids() {
  rocket.problem.provider = this;
  library.control_error = [](bolza_problem& problem, const transcribe::TranscribeOptions&,
                             const transcribe::ShootingOptions&, const abi::Solution&) {
    FakeGrids& fake = grids_of_fake(problem);
    transcribe::ControlError next = fake.errors.front();
    if (fake.errors.size() > 1) fake.errors.pop_front();
    return next;
  };
  library.refined_controls = [](const transcribe::ControlError&, const abi::Solution& solution, double, std::size_t most) {
    std::size_t n = solution.phases[0].control_grid[0].size() - 1;
    return std::vector<std::vector<std::vector<double>>>{{std::vector<double>(std::min(most, 2 * n) + 1)}};
  };
  library.on_control_grids = [](const bolza_problem&, const transcribe::TranscribeOptions& options, const abi::Solution&,
                                std::vector<std::vector<std::vector<double>>> grids) {
    transcribe::TranscribeOptions out = options;
    out.control_fractions = std::move(grids), out.mesh = 7;
    return out;
  };
}

TEST(RefineControls, it_goes_on_until_the_error_of_the_objective_is_below_the_tolerance) {
  FakeGrids fake;
  fake.errors = {grid_error(1), grid_error(0.1), grid_error(0.9e-3)};
  fake.endings = {on_grid(9.5, 0), on_grid(9, 0)};
  abi::Solution solution = on_grid(10, 5);
  Refinement r = fake.run(solution);
  EXPECT_TRUE(r.known);
  EXPECT_TRUE(r.of_controls);
  EXPECT_EQ(r.rounds, 2);
  EXPECT_EQ(r.intervals, 20u);
  EXPECT_DOUBLE_EQ(r.error, 1e-4);  // relative to the objective
  EXPECT_EQ(r.name, "u");
  EXPECT_EQ(r.stopped, "");
  EXPECT_EQ(solution.objective, 9);
  EXPECT_EQ(fake.from, (std::vector<double>{10, 9.5}));
  EXPECT_EQ(fake.iterations, 20);
  EXPECT_TRUE(fake.rounds[0].nlp.warm_start);
  EXPECT_EQ(fake.rounds[0].mesh, 50u) << "the mesh that was asked for stays";
}

TEST(RefineControls, what_the_integration_costs_is_no_reason_for_finer_grids) {
  FakeGrids fake;
  fake.errors = {grid_error(1, 0.9999)};
  abi::Solution solution = on_grid(10, 5);
  EXPECT_EQ(fake.run(solution).rounds, 0);
  EXPECT_TRUE(fake.rounds.empty());
}

TEST(RefineControls, an_objective_near_zero_is_measured_by_its_slopes) {
  FakeGrids fake;
  transcribe::ControlError error = grid_error(0.5e-3);
  error.least = 1e-3;
  fake.errors = {error};
  abi::Solution solution = on_grid(0, 5);
  Refinement r = fake.run(solution);
  EXPECT_EQ(r.rounds, 0);
  EXPECT_DOUBLE_EQ(r.error, 0.5e-4);
}

TEST(RefineControls, it_does_not_know_what_could_not_be_estimated) {
  FakeGrids fake;
  fake.errors = {transcribe::ControlError{}};
  abi::Solution solution = on_grid(10, 5);
  Refinement r = fake.run(solution);
  EXPECT_FALSE(r.known);
  EXPECT_EQ(r.stopped, "");
}

TEST(RefineControls, it_tells_what_stopped_it) {
  struct GridRow {
    std::function<void(FakeGrids&, ControlTask&)> change;
    int rounds;
    double kept;
    const char* why;
  };
  const GridRow rows[] = {
      {[](FakeGrids&, ControlTask& task) { task.max_rounds = 3; }, 3, 10, "`max-refinements` is reached"},
      {[](FakeGrids&, ControlTask& task) { task.max_intervals = 20; }, 2, 10, "`max-mesh` is reached"},
      {[](FakeGrids& fake, ControlTask&) {
         fake.library.refined_controls = [](const transcribe::ControlError&, const abi::Solution& solution, double,
                                            std::size_t) {
           return std::vector<std::vector<std::vector<double>>>{solution.phases[0].control_grid};
         };
       },
       0, 10, "the intervals are as short as rounding errors allow"},
      {[](FakeGrids&, ControlTask& task) { task.max_work = 99; }, 1, 10,
       "it takes more work than the solve is worth by default"},
      {[](FakeGrids&, ControlTask& task) { task.transcription.nlp.budget = Budget(1e-12); }, 0, 10,
       "the time limit is reached"},
      {[](FakeGrids& fake, ControlTask&) { fake.endings = {on_grid(9, 0), on_grid(8, 0, failed)}; }, 1, 9,
       "the next grids were not solved (failed)"},
      {[](FakeGrids& fake, ControlTask&) { fake.endings = {on_grid(9, 0), on_grid(19.1, 0)}; }, 1, 9,
       "finer grids led to a poorer optimum"},
      {[](FakeGrids& fake, ControlTask&) { fake.errors = {grid_error(1), {}}; }, 1, 10,
       "the error of the last grids is not known"},
  };
  for (const GridRow& row : rows) {
    FakeGrids fake;
    fake.errors = {grid_error(1)}, fake.endings = {on_grid(10, 0)};
    ControlTask task = fake.task();
    row.change(fake, task);
    abi::Solution solution = on_grid(10, 5);
    Refinement r = refine_controls(task, solution, fake.iterations);
    EXPECT_EQ(r.stopped, row.why);
    EXPECT_EQ(r.rounds, row.rounds) << row.why;
    EXPECT_EQ(solution.objective, row.kept) << row.why;
  }
}

TEST(RefineControls, ten_times_the_error_is_no_other_optimum) {
  for (auto [objective, rounds, maximize] :
       {std::tuple{19.9, 1, false}, {20.1, 0, false}, {5.0, 1, false}, {0.1, 1, true}, {-0.1, 0, true}}) {
    FakeGrids fake;
    fake.rocket.problem.maximize = maximize;
    fake.errors = {grid_error(1), grid_error(0)};
    fake.endings = {on_grid(objective, 0)};
    abi::Solution solution = on_grid(10, 5);
    EXPECT_EQ(fake.run(solution).rounds, rounds) << objective;
  }
}

TEST(RefineControls, a_round_that_is_interrupted_is_a_cut) {
  for (auto [status, by_time] : {std::pair{interrupted, false}, {time_limit, true}}) {
    FakeGrids fake;
    fake.errors = {grid_error(1)}, fake.endings = {on_grid(9, 0, status)};
    abi::Solution solution = on_grid(10, 5);
    Refinement r = fake.run(solution);
    ASSERT_TRUE(r.cut);
    EXPECT_EQ(r.cut->by_time, by_time);
    EXPECT_EQ(solution.objective, 10);
  }
}

TEST(RefineControls, an_end_between_rounds_by_time_or_interrupt_is_a_cut) {
  static bool interrupt = false;
  FakeGrids late;
  late.errors = {grid_error(1)};
  abi::Solution solution = on_grid(10, 5);
  Refinement r = late.run(solution, [](ControlTask& task) { task.transcription.nlp.budget = Budget(1e-12); });
  ASSERT_TRUE(r.cut);
  EXPECT_TRUE(r.cut->by_time);
  FakeGrids fake;
  fake.errors = {grid_error(1)};
  ControlTask task = fake.task();
  task.transcription.nlp.budget = Budget(&interrupt);
  auto solve = task.solve;
  task.solve = [&](const transcribe::TranscribeOptions& how, const abi::Solution& guess) {
    interrupt = true;  // after the solve, before its error is estimated
    return solve(how, guess);
  };
  fake.endings = {on_grid(9, 0)};
  r = refine_controls(task, solution, fake.iterations);
  ASSERT_TRUE(r.cut);
  EXPECT_FALSE(r.cut->by_time);
  EXPECT_EQ(r.rounds, 1);
  EXPECT_EQ(r.stopped, "the error of the last grids is not known");
}

TEST(RefineControls, an_interrupt_leaves_the_error_unestimated) {
  static bool interrupt = true;
  FakeGrids fake;
  ControlTask task = fake.task();
  task.transcription.nlp.budget = Budget(&interrupt);  // there is no error to be asked for
  abi::Solution solution = on_grid(10, 5);
  Refinement r = refine_controls(task, solution, fake.iterations);
  EXPECT_FALSE(r.known);
  ASSERT_TRUE(r.cut);
  EXPECT_FALSE(r.cut->by_time);
}

TEST(RefineControls, an_interrupt_while_the_error_is_estimated_begins_no_round) {
  static bool interrupt;
  interrupt = false;
  FakeGrids fake;
  fake.errors = {grid_error(1), grid_error(0)};
  ControlTask task = fake.task();
  task.transcription.nlp.budget = Budget(&interrupt);
  fake.library.refined_controls = nullptr;  // is not asked
  fake.library.control_error = [](bolza_problem&, const transcribe::TranscribeOptions&, const transcribe::ShootingOptions&,
                                  const abi::Solution&) { return interrupt = true, grid_error(1); };
  abi::Solution solution = on_grid(10, 5);
  Refinement r = refine_controls(task, solution, fake.iterations);
  ASSERT_TRUE(r.cut);
  EXPECT_EQ(r.stopped, "it was interrupted");
  EXPECT_TRUE(fake.rounds.empty());
  interrupt = false,
  fake.library.control_error = [](bolza_problem&, const transcribe::TranscribeOptions&, const transcribe::ShootingOptions&,
                                  const abi::Solution&) { return interrupt = true, grid_error(0); };
  EXPECT_FALSE(refine_controls(task, solution, fake.iterations).cut) << "what is small enough needs no round";
}

TEST(RefineControls, a_round_has_no_more_time_than_is_left) {
  FakeGrids fake;
  fake.errors = {grid_error(1), grid_error(0)}, fake.endings = {on_grid(10, 0)};
  abi::Solution solution = on_grid(10, 5);
  fake.run(solution, [](ControlTask& task) { task.transcription.nlp.budget = Budget(1000); });
  EXPECT_LE(fake.rounds.at(0).nlp.budget.left(), 1000);
}

}  // namespace
}  // namespace bolza::workflow
