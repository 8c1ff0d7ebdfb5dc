// SPDX-License-Identifier: Apache-2.0
// Rounds of mesh refinement, what stops them and which solution is kept, over a solver that gives prepared answers.
#include "workflow/solve/mesh/refine.h"
#include "runtime/transcribe/checks/mesh_error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>

#include "tests/unit/workflow/solve/fake_solver.h"

namespace bolza::workflow {
namespace {

using enum abi::SolveStatus;

std::vector<double> even_mesh(std::size_t intervals) {
  std::vector<double> mesh;
  for (std::size_t k = 0; k <= intervals; ++k) mesh.push_back(static_cast<double>(k) / static_cast<double>(intervals));
  return mesh;
}

transcribe::MeshError mesh_error_of(double largest, double bound = 0) {
  transcribe::MeshError error;
  error.known = true, error.largest = largest, error.name = "x", error.time = 0.5;
  error.objective = error.objective_bound = bound;
  error.objective_of = {{bound}};
  return error;
}

/// Errors and solutions of one mesh after the other. Every round has twice the intervals.
struct FakeMeshes {
  Rocket rocket;
  SolverLibrary library{};
  std::deque<transcribe::MeshError> errors;  ///< the last one stays
  std::deque<abi::Solution> endings;         ///< the last one stays
  struct Round {
    std::size_t intervals;
    double barrier, seconds, from;  ///< objective of the solution that it begins with
    bool warm, constant;
    int most;  ///< iterations
  };
  std::vector<Round> rounds;

  std::optional<double> gain_before, gain_after;  ///< of better controls: of collocated and of constant controls
  int simulations = 0, announced = 0, iterations = 0;

