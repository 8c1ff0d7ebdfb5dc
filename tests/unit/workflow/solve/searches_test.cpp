// SPDX-License-Identifier: Apache-2.0
// What is looked for after a solution (docs/solving.md, "Attempts" and "Searching on"), over a solver that gives prepared
// answers.
#include <gtest/gtest.h>

#include <limits>
#include <ostream>

#include "base/numbers.h"
#include "tests/unit/workflow/solve/fake_solver.h"
#include "workflow/solve/attempts/other_guesses.h"

namespace bolza::workflow {
namespace {

using enum abi::SolveStatus;
using Lines = std::vector<std::string>;

/// A solution whose last step needed a regularised Hessian: perhaps a saddle point.
abi::Solution near_a_saddle(double objective = 1) {
  abi::Solution out = ended({.objective = objective});
  out.statistics.regularization = 1;
  out.statistics.regularized = 1;
  return out;
}

/// A solution that needed one in several steps: the problem is not convex.
abi::Solution not_convex(double objective = 1) {
  abi::Solution out = ended({.objective = objective});
  out.statistics.regularized = 3;
  return out;
}

/// A solution whose control stays at its upper bound.
abi::Solution idle(double at = 1) {
  abi::Solution out = ended({});
  out.phases[0].trajectories.u = {{at, at, at}};
  return out;
}

/// A solution of no length.
abi::Solution vanished() {
  abi::Solution out = ended({});
  out.phases[0].final_time = 0;
  return out;
}

transcribe::BetterControls controls(double gain, double share) {
  transcribe::BetterControls out{.name = "u", .gain = gain, .share = share};
  out.controlled = guess_named("controls of the least Hamiltonian");
  return out;
}

struct SearchRow {
  const char* how;
  abi::Solution found;
  Lines searches;
  std::function<void(FakeSolver&)> change = {};
};

const Lines elsewhere{"simulated guess with a later final time", "simulated guess with controls near their upper bounds",
                      "simulated guess with controls near their lower bounds", "perturbed guess"};

std::function<void(FakeSolver&)> of_task(std::function<void(RetryTask&)> change) {
  return [change](FakeSolver& fake) { fake.change = change; };
}

std::vector<SearchRow> search_rows() {
  abi::Solution without_a_step = ended({.iterations = 0}), whole = not_convex(), two_steps = not_convex();
  whole.integers.any = true;
  two_steps.statistics.regularized = 2;
  abi::Solution moves = idle(), between = idle(0.5), near = idle(0.99);
  moves.phases[0].trajectories.u[0][1] = 0.9;
  abi::Solution both = not_convex();
  both.statistics.regularization = 1;
  auto fixed_end = [](FakeSolver& fake) { fake.rocket.times[1].fixed = 1; };
  return {
      {"a sound solution", ended({}), {}},
      {"perhaps a saddle", near_a_saddle(), {"from near a saddle point"}},
      {"the guess itself", without_a_step, {"from near a saddle point"}},
      {"two regularised steps", two_steps, {}},
      {"three of them", not_convex(), elsewhere},
      {"not convex, and perhaps a saddle",
       both,
       {elsewhere[0], elsewhere[1], elsewhere[2], elsewhere[3], "from near a saddle point"}},
      {"not convex, with a fixed end", not_convex(), {"perturbed guess"}, fixed_end},
      {"a control at its bound", idle(), {"simulated guess with a later final time", "simulated guess"}},
      {"a control next to its bound", near, {"simulated guess with a later final time", "simulated guess"}},
      {"a control that stays between", between, {}},
      {"a control that moves", moves, {}},
      {"nothing left of the horizon", vanished(), {"simulated guess with a later final time"}},
      {"whole numbers", whole, {}},
      {"a perturbed guess was asked for",
       not_convex(),
       {elsewhere[0], elsewhere[1], elsewhere[2], "the guess without its perturbation"},
       of_task([](RetryTask& task) { task.guess = Guess::perturbed; })},
      {"a simulated guess was asked for", not_convex(), {}, of_task([](RetryTask& task) { task.guess = Guess::simulated; })},
      {"single shooting", not_convex(), {}, of_task([](RetryTask& task) { task.reduced = true; })},
      {"without `retry`", both, {}, of_task([](RetryTask& task) { task.retry = false; })},
      {"a static problem", both, Lines(15, "another start"), [](FakeSolver& fake) { fake.rocket.problem.is_static = 1; }},
      {"other controls for half of the time",
       ended({}),
       {"controls of the least Hamiltonian", "perturbed guess"},
       [](FakeSolver& fake) { fake.better_controls = {controls(0.1, 0.5)}; }},
      {"other controls for next to no time",
       ended({}),
       {},
       [](FakeSolver& fake) { fake.better_controls = {controls(0.1, 0.009)}; }},
      {"other controls for next to nothing",
       ended({}),
       {},
       [](FakeSolver& fake) { fake.better_controls = {controls(1e-4, 0.5)}; }},
      {"other controls, where controls have grids",
       ended({}),
       {},
       [](FakeSolver& fake) {
         fake.better_controls = {controls(0.1, 0.5)};
         fake.options.control_intervals = 10;
       }},
  };
}

void PrintTo(const SearchRow& row, std::ostream* out) { *out << row.how; }

class SearchesOfRow : public testing::TestWithParam<SearchRow> {};

TEST_P(SearchesOfRow, are_those_of_the_table) {
  const SearchRow& row = GetParam();
  FakeSolver fake;
  fake.integrated = true;
  fake.endings = {row.found, ended({.status = failed, .objective = 17, .iterations = 20})};
  if (row.change) row.change(fake);
  RetryOutcome outcome = fake.climb();
  Lines names = names_of(fake.asked);
  names.erase(names.begin());
  EXPECT_EQ(names, row.searches) << row.how;
  for (std::size_t k = 1; k < fake.asked.size(); ++k) EXPECT_TRUE(fake.asked[k].bettering) << row.how;
  EXPECT_EQ(outcome.tried, Lines{""}) << row.how;  // none of them was better
  EXPECT_EQ(outcome.solution.objective, 1) << row.how;
}

INSTANTIATE_TEST_SUITE_P(Searches, SearchesOfRow, testing::ValuesIn(search_rows()));

TEST(Searches, change_the_options_and_the_guess_as_documented) {
  FakeSolver fake;
  fake.integrated = true;
  abi::Solution both = not_convex();
  both.statistics.regularization = 1;
  fake.endings = {both, ended({.status = failed, .iterations = 20})};
  fake.climb();
  EXPECT_EQ(
      told(fake.asked, fake.options),
      (Lines{"as it is: from none, at most 300",
             "simulated guess with a later final time: from simulated to 10, at most 200",
             "simulated guess with controls near their upper bounds: from simulated to 1 with controls at 0.8, at most 200",
             "simulated guess with controls near their lower bounds: from simulated to 1 with controls at 0.2, at most 200",
             "perturbed guess: from none, perturbed 0.3 by seed 1, at most 200",
             "from near a saddle point: from attempt 1, perturbed 0.05 by seed 1, at most 220"}));
}

TEST(Searches, by_other_controls_begin_close_to_bounds_with_a_small_barrier) {
  FakeSolver fake;
  fake.endings = {ended({}), ended({.status = failed})};
  fake.better_controls = {controls(0.1, 0.5)};
  fake.options.nlp.engine_options.emplace_back("mu_init", "0.5");  // the user's
  fake.climb();
  ASSERT_GE(fake.asked.size(), 2u);
  EXPECT_EQ(told(fake.asked[1], fake.options),
            "controls of the least Hamiltonian: from controls of the least Hamiltonian, bound_push 1e-8, bound_frac 1e-8, "
            "at most 300");
}

TEST(Searches, by_other_controls_go_on_three_times_at_most) {
  FakeSolver fake;
  fake.endings = {ended({.objective = 10}), ended({.objective = 9}), ended({.objective = 8}), ended({.objective = 7}),
                  ended({.objective = 6})};
  for (int k = 0; k < 5; ++k) fake.better_controls.push_back(controls(1, 0.5));
  RetryOutcome outcome = fake.climb();
  EXPECT_EQ(fake.asked.size(), 4u);
  EXPECT_EQ(outcome.solution.objective, 7);
  EXPECT_EQ(outcome.tried, (Lines{"", "controls of the least Hamiltonian"}));
}

/// The objective that is kept of a first solution and one that a search gives.
double kept(abi::Solution first, const abi::Solution& other, bool maximize = false) {
  FakeSolver fake;
  fake.rocket.times[1].fixed = 1;
  fake.rocket.problem.maximize = maximize;
  fake.endings = {std::move(first), other};
  return fake.climb().solution.objective;
}

TEST(Searches, the_better_solution_is_kept) {
  EXPECT_EQ(kept(near_a_saddle(2), ended({.objective = 1})), 1);
  EXPECT_EQ(kept(near_a_saddle(2), ended({.objective = 3})), 2);
  EXPECT_EQ(kept(near_a_saddle(2), ended({.objective = 3}), true), 3);
  EXPECT_EQ(kept(near_a_saddle(2), ended({.objective = 1}), true), 2);
  EXPECT_EQ(kept(near_a_saddle(2), ended({.objective = 2 - 1e-7})), 2) << "the same but for the tolerance";
  EXPECT_EQ(kept(near_a_saddle(2), ended({.status = acceptable, .objective = 1})), 1);
  for (abi::SolveStatus status : {infeasible, iteration_limit, time_limit, diverging, evaluation_error, interrupted, failed})
    EXPECT_EQ(kept(near_a_saddle(2), ended({.status = status, .objective = 1})), 2) << abi::name_of(status);
}

TEST(Searches, another_optimum_is_told) {
  auto other_of = [](double first, double found) {
    FakeSolver fake;
    fake.integrated = true;
    fake.rocket.times[1].fixed = 1;
    fake.endings = {not_convex(first), ended({.objective = found})};
    return fake.climb().other;
  };
  EXPECT_EQ(other_of(2, 3), 3);                    // a poorer one
  EXPECT_EQ(other_of(2, 1), 2);                    // a better one takes its place
  EXPECT_EQ(other_of(2, 2.001), std::nullopt);     // a thousandth is the same
  EXPECT_EQ(other_of(1e-10, 5e-9), std::nullopt);  // two sums of squares that vanish
}

TEST(Searches, a_solution_that_comes_back_is_no_saddle) {
  auto is_saddle = [](double found) {
    FakeSolver fake;
    abi::Solution saddle = near_a_saddle(1);
    saddle.statistics.is_saddle = true;
    fake.endings = {saddle, ended({.objective = found})};
    return fake.climb().solution.statistics.is_saddle;
  };
  EXPECT_FALSE(is_saddle(1));
  EXPECT_TRUE(is_saddle(1.1));
}

TEST(Searches, iterates_that_run_away_from_a_saddle_make_the_problem_unbounded) {
  FakeSolver fake;
  fake.rocket.control.max = std::numeric_limits<double>::infinity();
  abi::Solution away = ended({.status = diverging, .objective = -1e12});
  away.phases[0].trajectories.u = {{0, 1e9}};
  fake.endings = {near_a_saddle(), away};
  EXPECT_EQ(fake.climb().solution.status, unbounded);
}

TEST(Searches, follow_where_the_first_attempt_failed) {
  FakeSolver fake;
  fake.integrated = true;
  fake.rocket.times[1].fixed = 1;
  fake.endings = {ended({.status = failed}), ended({.objective = 2}), ended({.objective = 1})};
  RetryOutcome outcome = fake.climb();
  EXPECT_EQ(names_of(fake.asked), (Lines{"as it is", "simulated guess", "perturbed guess"}));
  EXPECT_FALSE(fake.asked[1].bettering);
  EXPECT_TRUE(fake.asked[2].bettering);
  EXPECT_EQ(outcome.solution.objective, 1);
  EXPECT_EQ(outcome.other, 2);
  EXPECT_TRUE(outcome.first_failed);
}

TEST(Searches, none_is_what_an_attempt_was_before) {
  FakeSolver fake;
  fake.rocket.times[1].fixed = 1;
  fake.simulates = false;
  fake.rocket.model.n_u = 0;
  fake.endings = {ended({.status = failed}), ended({.status = failed}), ended({.objective = 2})};
  fake.climb();
  EXPECT_EQ(names_of(fake.asked), (Lines{"as it is", "straight lines to the end values", "perturbed guess"}));
}

TEST(Searches, follow_no_given_guess) {
  abi::Solution given = guess_named("given");
  FakeSolver fake;
  abi::Solution both = not_convex();
  both.statistics.regularization = 1;
  fake.endings = {both};
  fake.better_controls = {controls(0.1, 0.5)};
  fake.change = [&](RetryTask& task) { task.given = &given; };
  fake.climb();
  EXPECT_EQ(fake.asked.size(), 1u);
}

// ---------------------------------------------------------------- effort

/// Iterations of all searches, each of which takes all that it may.
int searched(int iterations, std::size_t variables, const std::function<void(FakeSolver&)>& change = {}) {
  FakeSolver fake;
  fake.integrated = true;
  abi::Solution found = not_convex();
  found.statistics.iterations = iterations;
  found.statistics.variables = variables;
  fake.endings = {found, ended({.status = iteration_limit, .iterations = 1'000'000})};
  fake.options.nlp.max_iterations = 1'000'000;
  if (change) change(fake);
  RetryOutcome outcome = fake.climb();
  return outcome.iterations - iterations;
}

TEST(Searches, take_300_iterations_in_a_small_problem_and_in_proportion_less_in_a_larger_one) {
  EXPECT_EQ(searched(100, 1000), 300);
  EXPECT_EQ(searched(100, 10), 300);
  EXPECT_EQ(searched(100, 2000), 150);
  EXPECT_EQ(searched(200, 1'000'000), 200);  // as many as the solution, where that is more
}

TEST(Searches, take_30_iterations_where_intervals_are_integrated) {
  auto shooting = [](FakeSolver& fake) { fake.options.transcription = "multiple-shooting"; };
  EXPECT_EQ(searched(25, 1000, shooting), 30);
  EXPECT_EQ(searched(70, 1000, shooting), 70);
}

TEST(Searches, none_begins_with_less_than_20_iterations_left) {
  EXPECT_EQ(searched(19, 1'000'000), 0);
  EXPECT_EQ(searched(20, 1'000'000), 20);
}

TEST(Searches, an_interrupt_ends_them_wherever_it_comes) {
  for (std::size_t k = 1; k <= elsewhere.size(); ++k) {
    FakeSolver fake;
    fake.integrated = true;
    fake.endings = {not_convex()};
    for (std::size_t i = 1; i < k; ++i) fake.endings.push_back(ended({.status = failed, .iterations = 1}));
    fake.endings.push_back(ended({.status = interrupted, .iterations = 1}));
    RetryOutcome outcome = fake.climb();
    EXPECT_EQ(fake.asked.size(), k + 1) << elsewhere[k - 1];
    EXPECT_EQ(outcome.solution.status, solved);
    ASSERT_TRUE(outcome.stopped) << elsewhere[k - 1];
    EXPECT_FALSE(outcome.stopped->by_time);
  }
}

TEST(Searches, none_begins_after_the_time_limit_and_the_outcome_says_so) {
  FakeSolver fake;
  fake.options.nlp.budget = Budget(1e-9);  // over before the first attempt ends
  fake.endings = {not_convex()};
  RetryOutcome outcome = fake.climb();
  EXPECT_EQ(fake.asked.size(), 1u);
  EXPECT_EQ(outcome.solution.status, solved);
  ASSERT_TRUE(outcome.stopped);
  EXPECT_EQ(outcome.stopped->what, search_for_optima);
  EXPECT_TRUE(outcome.stopped->by_time);
}

TEST(Searches, their_own_limit_of_time_is_no_limit_of_the_users) {
  FakeSolver fake;
  fake.integrated = true;
  fake.endings = {not_convex(), ended({.status = time_limit, .iterations = 20})};
  RetryOutcome outcome = fake.climb();
  EXPECT_EQ(outcome.solution.status, solved);
  EXPECT_FALSE(outcome.stopped);
  EXPECT_EQ(fake.asked.size(), 1 + elsewhere.size());
  for (std::size_t k = 1; k < fake.asked.size(); ++k) {
    EXPECT_GT(fake.asked[k].options.nlp.budget.left(), 0);
    EXPECT_LE(fake.asked[k].options.nlp.budget.left(), 11);
  }
}

// ---------------------------------------------------------------- other starts

/// A quarter of the variables: what is solved on a coarse mesh.
abi::Solution coarsely(double objective, int iterations = 8) {
  abi::Solution out = ended({.objective = objective, .iterations = iterations});
  out.statistics.variables = 250;
  return out;
}

/// The rocket is not convex, its final time is given, and its solves end like this.
RetryOutcome looked_from_others(FakeSolver& fake, std::deque<abi::Solution> endings) {
  fake.convex = false;
  fake.rocket.times[1].fixed = 1;
  fake.endings = std::move(endings);
  return fake.climb();
}

TEST(OtherStarts, are_five_where_all_end_at_the_optimum_that_is_known) {
  FakeSolver fake;
  RetryOutcome outcome = looked_from_others(fake, {ended({.objective = 5}), coarsely(5.1)});
  Lines expected{"as it is: from none, at most 300", "the solution on a coarse mesh: from attempt 1, 10 intervals, tol " +
                                                         shown(1e-6) +
                                                         ", bound_push 1e-6, bound_frac 1e-6, mu_init 1e-5, at most 40"};
  for (const char* start :
       {"guess perturbed by seed 1: from none, 10 intervals, perturbed 0.3 by seed 1",
        "the solution, its mirror image: from end at 1, 10 intervals",
        "the solution, half as far: from end at 1, 10 intervals", "the solution, the other way: from end at 1, 10 intervals",
        "controls at their upper bounds: from simulated to 1 with controls at 1, 10 intervals"})
    expected.push_back(start + (", tol " + shown(1e-6)) + ", at most 40");
  EXPECT_EQ(told(fake.asked, fake.options), expected);
  EXPECT_EQ(outcome.iterations, 100 + 6 * 2) << "in proportion to the variables";
  EXPECT_EQ(outcome.looked.coarse.starts, 5);
  EXPECT_EQ(outcome.looked.optima(), 1u);
  EXPECT_EQ(outcome.solution.objective, 5);
}

TEST(OtherStarts, that_are_better_are_solved_on_the_mesh_and_others_follow) {
  FakeSolver fake;
  RetryOutcome outcome = looked_from_others(
      fake, {ended({.objective = 5}), coarsely(5.1), coarsely(4.1), ended({.objective = 4}), coarsely(4.1)});
  Lines names = names_of(fake.asked);
  EXPECT_EQ(names[2], names[3]) << "the second time on the mesh";
  EXPECT_EQ(fake.asked[3].options.mesh, fake.options.mesh);
  EXPECT_EQ(fake.asked[3].from, "attempt 3");
  EXPECT_EQ(names.back(), "guess perturbed by seed 4");
  EXPECT_EQ(outcome.solution.objective, 4);
  EXPECT_EQ(outcome.tried, (Lines{"", "guess perturbed by seed 1"}));
  EXPECT_EQ(outcome.looked.optima(), 2u);
}

TEST(OtherStarts, begin_with_the_simulations_of_elsewhere_where_the_solution_was_hard_to_find) {
  FakeSolver fake;
  fake.convex = false;
  fake.endings = {not_convex(5), coarsely(5.1)};
  RetryOutcome outcome = fake.climb();
  Lines names = names_of(fake.asked);
  Lines expected{"as it is",   "the solution on a coarse mesh", elsewhere[0], elsewhere[1],
                 elsewhere[2], "guess perturbed by seed 1"};
  ASSERT_GE(names.size(), expected.size());
  names.resize(expected.size());
  EXPECT_EQ(names, expected);
  EXPECT_EQ(fake.asked[2].options.mesh, 10u);
  EXPECT_EQ(fake.asked[2].options.nlp.max_iterations, 40);
  EXPECT_EQ(fake.asked[2].from, "simulated to 10");
  EXPECT_EQ(outcome.other, std::nullopt);
}

TEST(OtherStarts, go_on_for_longer_where_the_solution_does_nothing) {
  FakeSolver fake;
  fake.convex = false;
  fake.endings = {idle(), coarsely(1)};
  fake.climb();
  ASSERT_GE(fake.asked.size(), 4u);
  EXPECT_EQ(names_of(fake.asked)[3], "simulated guess");
  EXPECT_EQ(fake.asked[3].options.nlp.max_iterations, 100);
}

TEST(OtherStarts, end_where_four_more_lead_nowhere_than_to_a_solution) {
  FakeSolver fake;
  abi::Solution nowhere = ended({.status = iteration_limit, .iterations = 1});
  looked_from_others(fake, {ended({.objective = 5}), coarsely(5.1), nowhere, coarsely(6), nowhere});
  EXPECT_EQ(fake.asked.size(), 2u + 6u);
}

TEST(OtherStarts, tell_of_the_optimum_that_was_left_for_a_better_one) {
  FakeSolver fake;
  fake.convex = false;
  fake.endings = {not_convex(5), coarsely(5.1), coarsely(4.1), ended({.objective = 4}), coarsely(4.1)};
  RetryOutcome outcome = fake.climb();
  EXPECT_EQ(outcome.solution.objective, 4);
  EXPECT_EQ(outcome.other, 5);
  EXPECT_EQ(outcome.tried, (Lines{"", elsewhere[0]}));
}

TEST(OtherStarts, take_half_of_the_intervals_where_a_solution_that_was_hard_to_find_is_none_on_a_fifth) {
  FakeSolver fake;
  fake.convex = false;
  fake.endings = {not_convex(5), ended({.status = failed, .iterations = 1}), coarsely(5.05)};
  RetryOutcome outcome = fake.climb();
  ASSERT_GE(fake.asked.size(), 4u);
  EXPECT_EQ(fake.asked[1].options.mesh, 10u);
  EXPECT_EQ(fake.asked[2].options.mesh, 25u);
  EXPECT_EQ(outcome.looked.coarse.intervals, 25u);
}

TEST(OtherStarts, that_are_worse_are_counted_alone) {
  FakeSolver fake;
  RetryOutcome outcome = looked_from_others(fake, {ended({.objective = 5}), coarsely(5.1), coarsely(7), coarsely(5.1)});
  EXPECT_EQ(outcome.solution.objective, 5);
  EXPECT_EQ(outcome.looked.optima(), 2u);
  EXPECT_EQ(outcome.looked.ends, std::vector<double>{5});
}

TEST(OtherStarts, are_left_where_the_solution_is_none_on_the_coarse_mesh) {
  FakeSolver fake;
  RetryOutcome outcome = looked_from_others(fake, {ended({}), ended({.status = failed})});
  EXPECT_EQ(fake.asked.size(), 2u);
  EXPECT_EQ(outcome.solution.status, solved);
  EXPECT_EQ(outcome.looked.starts + outcome.looked.coarse.starts, 1);
}

TEST(OtherStarts, take_a_fifth_of_the_iterations_where_there_seems_to_be_one_optimum) {
  FakeSolver fake;
  RetryOutcome outcome = looked_from_others(fake, {ended({.iterations = 100}), coarsely(1, 40)});
  EXPECT_EQ(fake.asked.size(), 1u + 2u) << "of ten iterations each, in proportion";
  EXPECT_EQ(outcome.iterations, 120);
}

TEST(OtherStarts, take_no_more_than_the_solution_took_where_there_are_several) {
  FakeSolver fake;
  RetryOutcome outcome = looked_from_others(fake, {ended({.iterations = 100}), coarsely(1, 40), coarsely(2, 40)});
  EXPECT_EQ(fake.asked.size(), 1u + 9u);
  EXPECT_EQ(outcome.iterations, 190);
}

TEST(OtherStarts, are_not_looked_for_in_convex_problems) {
  FakeSolver fake;
  fake.endings = {ended({})};
  EXPECT_TRUE(fake.climb().looked.is_convex);
  EXPECT_EQ(fake.asked.size(), 1u);
}

TEST(OtherStarts, are_made_of_the_solution_within_the_bounds) {
  Rocket rocket;
  bolza_variable height{};
  height.min = 0;
  height.max = std::numeric_limits<double>::infinity();
  rocket.model.n_x = 1;
  rocket.model.x = &height;
  abi::Solution solution = ended({});
  solution.phases[0].trajectories.time = {0, 1};
  solution.phases[0].trajectories.x = {{1, 3}};
  solution.phases[0].trajectories.u = {{-0.8, 0.4}};
  auto made = [&](OtherGuess::Kind kind, double factor) {
    abi::Solution guess = made_of(rocket.problem, solution, {"", kind, factor});
    return guess.phases.empty() ? abi::Trajectories{} : guess.phases[0].trajectories;
  };
  using enum OtherGuess::Kind;
  EXPECT_EQ(made(mirrored, 1).x[0], (std::vector<double>{0, 0}));
  EXPECT_EQ(made(mirrored, 1).u[0], (std::vector<double>{0.8, -0.4}));
  EXPECT_EQ(made(stretched, 2).x[0], (std::vector<double>{1, 5}));
  EXPECT_EQ(made(stretched, 2).u[0], (std::vector<double>{-1, 0.8}));
  EXPECT_EQ(made(stretched, 0).x[0], (std::vector<double>{1, 1}));
  EXPECT_EQ(made(lasting, 2).time, (std::vector<double>{0, 2}));
  EXPECT_TRUE(made(placed, 0.5).time.empty()) << "it has no upper bound";
  rocket.times[1].max = 9;
  EXPECT_EQ(made(placed, 0.5).time, (std::vector<double>{0, 4.5}));
  rocket.times[1].min = 0.01;  // the bounds are far apart: along the logarithm
  EXPECT_NEAR(made(placed, 0.5).time.back(), 0.3, 1e-12);
  rocket.times[1].fixed = 1;
  EXPECT_TRUE(made(lasting, 2).time.empty());
  EXPECT_TRUE(made(placed, 0.5).time.empty());
}

// ---------------------------------------------------------------- multi-start

TEST(Searches, of_multi_start_perturb_by_seeds_that_follow_each_other_and_keep_the_best) {
  FakeSolver fake;
  fake.endings = {ended({.objective = 3}), ended({.objective = 5}), ended({.status = infeasible}), ended({.objective = 1}),
                  ended({.objective = 2})};
  fake.change = [](RetryTask& task) {
    task.starts = 4;
    task.seed = 7;
  };
  RetryOutcome outcome = fake.climb();
  ASSERT_EQ(fake.asked.size(), 5u);
  EXPECT_EQ(told(fake.asked[3], fake.options), "guess perturbed by seed 9: from none, perturbed 0.3 by seed 9, at most 300");
  EXPECT_EQ(outcome.starts, 5);
  EXPECT_EQ(outcome.optima, (std::vector<double>{3, 5, 1, 2}));
  EXPECT_EQ(outcome.solution.objective, 1);
  EXPECT_EQ(outcome.tried, (Lines{"", "guess perturbed by seed 9"}));
}

TEST(Searches, of_multi_start_may_be_what_solves_the_problem) {
  FakeSolver fake;
  fake.rocket.times[1].fixed = 1;
  fake.endings = {ended({.status = infeasible}), ended({.objective = 2})};
  fake.change = [](RetryTask& task) {
    task.starts = 1;
    task.effort.attempts = Attempts::none;
  };
  RetryOutcome outcome = fake.climb();
  EXPECT_EQ(outcome.solution.status, solved);
  EXPECT_EQ(outcome.optima, std::vector<double>{2});
  EXPECT_TRUE(outcome.first_failed);
}

TEST(Searches, of_multi_start_end_when_interrupted) {
  FakeSolver fake;
  fake.endings = {ended({}), ended({}), ended({.status = interrupted})};
  fake.change = [](RetryTask& task) { task.starts = 10; };
  RetryOutcome outcome = fake.climb();
  EXPECT_EQ(fake.asked.size(), 3u);
  EXPECT_EQ(outcome.starts, 3);
  ASSERT_TRUE(outcome.stopped);
  EXPECT_EQ(outcome.solution.status, solved);
}

}  // namespace
}  // namespace bolza::workflow
