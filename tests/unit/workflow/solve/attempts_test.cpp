// SPDX-License-Identifier: Apache-2.0
// The attempts of a solve that fails (docs/solving.md, "Attempts"), over a solver that gives prepared answers.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

#include "tests/unit/workflow/solve/fake_solver.h"

namespace bolza::workflow {
namespace {

using enum abi::SolveStatus;
using Names = std::vector<std::string>;
using Statuses = std::vector<abi::SolveStatus>;

constexpr abi::SolveStatus every_status[] = {solved,      acceptable, infeasible, iteration_limit,
                                             time_limit,  diverging,  unbounded,  evaluation_error,
                                             interrupted, failed,     refused};

Names joined(std::initializer_list<Names> lists) {
  Names all;
  for (const Names& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

const Names first{"as it is"};
const Names later{"a later final time", "a later final time", "a later final time", "a later final time"};
const Names earlier{"an earlier final time", "an earlier final time", "an earlier final time"};
const Names other_guesses{"simulated guess", "one control value per interval", "straight lines to the end values",
                          "perturbed guess", "perturbed lines to the end values"};
const Names feasible{"the constraints first", "constraints tightened step by step"};
const Names last{"adaptive barrier", "implicit Euler on a coarse mesh", "dependent equations taken out"};

/// What of it was no search for a better solution.
std::vector<AskedSolve> attempts_of(const FakeSolver& fake) {
  std::vector<AskedSolve> out;
  std::ranges::copy_if(fake.asked, std::back_inserter(out), [](const AskedSolve& one) { return !one.bettering; });
  return out;
}

/// "attempt 3": the one whose solution is the outcome.
std::string kept_of(const RetryOutcome& outcome) {
  return outcome.solution.log.empty() ? "none" : outcome.solution.log.back().name;
}

struct AttemptRow {
  const char* how;
  Statuses statuses;  ///< of the solves in their order; the last one is that of all that follow
  Names attempts;
  abi::SolveStatus outcome;
  const char* kept;
  std::function<void(FakeSolver&)> change = {};
};

void fix_end(FakeSolver& fake) { fake.rocket.times[1].fixed = 1; }
void guess_end(FakeSolver& fake) {
  fake.rocket.times[1].has_guess = 1;
  fake.rocket.times[1].guess = 1;
}
void no_controls(FakeSolver& fake) { fake.rocket.model.n_u = 0; }
void no_simulation(FakeSolver& fake) { fake.simulates = false; }
void other_engine(FakeSolver& fake) { fake.options.nlp.engine = "hqp"; }
void far_horizon(FakeSolver& fake) { fake.natural = 5000; }
std::function<void(FakeSolver&)> with_task(std::function<void(RetryTask&)> change) {
  return [change](FakeSolver& fake) { fake.change = change; };
}

const AttemptRow rows[] = {
    // what a first attempt may end with
    {"solved", {solved}, first, solved, "attempt 1"},
    {"acceptable", {acceptable}, first, acceptable, "attempt 1"},
    {"infeasible", {infeasible}, joined({first, later, other_guesses, feasible, last}), infeasible, "attempt 1"},
    {"infeasible, and proven so",
     {infeasible},
     first,
     infeasible,
     "attempt 1",
     [](FakeSolver& fake) { fake.endings[0].statistics.is_proven = true; }},
    {"at its limit",
     {iteration_limit},
     joined({first, other_guesses, last, {"more iterations"}}),
     iteration_limit,
     "attempt 1"},
    {"out of time", {time_limit}, first, time_limit, "attempt 1"},
    {"diverging", {diverging}, joined({first, other_guesses, last}), diverging, "attempt 1"},
    {"not finite", {evaluation_error}, joined({first, earlier, other_guesses, last}), evaluation_error, "attempt 1"},
    {"interrupted", {interrupted}, first, interrupted, "attempt 1"},
    {"failed", {failed}, joined({first, other_guesses, last}), failed, "attempt 1"},
    {"refused", {refused}, first, refused, "attempt 1"},
    // what a later one may end with
    {"infeasible, then solved", {infeasible, solved}, {"as it is", later[0]}, solved, "attempt 2"},
    {"infeasible, then out of time", {infeasible, time_limit}, {"as it is", later[0]}, infeasible, "attempt 1"},
    {"infeasible, then interrupted", {infeasible, interrupted}, {"as it is", later[0]}, interrupted, "attempt 1"},
    {"infeasible, then refused", {infeasible, refused}, {"as it is", later[0]}, infeasible, "attempt 1"},
    {"no later time where it fails in another way",
     {infeasible, failed},
     joined({first, {later[0]}, other_guesses, last}),
     infeasible,
     "attempt 1"},
    {"earlier times only as long as values are not finite",
     {evaluation_error, evaluation_error, failed},
     joined({first, {earlier[0], earlier[1]}, other_guesses, last}),
     evaluation_error,
     "attempt 1"},
    {"an attempt that came to its limit is made longer at the end",
     {failed, iteration_limit, failed},
     joined({first, other_guesses, last, {"more iterations"}}),
     failed,
     "attempt 1"},
    {"more iterations are enough",
     {iteration_limit, failed, failed, failed, failed, failed, failed, failed, failed, solved},
     joined({first, other_guesses, last, {"more iterations"}}),
     solved,
     "attempt 10"},
    // attempts of two solves
    {"one control value, then as asked for",
     {failed, failed, solved, solved},
     {"as it is", "simulated guess", "one control value per interval", "from one control value per interval"},
     solved,
     "attempt 4"},
    {"one control value is the answer",
     {failed, failed, solved, failed},
     {"as it is", "simulated guess", "one control value per interval", "from one control value per interval"},
     solved,
     "attempt 3"},
    {"an interrupt after one control value",
     {failed, failed, solved, interrupted},
     {"as it is", "simulated guess", "one control value per interval", "from one control value per interval"},
     interrupted,
     "attempt 1"},
    {"implicit Euler, then as asked for",
     {failed, failed, failed, failed, failed, failed, failed, solved, solved},
     joined({first,
             other_guesses,
             {"adaptive barrier", "implicit Euler on a coarse mesh", "from implicit Euler on a coarse mesh"}}),
     solved,
     "attempt 9"},
    {"implicit Euler leads nowhere",
     {failed, failed, failed, failed, failed, failed, failed, solved, failed},
     joined({first,
             other_guesses,
             {"adaptive barrier", "implicit Euler on a coarse mesh", "from implicit Euler on a coarse mesh",
              "dependent equations taken out"}}),
     failed,
     "attempt 1"},
    {"the constraints, then as it is",
     {infeasible, infeasible, infeasible, infeasible, infeasible, infeasible, infeasible, infeasible, infeasible, infeasible,
      solved, solved},
     joined({first, later, other_guesses, {"the constraints first", "the constraints first"}}),
     solved,
     "attempt 12"},
    {"four steps of tightening, then as it is",
     {infeasible, infeasible, infeasible, infeasible, infeasible, infeasible, infeasible, infeasible, infeasible, infeasible,
      infeasible, solved, solved, solved, solved, solved},
     joined({first, later, other_guesses, {"the constraints first"}, Names(5, "constraints tightened step by step")}),
     solved,
     "attempt 16"},
    // problems and options that leave attempts out
    {"no other final time where it is fixed",
     {infeasible},
     joined({first, other_guesses, feasible, last}),
     infeasible,
     "attempt 1",
     fix_end},
    {"no other final time where it has a guess",
     {evaluation_error},
     joined({first, other_guesses, last}),
     evaluation_error,
     "attempt 1",
     guess_end},
    {"no constant controls where there are none",
     {failed},
     joined({first, {other_guesses[0], other_guesses[2], other_guesses[3], other_guesses[4]}, last}),
     failed,
     "attempt 1",
     no_controls},
    {"no simulated guess where nothing can be integrated",
     {failed},
     joined({first, {other_guesses[1], other_guesses[2], other_guesses[3], other_guesses[4]}, last}),
     failed,
     "attempt 1",
     no_simulation},
    {"no options of IPOPT for another engine",
     {infeasible},
     joined({first, later, other_guesses, {"constraints tightened step by step", "implicit Euler on a coarse mesh"}}),
     infeasible,
     "attempt 1",
     other_engine},
    {"the usual final time where the equations spoke of another one",
     {failed},
     joined({first, {"the usual final time"}, other_guesses, last}),
     failed,
     "attempt 1",
     far_horizon},
    {"no other attempt without `retry`", {infeasible}, first, infeasible, "attempt 1", with_task([](RetryTask& task) {
       task.retry = false;
     })},
    {"none before another problem comes", {infeasible}, first, infeasible, "attempt 1", with_task([](RetryTask& task) {
       task.effort.attempts = Attempts::none;
     })},
    {"one before another problem comes",
     {infeasible},
     {"as it is", "simulated guess"},
     infeasible,
     "attempt 1",
     with_task([](RetryTask& task) { task.effort.attempts = Attempts::simulated_guess; })},
    {"single shooting has what its few variables leave",
     {infeasible},
     joined({first, later, {"implicit Euler on a coarse mesh"}}),
     infeasible,
     "attempt 1",
     with_task([](RetryTask& task) { task.reduced = true; })},
    {"none twice: `guess` simulate",
     {failed},
     joined({first, {other_guesses[1], other_guesses[2], other_guesses[3], other_guesses[4]}, last}),
     failed,
     "attempt 1",
     with_task([](RetryTask& task) { task.guess = Guess::simulated; })},
    {"none twice: `guess` linear",
     {failed},
     joined({first, {other_guesses[0], other_guesses[1], other_guesses[3], other_guesses[4]}, last}),
     failed,
     "attempt 1",
     with_task([](RetryTask& task) { task.guess = Guess::linear; })},
    {"none twice: `guess` perturbed",
     {failed},
     joined({first, {other_guesses[0], other_guesses[1], other_guesses[2], other_guesses[4]}, last}),
     failed,
     "attempt 1",
     with_task([](RetryTask& task) { task.guess = Guess::perturbed; })},
    {"none twice: controls are constant",
     {failed},
     joined({first, {other_guesses[0], other_guesses[2], other_guesses[3], other_guesses[4]}, last}),
     failed,
     "attempt 1",
     [](FakeSolver& fake) { fake.options.control_constant = true; }},
    {"none twice: the user's barrier",
     {failed},
     joined({first, other_guesses, {last[1], last[2]}}),
     failed,
     "attempt 1",
     [](FakeSolver& fake) { fake.options.nlp.engine_options.emplace_back("mu_strategy", "monotone"); }},
    {"a static problem has other starts",
     {infeasible},
     joined({first, Names(16, "another start")}),
     infeasible,
     "attempt 1",
     [](FakeSolver& fake) { fake.rocket.problem.is_static = 1; }},
};

void PrintTo(const AttemptRow& row, std::ostream* out) { *out << row.how; }

class AttemptsOfRow : public testing::TestWithParam<AttemptRow> {};

TEST_P(AttemptsOfRow, are_those_of_the_table) {
  const AttemptRow& row = GetParam();
  FakeSolver fake;
  end_so(fake, row.statuses);
  if (row.change) row.change(fake);
  RetryOutcome outcome = fake.climb();
  EXPECT_EQ(names_of(attempts_of(fake)), row.attempts) << row.how;
  EXPECT_EQ(outcome.solution.status, row.outcome) << row.how << ": " << abi::name_of(outcome.solution.status);
  EXPECT_EQ(kept_of(outcome), row.kept) << row.how;
  EXPECT_EQ(outcome.first_failed, !abi::is_solution(row.statuses[0])) << row.how;
}

INSTANTIATE_TEST_SUITE_P(Attempts, AttemptsOfRow, testing::ValuesIn(rows));

TEST(Attempts, a_first_one_with_any_status_either_ends_them_or_has_all_that_follow) {
  for (abi::SolveStatus status : every_status) {
    FakeSolver fake;
    end_so(fake, {status});
    RetryOutcome outcome = fake.climb();
    bool ends = abi::is_solution(status) || status == time_limit || status == interrupted || status == refused;
    EXPECT_EQ(fake.asked.size() == 1, ends) << abi::name_of(status);
    EXPECT_EQ(outcome.solution.status, status);
    EXPECT_EQ(outcome.tried.front(), "");
  }
}

TEST(Attempts, change_the_options_and_the_guess_as_documented) {
  FakeSolver fake;
  end_so(fake, {infeasible});
  fake.climb();
  EXPECT_EQ(
      told(fake.asked, fake.options),
      (Names{"as it is: from none, at most 300", "a later final time: from end at 10, at most 300",
             "a later final time: from end at 1000, at most 300", "a later final time: from end at 100000, at most 300",
             "a later final time: from end at 1e+07, at most 300", "simulated guess: from simulated, at most 150",
             "one control value per interval: from simulated, control constant, at most 100",
             "straight lines to the end values: from none, lines, at most 300",
             "perturbed guess: from none, perturbed 0.3 by seed 1, at most 300",
             "perturbed lines to the end values: from none, lines, perturbed 0.3 by seed 1, at most 300",
             "the constraints first: from simulated, obj_scaling_factor 1e-6, at most 300",
             "constraints tightened step by step: from simulated, widened 1, at most 150",
             "adaptive barrier: from none, mu_strategy adaptive, at most 300",
             "implicit Euler on a coarse mesh: from simulated, implicit-euler, 12 intervals, control constant, tol "
             "1e-05, at most 300",
             "dependent equations taken out: from none, dependency_detector mumps, at most 300"}));
}

TEST(Attempts, ask_for_a_proof_of_the_problem_as_it_is_alone) {
  FakeSolver fake;
  end_so(fake, {infeasible});
  fake.climb();
  for (const AskedSolve& asked : fake.asked)
    EXPECT_EQ(asked.options.nlp.wants_proof, &asked == &fake.asked[0]) << asked.what;
}

TEST(Attempts, of_an_earlier_time_have_three_tenths_a_tenth_and_three_hundredths_of_it) {
  FakeSolver fake;
  end_so(fake, {evaluation_error});
  fake.climb();
  ASSERT_GE(fake.asked.size(), 4u);
  EXPECT_EQ(fake.asked[1].from, "end at 0.3");
  EXPECT_EQ(fake.asked[2].from, "end at 0.1");
  EXPECT_EQ(fake.asked[3].from, "end at 0.03");
}

TEST(Attempts, of_two_solves_hand_the_solution_of_the_first_to_the_second) {
  FakeSolver fake;
  end_so(fake, {failed, failed, solved, failed});
  fake.climb();
  ASSERT_GE(fake.asked.size(), 4u);
  EXPECT_EQ(told(fake.asked[3], fake.options), "from one control value per interval: from attempt 3, at most 300");
}

TEST(Attempts, tighten_in_four_steps_each_from_the_solution_before) {
  FakeSolver fake;
  Statuses statuses(11, infeasible);
  statuses.push_back(solved);
  end_so(fake, statuses);
  fake.climb();
  Names steps;
  for (const AskedSolve& one : attempts_of(fake))
    if (one.what == "constraints tightened step by step") steps.push_back(told(one, fake.options));
  const std::string what = "constraints tightened step by step: from ";
  EXPECT_EQ(steps, (Names{what + "simulated, widened 1, at most 150", what + "attempt 12, widened 0.6, at most 150",
                          what + "attempt 13, widened 0.5, at most 150", what + "attempt 14, widened 0.3, at most 150",
                          what + "attempt 15, at most 300"}));
}

TEST(Attempts, a_later_time_is_tried_where_next_to_nothing_of_the_horizon_was_left) {
  FakeSolver fake;
  end_so(fake, {failed});
  fake.endings[0].phases[0].final_time = 0.009;
  fake.climb();
  EXPECT_EQ(names_of(fake.asked), joined({first, later, other_guesses, last}));
  FakeSolver longer;
  end_so(longer, {failed});
  longer.endings[0].phases[0].final_time = 0.011;
  longer.climb();
  EXPECT_EQ(names_of(longer.asked), joined({first, other_guesses, last}));
}

TEST(Attempts, a_later_time_stays_within_its_bounds) {
  FakeSolver fake;
  end_so(fake, {infeasible});
  fake.rocket.times[1].max = 50;
  fake.climb();
  EXPECT_EQ(fake.asked[1].from, "end at 10");
  EXPECT_EQ(fake.asked[2].from, "end at 50");
}

TEST(Attempts, none_but_the_coarse_and_the_last_begins_after_1750_iterations) {
  FakeSolver fake;
  end_so(fake, {iteration_limit}, 100'000);
  RetryOutcome outcome = fake.climb();
  // 300 + 150 + 100 + 300 + 300 + 300 + 300 = 1750: dependent equations would come after it, and more
  EXPECT_EQ(names_of(fake.asked),
            joined({first, other_guesses, {"adaptive barrier", "implicit Euler on a coarse mesh", "more iterations"}}));
  EXPECT_EQ(outcome.iterations, 1750 + 300 + 3000);
}

TEST(Attempts, one_still_begins_after_1750_iterations_and_none_after_1751) {
  FakeSolver fake;
  for (int k = 0; k < 7; ++k) fake.endings.push_back(ended({.status = infeasible, .iterations = 1000}));
  fake.endings.push_back(ended({.status = infeasible, .iterations = 1}));  // 5*300 + 150 + 100 = 1750 before it
  fake.climb();
  EXPECT_EQ(names_of(fake.asked), joined({first,
                                          later,
                                          {"simulated guess", "one control value per interval",
                                           "straight lines to the end values", "implicit Euler on a coarse mesh"}}));
}

TEST(Attempts, none_has_more_iterations_than_the_user_allows) {
  FakeSolver fake;
  fake.options.nlp.max_iterations = 40;
  end_so(fake, {iteration_limit}, 100'000);
  fake.climb();
  EXPECT_EQ(names_of(fake.asked), joined({first, other_guesses, last}));  // the first had all there are
  for (const AskedSolve& one : fake.asked) EXPECT_LE(one.options.nlp.max_iterations, 40) << one.what;
}

TEST(Attempts, have_no_more_iterations_than_the_effort_says) {
  FakeSolver fake;
  end_so(fake, {infeasible}, 1000);
  fake.change = [](RetryTask& task) { task.effort = {.attempts = Attempts::simulated_guess, .most = 70}; };
  RetryOutcome outcome = fake.climb();
  EXPECT_EQ(told(fake.asked, fake.options),
            (Names{"as it is: from none, at most 70", "simulated guess: from simulated, at most 70"}));
  EXPECT_EQ(outcome.iterations, 140);
}

TEST(Attempts, a_simulated_guess_before_another_problem_has_100_iterations) {
  FakeSolver fake;
  end_so(fake, {infeasible});
  fake.change = [](RetryTask& task) { task.effort.attempts = Attempts::simulated_guess; };
  fake.climb();
  EXPECT_EQ(fake.asked.back().options.nlp.max_iterations, 100);
}

// ---------------------------------------------------------------- other_guesses

TEST(Attempts, the_first_begins_with_data_then_the_own_guess_then_a_constant) {
  abi::Solution own = guess_named("own");
  auto first_of = [&](bool data, bool has_own, Guess kind) {
    FakeSolver fake;
    fake.has_data = data;
    end_so(fake, {solved});
    fake.change = [&](RetryTask& task) {
      task.guess = kind;
      task.own = has_own ? &own : nullptr;
    };
    fake.climb();
    return told(fake.asked[0], fake.options);
  };
  EXPECT_EQ(first_of(false, false, Guess::automatic), "as it is: from none, at most 300");
  EXPECT_EQ(first_of(true, false, Guess::automatic), "as it is: from data, at most 300");
  EXPECT_EQ(first_of(true, true, Guess::automatic), "as it is: from own, at most 300");
  EXPECT_EQ(first_of(true, false, Guess::constant), "as it is: from none, at most 300");
  EXPECT_EQ(first_of(false, true, Guess::constant), "as it is: from own, at most 300");
  EXPECT_EQ(first_of(true, true, Guess::linear), "as it is: from none, lines, at most 300");
  EXPECT_EQ(first_of(false, false, Guess::simulated), "as it is: from simulated, at most 300");
  EXPECT_EQ(first_of(false, false, Guess::perturbed), "as it is: from none, perturbed 0.3 by seed 1, at most 300");
}

TEST(Attempts, a_given_guess_with_multipliers_has_60_iterations_and_comes_again_without) {
  abi::Solution given = guess_named("given");
  FakeSolver fake;
  fake.options.nlp.warm_start = true;
  fake.options.nlp.barrier = 1e-6;
  end_so(fake, {iteration_limit}, 100'000);
  fake.change = [&](RetryTask& task) { task.given = &given; };
  fake.climb();
  EXPECT_EQ(told(fake.asked[0], fake.options), "as it is: from given, with multipliers, barrier 1e-06, at most 60");
  EXPECT_EQ(told(fake.asked[1], fake.options), "without the multipliers of the guess: from given, at most 300");
  EXPECT_EQ(fake.asked[2].what, "simulated guess");
  EXPECT_EQ(told(fake.asked.back(), fake.options), "more iterations: from given, at most 3000");
  for (std::size_t k = 2; k < fake.asked.size(); ++k) EXPECT_FALSE(fake.asked[k].options.nlp.warm_start);
}

TEST(Attempts, a_given_guess_that_holds_without_its_multipliers_is_followed_by_nothing) {
  abi::Solution given = guess_named("given");
  FakeSolver fake;
  fake.options.nlp.warm_start = true;
  end_so(fake, {infeasible, solved});
  fake.change = [&](RetryTask& task) { task.given = &given; };
  RetryOutcome outcome = fake.climb();
  EXPECT_EQ(outcome.tried, (Names{"", without_multipliers}));
  EXPECT_EQ(fake.asked.size(), 2u);  // nor are other optima looked for
}

TEST(Attempts, a_first_one_that_failed_before_is_not_made_again) {
  abi::Solution before = ended({.status = infeasible});
  FakeSolver fake;
  end_so(fake, {failed, solved});
  fake.change = [&](RetryTask& task) { task.failed = &before; };
  RetryOutcome outcome = fake.climb();
  EXPECT_EQ(names_of(attempts_of(fake)), (Names{later[0], "simulated guess"}));
  EXPECT_EQ(outcome.tried, (Names{"", later[0], "simulated guess"}));
  EXPECT_TRUE(outcome.first_failed);
}

TEST(Attempts, one_that_failed_before_at_its_limit_is_made_longer_at_the_end) {
  abi::Solution before = ended({.status = iteration_limit});
  FakeSolver fake;
  end_so(fake, {failed});
  fake.change = [&](RetryTask& task) { task.failed = &before; };
  fake.climb();
  EXPECT_EQ(fake.asked.back().what, "more iterations");
}

TEST(Attempts, the_first_begins_at_the_time_that_the_equations_speak_of_where_it_is_far_off) {
  auto guess_of_first = [](double natural) {
    FakeSolver fake;
    fake.natural = natural;
    end_so(fake, {solved});
    fake.climb();
    return fake.asked[0].from;
  };
  EXPECT_EQ(guess_of_first(29), "none");
  EXPECT_EQ(guess_of_first(31), "end at 31");
  EXPECT_EQ(guess_of_first(0.04), "none");
  EXPECT_EQ(guess_of_first(0.03), "end at 0.03");
  EXPECT_EQ(guess_of_first(0), "none") << "not known";
}

TEST(Attempts, the_seed_of_perturbed_guesses_is_the_users) {
  FakeSolver fake;
  end_so(fake, {failed});
  fake.change = [](RetryTask& task) { task.seed = 17; };
  fake.climb();
  std::vector<std::uint32_t> seeds;
  for (const AskedSolve& one : fake.asked)
    if (one.options.perturbation > 0) seeds.push_back(one.options.seed);
  EXPECT_EQ(seeds, (std::vector<std::uint32_t>{17, 17}));
}

TEST(Attempts, the_guess_is_simulated_once_for_all) {
  FakeSolver fake;
  end_so(fake, {infeasible});
  fake.climb();
  EXPECT_EQ(fake.simulations, 1);
}

/// A simulation whose control is `u`.
abi::Solution simulation_with(double u) {
  abi::Solution out = guess_named("simulated");
  out.phases[0].trajectories.time = {0, 1};
  out.phases[0].trajectories.u = {{0, u}};
  return out;
}

TEST(Attempts, leave_out_a_simulation_in_which_nothing_moves) {
  auto second = [](double u, const std::function<void(FakeSolver&)>& change = {}) {
    FakeSolver fake;
    fake.rocket.times[1].fixed = 1;
    fake.library.simulated_guess = u == 0 ? [](bolza_problem&, const Budget&, const abi::Solution*, const abi::Solution*,
                                               double) { return simulation_with(0); }
                                          : [](bolza_problem&, const Budget&, const abi::Solution*, const abi::Solution*,
                                               double) { return simulation_with(0.1); };
    end_so(fake, {iteration_limit});
    if (change) change(fake);
    fake.climb();
    return names_of(fake.asked).at(1);
  };
  EXPECT_EQ(second(0), "one control value per interval");
  EXPECT_EQ(second(0.1), "simulated guess");
  EXPECT_EQ(second(0, [](FakeSolver& fake) { fake.has_data = true; }), "simulated guess");
  EXPECT_EQ(second(0, [](FakeSolver& fake) { fake.rocket.model.n_z = 1; }), "simulated guess");
}

}  // namespace
}  // namespace bolza::workflow