  FakeMeshes();
  RefineTask task() {
    RefineTask out{rocket.problem, library, {}, [this](const transcribe::TranscribeOptions&) { ++announced; }};
    return out;
  }
};

FakeMeshes& meshes_of_fake(const bolza_problem& problem) { return *static_cast<FakeMeshes*>(problem.provider); }

template <class T>
T next_of(std::deque<T>& list) {
  T next = list.front();
  if (list.size() > 1) list.pop_front();
  return next;
}

abi::Solution on_mesh(double objective, std::size_t intervals, abi::SolveStatus status = solved) {
  abi::Solution out = ended({.status = status, .objective = objective, .iterations = 10});
  out.phases[0].mesh = even_mesh(intervals);
  return out;
}

FakeMeshes::FakeMeshes() {
  rocket.problem.provider = this;
  library.mesh_error = [](bolza_problem& problem, const abi::Solution&) { return next_of(meshes_of_fake(problem).errors); };
  library.refined_mesh = [](const transcribe::MeshError&, const abi::Solution& solution, double, double, std::size_t most) {
    std::size_t n = solution.phases[0].mesh.size() - 1;
    return std::vector<std::vector<double>>{even_mesh(std::min(most, 2 * n))};
  };
  library.solve = [](bolza_problem& problem, const transcribe::TranscribeOptions& options, const abi::Solution* guess) {
    FakeMeshes& fake = meshes_of_fake(problem);
    std::size_t n = options.phase_fractions.empty() ? options.mesh : options.phase_fractions[0].size() - 1;
    fake.rounds.push_back({n, options.nlp.barrier, options.nlp.budget.left(), guess ? guess->objective : NAN,
                           options.nlp.warm_start, options.control_constant, options.nlp.max_iterations});
    abi::Solution found = next_of(fake.endings);
    found.phases[0].mesh = even_mesh(n);
    found.phases[0].control_constant = options.control_constant;
    return found;
  };
  library.simulated_guess = [](bolza_problem& problem, const Budget&, const abi::Solution*, const abi::Solution*, double) {
    ++meshes_of_fake(problem).simulations;
    abi::Solution guess = guess_named("simulated");
    guess.objective = -1;
    return guess;
  };
  library.better_controls = [](bolza_problem& problem, const abi::Solution& solution) {
    FakeMeshes& fake = meshes_of_fake(problem);
    std::optional<double> gain = solution.phases[0].control_constant ? fake.gain_after : fake.gain_before;
    if (!gain) return std::optional<transcribe::BetterControls>();
    return std::optional(transcribe::BetterControls{.name = "u", .gain = *gain, .share = 0});
  };
}

TEST(Refine, it_goes_on_until_the_error_is_below_the_tolerance) {
  FakeMeshes fake;
  fake.errors = {mesh_error_of(1e-2), mesh_error_of(1e-3), mesh_error_of(0.9e-4)};
  fake.endings = {on_mesh(1.1, 0), on_mesh(1.01, 0)};
  abi::Solution solution = on_mesh(1.2, 10);
  Refinement r = refine(fake.task(), solution, fake.iterations);
  EXPECT_TRUE(r.known);
  EXPECT_EQ(r.rounds, 2);
  EXPECT_EQ(r.intervals, 40u);
  EXPECT_EQ(r.error, 0.9e-4);
  EXPECT_EQ(r.stopped, "");
  EXPECT_EQ(solution.objective, 1.01);
  EXPECT_EQ(fake.iterations, 20);
  EXPECT_EQ(fake.announced, 2);
  ASSERT_EQ(fake.rounds.size(), 2u);
  EXPECT_TRUE(fake.rounds[0].warm);
  EXPECT_DOUBLE_EQ(fake.rounds[0].barrier, 1e-9);  // one that does not lead away
  EXPECT_EQ(fake.rounds[0].most, 30);
  EXPECT_EQ(fake.rounds[1].from, 1.1);  // from the mesh before
}

TEST(Refine, it_leaves_a_mesh_that_is_fine_enough) {
  FakeMeshes fake;
  fake.errors = {mesh_error_of(1e-4)};
  abi::Solution solution = on_mesh(1, 10);
  EXPECT_EQ(refine(fake.task(), solution, fake.iterations).rounds, 0);
  EXPECT_TRUE(fake.rounds.empty());
}

TEST(Refine, it_does_not_know_the_error_of_a_method_without_a_mesh) {
  FakeMeshes fake;
  fake.errors = {transcribe::MeshError{}};
  abi::Solution solution = on_mesh(1, 10);
  EXPECT_FALSE(refine(fake.task(), solution, fake.iterations).known);
}

TEST(Refine, the_barrier_stays_between_its_bounds) {
  for (auto [error, barrier] : {std::pair{10.0, 1e-3}, {1e-2, 1e-4}, {2e-4, 2e-6}}) {
    FakeMeshes fake;
    fake.errors = {mesh_error_of(error), mesh_error_of(0)};
    fake.endings = {on_mesh(1, 0, iteration_limit), on_mesh(1, 0)};
    abi::Solution solution = on_mesh(1, 10);
    refine(fake.task(), solution, fake.iterations);
    EXPECT_DOUBLE_EQ(fake.rounds.at(1).barrier, barrier);
  }
}

TEST(Refine, a_small_barrier_comes_first_as_long_as_it_is_quick) {
  FakeMeshes fake;
  fake.errors = {mesh_error_of(1), mesh_error_of(0.5), mesh_error_of(0.2), mesh_error_of(0)};
  fake.endings = {on_mesh(1, 0), on_mesh(1, 0, iteration_limit), on_mesh(1, 0)};
  abi::Solution solution = on_mesh(1, 10);
  refine(fake.task(), solution, fake.iterations);
  ASSERT_EQ(fake.rounds.size(), 4u);
  EXPECT_DOUBLE_EQ(fake.rounds[0].barrier, 1e-9);
  EXPECT_DOUBLE_EQ(fake.rounds[1].barrier, 1e-9);  // is not quick
  EXPECT_DOUBLE_EQ(fake.rounds[2].barrier, 1e-3);
  EXPECT_EQ(fake.rounds[2].intervals, 40u);
  EXPECT_DOUBLE_EQ(fake.rounds[3].barrier, 1e-3);  // and is not tried again
  EXPECT_GT(fake.rounds[3].most, 30);
}

/// Refines what never becomes accurate.
Refinement stopped_by(const std::function<void(FakeMeshes&, RefineTask&)>& change, FakeMeshes& fake) {
  fake.errors = {mesh_error_of(1)};
  fake.endings = {on_mesh(1, 0)};
  RefineTask task = fake.task();
  change(fake, task);
  abi::Solution solution = on_mesh(1, 10);
  return refine(task, solution, fake.iterations);
}

TEST(Refine, it_tells_what_stopped_it) {
  struct StopRow {
    std::function<void(FakeMeshes&, RefineTask&)> change;
    int rounds;
    const char* why;
  };
  static bool interrupt = true;
  const StopRow rows[] = {
      {[](FakeMeshes&, RefineTask& task) { task.max_rounds = 3, task.max_intervals = 1'000'000; }, 3,
       "`max-refinements` is reached"},
      {[](FakeMeshes&, RefineTask& task) { task.max_intervals = 40; }, 2, "`max-mesh` is reached"},
      {[](FakeMeshes& fake, RefineTask&) {
         fake.library.refined_mesh = [](const transcribe::MeshError&, const abi::Solution& s, double, double, std::size_t) {
           return std::vector<std::vector<double>>{s.phases[0].mesh};
         };
       },
       0, "the intervals are as short as rounding errors allow"},
      {[](FakeMeshes&, RefineTask& task) { task.max_work = 199; }, 1,  // 10 iterations on 20 intervals
       "it takes more work than the solve is worth by default"},
      {[](FakeMeshes&, RefineTask& task) { task.max_work = 201; }, 2,
       "it takes more work than the solve is worth by default"},
      {[](FakeMeshes&, RefineTask& task) { task.transcription.nlp.budget = Budget(1e-12); }, 0, "the time limit is reached"},
      {[](FakeMeshes&, RefineTask& task) { task.transcription.nlp.budget = Budget(&interrupt); }, 0, "it was interrupted"},
      {[](FakeMeshes& fake, RefineTask&) { fake.endings = {on_mesh(1, 0), on_mesh(1, 0, infeasible)}; }, 1,
       "the next mesh was not solved (infeasible)"},
  };
  for (const StopRow& row : rows) {
    FakeMeshes fake;
    Refinement r = stopped_by(row.change, fake);
    EXPECT_EQ(r.stopped, row.why);
    EXPECT_EQ(r.rounds, row.rounds) << row.why;
  }
}

TEST(Refine, an_end_by_time_or_interrupt_is_a_cut) {
  static bool interrupt = true;
  FakeMeshes one, two, three;
  EXPECT_TRUE(
      stopped_by([](FakeMeshes&, RefineTask& task) { task.transcription.nlp.budget = Budget(1e-12); }, one).cut->by_time);
  auto by_interrupt = [](FakeMeshes&, RefineTask& task) { task.transcription.nlp.budget = Budget(&interrupt); };
  EXPECT_FALSE(stopped_by(by_interrupt, two).cut->by_time);
  EXPECT_FALSE(stopped_by([](FakeMeshes&, RefineTask& task) { task.max_rounds = 1; }, three).cut);
  for (auto [status, by_time] : {std::pair{interrupted, false}, {time_limit, true}}) {
    FakeMeshes fake;
    Refinement r = stopped_by([status = status](FakeMeshes& f, RefineTask&) { f.endings = {on_mesh(3, 0, status)}; }, fake);
    ASSERT_TRUE(r.cut);
    EXPECT_EQ(r.cut->by_time, by_time);
    EXPECT_EQ(r.cut->what, mesh_refinement);
    EXPECT_EQ(fake.rounds.size(), 1u) << "it is not solved again";
  }
}

TEST(Refine, an_interrupt_while_errors_are_estimated_leaves_them_unknown) {
  static bool interrupt = true;
  FakeMeshes fake;
  fake.errors = {mesh_error_of(std::numeric_limits<double>::quiet_NaN())};
  RefineTask task = fake.task();
  task.transcription.nlp.budget = Budget(&interrupt);
  abi::Solution solution = on_mesh(1, 10);
  Refinement r = refine(task, solution, fake.iterations);
  EXPECT_FALSE(r.known);
  EXPECT_TRUE(r.cut);
}

TEST(Refine, a_mesh_that_leaves_the_optimum_is_solved_again_with_another_barrier) {
  for (bool back : {true, false}) {
    FakeMeshes fake;
    fake.errors = {mesh_error_of(1, 0.1), mesh_error_of(0)};
    fake.endings = {on_mesh(1.3, 0), back ? on_mesh(1.05, 0) : on_mesh(9, 0, failed)};
    abi::Solution solution = on_mesh(1, 10);
    Refinement r = refine(fake.task(), solution, fake.iterations);
    ASSERT_EQ(fake.rounds.size(), 2u);
    EXPECT_EQ(fake.rounds[1].intervals, 20u);
    EXPECT_DOUBLE_EQ(fake.rounds[1].barrier, 1e-3);
    EXPECT_EQ(solution.objective, back ? 1.05 : 1.3);  // a poorer optimum is one, too
    EXPECT_EQ(r.rounds, 1);
    EXPECT_EQ(fake.iterations, 20);
  }
}

TEST(Refine, a_loss_that_the_error_explains_is_no_other_optimum) {
  for (auto [objective, rounds, maximize] :
       {std::tuple{1.19, 1u, false}, {1.21, 2u, false}, {0.5, 1u, false}, {0.79, 2u, true}, {0.81, 1u, true}}) {
    FakeMeshes fake;
    fake.rocket.problem.maximize = maximize;
    fake.errors = {mesh_error_of(1, 0.1), mesh_error_of(0)};
    fake.endings = {on_mesh(objective, 0)};
    abi::Solution solution = on_mesh(1, 10);
    refine(fake.task(), solution, fake.iterations);
    EXPECT_EQ(fake.rounds.size(), rounds) << objective;
  }
}

TEST(Refine, a_failed_mesh_keeps_the_one_before) {
  FakeMeshes fake;
  fake.errors = {mesh_error_of(1)};
  fake.endings = {on_mesh(0.9, 0), on_mesh(7, 0, iteration_limit)};
  abi::Solution solution = on_mesh(1, 10);
  Refinement r = refine(fake.task(), solution, fake.iterations);
  EXPECT_EQ(solution.objective, 0.9);
  EXPECT_EQ(solution.status, solved);
  EXPECT_EQ(r.intervals, 20u);
  EXPECT_EQ(fake.rounds.size(), 4u);  // the failed one quickly, then with either barrier
}

TEST(Refine, the_error_of_the_objective_takes_six_rounds_more_at_most) {
  FakeMeshes fake;
  fake.errors = {mesh_error_of(1e-5, 1)};
  fake.endings = {on_mesh(1, 0)};
  RefineTask task = fake.task();
  task.tol_objective = 1e-4, task.max_intervals = 1'000'000;
  abi::Solution solution = on_mesh(1, 10);
  Refinement r = refine(task, solution, fake.iterations);
  EXPECT_EQ(r.rounds, 6);
  EXPECT_EQ(r.stopped, "");  // the local error is small enough
  FakeMeshes small;
  small.errors = {mesh_error_of(1e-5, 0.9e-4)};
  RefineTask sound = small.task();
  sound.tol_objective = 1e-4;
  EXPECT_EQ(refine(sound, solution, fake.iterations).rounds, 0);
}

TEST(Refine, where_it_may_be_stuck_it_ends_when_many_more_intervals_make_nothing_better) {
  for (auto [error, rounds, until_stuck] : {std::tuple{0.7, 2, true}, {0.5, 3, true}, {0.7, 3, false}}) {
    FakeMeshes fake;
    fake.errors = {mesh_error_of(1), mesh_error_of(0.9), mesh_error_of(error), mesh_error_of(0)};
    fake.endings = {on_mesh(1, 0)};
    RefineTask task = fake.task();
    task.until_stuck = until_stuck;
    abi::Solution solution = on_mesh(1, 10);
    Refinement r = refine(task, solution, fake.iterations);
    EXPECT_EQ(r.rounds, rounds);
    EXPECT_EQ(r.stopped, rounds == 2 ? "the error does not fall" : "");
  }
}

/// A refinement by rounds that take so many iterations and make two intervals more.
Refinement with_few_more(FakeMeshes& fake, int of_a_round, std::deque<transcribe::MeshError> errors) {
  fake.errors = std::move(errors);
  fake.endings = {on_mesh(1, 0)};
  fake.endings[0].statistics.iterations = of_a_round;
  fake.library.refined_mesh = [](const transcribe::MeshError&, const abi::Solution& solution, double, double, std::size_t) {
    return std::vector<std::vector<double>>{even_mesh(solution.phases[0].mesh.size() + 1)};
  };
  RefineTask task = fake.task();
  task.until_stuck = true;
  abi::Solution solution = on_mesh(1, 10);
  return refine(task, solution, fake.iterations);
}

TEST(Refine, where_it_may_be_stuck_long_rounds_have_to_gain_more_than_short_ones) {
  auto rounds = [](int iterations, double error) {
    FakeMeshes fake;
    return with_few_more(fake, iterations, {mesh_error_of(1), mesh_error_of(0.9), mesh_error_of(error), mesh_error_of(0)})
        .rounds;
  };
  EXPECT_EQ(rounds(30, 0.31), 2);
  EXPECT_EQ(rounds(30, 0.29), 3);
  EXPECT_EQ(rounds(29, 0.31), 3);
}

TEST(Refine, where_it_may_be_stuck_it_ends_on_three_times_the_intervals_where_rounds_are_not_quick) {
  auto rounds = [](int iterations) {
    FakeMeshes fake;
    fake.errors = {mesh_error_of(1), mesh_error_of(0.1), mesh_error_of(0.01), mesh_error_of(0)};
    fake.endings = {on_mesh(1, 0)};
    fake.endings[0].statistics.iterations = iterations;
    RefineTask task = fake.task();
    task.until_stuck = true;
    abi::Solution solution = on_mesh(1, 10);
    return refine(task, solution, fake.iterations).rounds;
  };
  EXPECT_EQ(rounds(20), 2) << "40 intervals of 10";
  EXPECT_EQ(rounds(19), 3);
}

TEST(Refine, where_it_may_be_stuck_a_jump_is_followed_for_four_rounds_or_while_they_are_quick) {
  auto rounds = [](int iterations, double error) {
    FakeMeshes fake;
    std::deque<transcribe::MeshError> errors(4, mesh_error_of(1));
    errors.push_back(mesh_error_of(error));
    errors.push_back(mesh_error_of(0));
    return with_few_more(fake, iterations, std::move(errors)).rounds;
  };
  EXPECT_EQ(rounds(15, 0.61), 4);
  EXPECT_EQ(rounds(15, 0.59), 5);
  EXPECT_EQ(rounds(14, 0.61), 5);
}

// ---------------------------------------------------------------- by default

TEST(RefineByDefault, it_is_a_refinement_where_that_is_enough) {
  FakeMeshes fake;
  fake.errors = {mesh_error_of(1e-2), mesh_error_of(1e-2), mesh_error_of(1e-5)};
  fake.endings = {on_mesh(1.1, 0)};
  abi::Solution solution = on_mesh(1, 10);
  Refinement r = refine_by_default(fake.task(), solution, fake.iterations);
  EXPECT_EQ(r.rounds, 1);
  EXPECT_FALSE(r.control_constant);
  EXPECT_EQ(fake.rounds.size(), 2u);  // a loss of 0.1 that no error explains: once more
}

/// A refinement that ends inaccurate, and one with constant controls that ends with `error`.
struct OfConstant {
  FakeMeshes fake;
  abi::Solution solution = on_mesh(1, 10);
  Refinement r;
  explicit OfConstant(double error, double bound = 0, std::deque<abi::Solution> endings = {on_mesh(1, 0)},
                      std::optional<double> gain = {}) {
    fake.errors = {mesh_error_of(1, 0.5), mesh_error_of(1, 0.5), mesh_error_of(error, bound)};
    fake.endings = std::move(endings);
    fake.gain_after = gain;
    RefineTask task = fake.task();
    task.max_rounds = 0, task.tol_objective = 1e-4;
    r = refine_by_default(task, solution, fake.iterations);
  }
};

TEST(RefineByDefault, constant_controls_take_the_place_of_those_that_oscillate) {
  OfConstant run(1e-5);
  EXPECT_TRUE(run.r.control_constant);
  EXPECT_TRUE(run.solution.phases[0].control_constant);
  ASSERT_GE(run.fake.rounds.size(), 2u);
  EXPECT_TRUE(run.fake.rounds[0].constant);
  EXPECT_EQ(run.fake.rounds[0].intervals, 50u);   // the first mesh again
  EXPECT_EQ(run.fake.rounds[1].intervals, 100u);  // with all intervals halved, for the error of the objective
  EXPECT_EQ(run.r.intervals, 100u);
}

TEST(RefineByDefault, constant_controls_that_are_no_better_are_left) {
  EXPECT_TRUE(OfConstant(0.09).r.control_constant) << "a tenth of the error is of use";
  EXPECT_FALSE(OfConstant(0.11).r.control_constant) << "so little is not";
  EXPECT_FALSE(OfConstant(1e-5, 0.6).r.control_constant) << "the objective is known less well";
  EXPECT_FALSE(OfConstant(1e-5, 0, {on_mesh(1, 0, failed)}).r.control_constant) << "not solved";
  EXPECT_FALSE(OfConstant(1e-5, 0, {on_mesh(1, 0)}, 0.6).r.control_constant) << "a poorer optimum";
  EXPECT_TRUE(OfConstant(1e-5, 0, {on_mesh(1, 0)}, 0.4).r.control_constant) << "as good within the error";
}

TEST(RefineByDefault, constant_controls_are_solved_from_a_simulation_where_the_solution_leads_nowhere) {
  OfConstant run(1e-5, 0, {on_mesh(1, 0, failed), on_mesh(2, 0)});
  EXPECT_EQ(run.fake.simulations, 1);
  EXPECT_EQ(run.fake.rounds.at(1).from, -1);
  EXPECT_TRUE(run.r.control_constant);
  OfConstant ended_early(1e-5, 0, {on_mesh(1, 0, interrupted)});
  EXPECT_EQ(ended_early.fake.simulations, 0);
  EXPECT_TRUE(ended_early.r.cut);
  EXPECT_EQ(ended_early.solution.objective, 1);
}

TEST(RefineByDefault, constant_controls_that_were_asked_for_are_not_tried_again) {
  FakeMeshes fake;
  fake.errors = {mesh_error_of(1)};
  RefineTask task = fake.task();
  task.max_rounds = 0, task.transcription.control_constant = true;
  abi::Solution solution = on_mesh(1, 10);
  Refinement r = refine_by_default(task, solution, fake.iterations);
  EXPECT_TRUE(fake.rounds.empty());
  EXPECT_EQ(r.stopped, "`max-refinements` is reached");
}

TEST(RefineByDefault, intervals_are_halved_until_the_objective_is_known_three_times_at_most) {
  auto rounds = [](std::deque<abi::Solution> endings) {
    FakeMeshes fake;
    fake.errors = {mesh_error_of(1e-5)};
    fake.endings = std::move(endings);
    RefineTask task = fake.task();
    task.tol_objective = 1e-4;
    abi::Solution solution = on_mesh(1, 10);
    solution.phases[0].control_constant = true;  // an attempt with constant controls held
    Refinement r = refine_by_default(task, solution, fake.iterations);
    EXPECT_TRUE(r.control_constant);
    return fake.rounds.size();
  };
  EXPECT_EQ(rounds({on_mesh(1.00001, 0)}), 1u);
  EXPECT_EQ(rounds({on_mesh(1.1, 0), on_mesh(1.1, 0)}), 2u);
  EXPECT_EQ(rounds({on_mesh(1.1, 0), on_mesh(1.2, 0), on_mesh(1.3, 0), on_mesh(1.4, 0)}), 3u);
  EXPECT_EQ(rounds({on_mesh(1.1, 0, failed)}), 1u);
}

}  // namespace
}  // namespace bolza::workflow
