// SPDX-License-Identifier: Apache-2.0
// For each kind of doubt a solution that gets it, and neighbours that do not.
#include "workflow/solve/doubts.h"

#include <gtest/gtest.h>

#include <limits>

#include "runtime/transcribe/collocation/delay_windows.h"
#include "tests/unit/workflow/models.h"
#include "tests/unit/workflow/solve/fake_solver.h"
#include "workflow/solve/check_solution.h"
#include "workflow/solve/shooting_settings.h"

namespace bolza::workflow {
namespace {

using Doubts = std::vector<std::string>;

/// The least time to a place, with a parameter that may be free and a control that may be of any type.
std::string problem_text(const std::string& control = "input Real u(min = -1, max = 1)",
                         const std::string& parameter = "parameter Real p = 1",
                         const std::string& equation = "der(x) = u + p") {
  return "optimization P(objective = finalTime, finalTime(free = true, min = 0))\n  Real x(start = 0, fixed = true);\n  " +
         control + ";\n  " + parameter + ";\nequation\n  " + equation + ";\nconstraint\n  x(finalTime) = 1;\nend P;\n";
}

/// Whether there is one doubt, with that in its text.
testing::AssertionResult has_doubt(const Doubts& doubts, const std::string& text) {
  if (doubts.size() == 1 && doubts[0].find(text) != std::string::npos) return testing::AssertionSuccess();
  testing::AssertionResult result = testing::AssertionFailure()
                                    << doubts.size() << " doubts instead of one with `" << text << "`:";
  for (const std::string& doubt : doubts) result << "\n  " << doubt;
  return result;
}

Doubts of_integers(const Model& model, const abi::IntegerStatistics& integers, double objective,
                   const driver::Options& options = {}) {
  abi::Solution solution = ended({.objective = objective});
  solution.integers = integers;
  Doubts doubts;
  doubt_integers(model, options, solution, doubts);
  return doubts;
}

TEST(DoubtIntegers, whole_numbers_that_were_relaxed_are_named) {
  auto real = model_of(problem_text());
  auto whole = model_of(problem_text("input Integer u(min = -1, max = 1)"));
  auto truth = model_of(problem_text("input Boolean b", "parameter Real p = 1", "der(x) = (if b then 1 else 0) + p"));
  auto parameter = model_of(problem_text("input Real u(min = -1, max = 1)",
                                         "parameter Integer n(free = true, min = 1, max = 3)", "der(x) = u + n"));
  EXPECT_EQ(of_integers(*real, {}, 1), Doubts());
  EXPECT_TRUE(has_doubt(of_integers(*whole, {}, 1), "`u` is an Integer, and was solved for as a Real"));
  EXPECT_TRUE(has_doubt(of_integers(*truth, {}, 1), "`b` is a Boolean"));
  EXPECT_TRUE(has_doubt(of_integers(*parameter, {}, 1), "`n` is an Integer"));
  EXPECT_EQ(of_integers(*whole, {.any = true, .found = true, .relaxed = 1}, 1), Doubts());
}

TEST(DoubtIntegers, whole_numbers_better_than_real_ones_are_doubted) {
  auto whole = model_of(problem_text("input Integer u(min = -1, max = 1)"));
  auto most = model_of(
      "optimization P(objective = -x(finalTime), finalTime = 1)\n  Real x(start = 0, fixed = true);\n  input Integer u(min "
      "= 0, "
      "max = 1);\nequation\n  der(x) = u;\nend P;\n");
  EXPECT_TRUE(has_doubt(of_integers(*whole, {.any = true, .found = true, .relaxed = 2}, 1.9), "was a local optimum only"));
  EXPECT_EQ(of_integers(*whole, {.any = true, .found = true, .relaxed = 2}, 1.9999), Doubts()) << "within the tolerance";
  EXPECT_EQ(of_integers(*whole, {.any = true, .found = true, .relaxed = 2}, 2.5), Doubts());
  EXPECT_EQ(of_integers(*whole, {.any = true, .found = false, .relaxed = 2}, 1), Doubts()) << "none were found";
  EXPECT_FALSE(most->abi().maximize);
}

TEST(DoubtIntegers, a_search_that_was_ended_says_what_may_be_missing) {
  auto whole = model_of(problem_text("input Integer u(min = -1, max = 1)"));
  abi::IntegerStatistics ended_early{.any = true, .found = true, .stopped = "the limit of nodes", .relaxed = 1, .gap = 0.5};
  Doubts doubts = of_integers(*whole, ended_early, 2, options_of({{"max-nodes", "30"}}));
  EXPECT_TRUE(has_doubt(doubts, "may be better by up to 0.5 (25 %)"));
  EXPECT_TRUE(has_doubt(doubts, "`--max-nodes 300` searches on"));
  ended_early.stopped = "the time limit";
  doubts = of_integers(*whole, ended_early, 2);
  EXPECT_TRUE(has_doubt(doubts, "the time limit ended the search"));
  EXPECT_EQ(doubts[0].find("--max-nodes"), std::string::npos);
}

TEST(DoubtSaddle, a_stationary_point_that_is_no_minimum_is_doubted) {
  auto model = model_of(problem_text());
  abi::Solution solution = ended({});
  Doubts doubts;
  doubt_saddle(*model, solution, doubts);
  EXPECT_EQ(doubts, Doubts());
  solution.statistics.is_saddle = true;
  doubt_saddle(*model, solution, doubts);
  EXPECT_TRUE(has_doubt(doubts, "not a minimum: the objective falls nearby"));
  model->abi().maximize = 1, doubts.clear();
  doubt_saddle(*model, solution, doubts);
  EXPECT_TRUE(has_doubt(doubts, "not a maximum: the objective rises nearby"));
}

Doubts of_parameter(const std::string& attributes, double value, double size = 1) {
  auto model = model_of(problem_text("input Real u(min = -1, max = 1)", "parameter Real p(" + attributes + ")"));
  abi::Solution solution = ended({});
  const bolza_problem& problem = model->abi();
  solution.parameters.assign(problem.n_parameters, 1), solution.parameter_scale.assign(problem.n_parameters, size);
  for (std::size_t k = 0; k < problem.n_parameters; ++k)
    if (std::string(problem.parameters[k].name) == "p") solution.parameters[k] = value;
  Doubts doubts;
  doubt_far_parameters(*model, solution, doubts);
  return doubts;
}

TEST(DoubtFarParameters, what_nothing_stopped_far_from_its_start_is_doubted) {
  EXPECT_TRUE(has_doubt(of_parameter("free = true, start = 2", 1e6), "`p` = 1e+06 is far from 2"));
  EXPECT_TRUE(has_doubt(of_parameter("free = true", -1e6), "is far from 0"));
  EXPECT_EQ(of_parameter("free = true", 0.9e5), Doubts());
  EXPECT_EQ(of_parameter("free = true, start = 20", 1e6), Doubts()) << "not so far from where it started";
  EXPECT_EQ(of_parameter("free = true", 1e6, 100), Doubts()) << "compared with its size";
  EXPECT_EQ(of_parameter("free = true, nominal = 1", 1e6), Doubts()) << "has a nominal value";
  EXPECT_EQ(of_parameter("free = true, max = 1e7", 1e6), Doubts()) << "has a bound on that side";
  EXPECT_TRUE(has_doubt(of_parameter("free = true, min = -1e7", 1e6), "far from")) << "a bound on the other side";
}

TEST(DoubtHorizon, a_horizon_of_no_length_is_doubted) {
  auto model = model_of(problem_text());
  auto doubts_of = [&](double length) {
    abi::Solution solution = ended({});
    solution.phases[0].final_time = length;
    Doubts doubts;
    doubt_horizon(*model, solution, doubts);
    return doubts;
  };
  EXPECT_TRUE(has_doubt(doubts_of(1e-8), "nothing asks for a later `finalTime`"));
  EXPECT_EQ(doubts_of(1e-5), Doubts());
}

Doubts of_violation(const abi::Finding& finding, const driver::Options& options = {}) {
  auto model = model_of(problem_text());
  static abi::Finding found;
  found = finding;
  SolverLibrary library{};
  library.constraint_violation = [](bolza_problem&, const abi::Solution&, double part) {
    EXPECT_EQ(part, 1e-3);
    transcribe::Violation violation;
    if (!found.name.empty()) violation.findings = {found, found};
    return violation;
  };
  Doubts doubts;
  doubt_violations(*model, options, library, ended({}), doubts);
  return doubts;
}

TEST(DoubtViolations, the_first_constraint_that_does_not_hold_is_doubted) {
  abi::Finding at_the_end{.name = "x(finalTime) = 1", .time = std::nan(""), .value = 0.9, .bound = 1, .amount = 0.1};
  abi::Finding on_the_way = at_the_end;
  on_the_way.time = 0.5;
  EXPECT_EQ(of_violation({}), Doubts());
  EXPECT_TRUE(has_doubt(of_violation(at_the_end), "does not hold: 0.9 is off its limit 1 by 0.1"));
  EXPECT_TRUE(has_doubt(of_violation(on_the_way), "does not hold at t = 0.5"));
  driver::Options shooting = options_of({{"transcription", "multiple-shooting"}});
  EXPECT_EQ(of_violation(on_the_way, shooting), Doubts()) << "between samples of shooting: another doubt";
  EXPECT_TRUE(has_doubt(of_violation(at_the_end, shooting), "does not hold"));
}

transcribe::Resimulation simulated_beyond(double amount = 0.1) {
  transcribe::Resimulation simulated;
  simulated.finished = true, simulated.deviation = 1e-5, simulated.state = "x", simulated.time = 0.3;
  simulated.clear = abi::Finding{.name = "x <= 1", .time = 0.5, .value = 1 + amount, .bound = 1, .amount = amount};
  return simulated;
}

TEST(DoubtSimulated, a_constraint_that_the_simulation_breaks_is_doubted) {
  auto doubts_of = [](const transcribe::Resimulation& simulated, const driver::Options& options = {}) {
    Doubts doubts;
    doubt_simulated(simulated, options, doubts);
    return doubts;
  };
  EXPECT_TRUE(
      has_doubt(doubts_of(simulated_beyond()), "`x <= 1` is 1.1 at t = 0.5, beyond its limit 1 by 0.1; a finer mesh"));
  EXPECT_TRUE(has_doubt(doubts_of(simulated_beyond(), options_of({{"transcription", "single-shooting"}})),
                        "`--path-constraints maxima`"));
  transcribe::Resimulation clear = simulated_beyond(), stopped = clear, unstable = clear;
  clear.clear.reset(), stopped.finished = false, unstable.deviation = 0.01;
  EXPECT_EQ(doubts_of(clear), Doubts());
  EXPECT_EQ(doubts_of(stopped), Doubts()) << "the simulation did not come to its end: another doubt";
  EXPECT_EQ(doubts_of(unstable), Doubts()) << "states differ: it says nothing about constraints";
}

TEST(DoubtBorder, a_solution_in_modes_along_a_border_that_the_equations_do_not_follow_is_doubted) {
  auto doubts_of = [](bool border, double deviation) {
    SolveOutcome outcome;
    if (border) outcome.border = Border{"x > 0", 0.25, 0.75};
    transcribe::Resimulation simulated = simulated_beyond();
    simulated.deviation = deviation;
    doubt_border(simulated, outcome);
    return outcome.doubts;
  };
  EXPECT_TRUE(has_doubt(doubts_of(true, 0.02), "`x > 0` is at its limit from t = 0.25 to 0.75"));
  EXPECT_EQ(doubts_of(true, 0.009), Doubts());
  EXPECT_EQ(doubts_of(true, std::nan("")), Doubts());
  EXPECT_EQ(doubts_of(false, 0.02), Doubts());
}

TEST(DoubtBranches, an_algebraic_that_jumps_to_another_solution_is_doubted) {
  auto model = model_of(problem_text());
  SolverLibrary library{};
  Doubts doubts;
  library.branch_jump = [](const bolza_problem&, const abi::Solution&) { return std::optional<transcribe::BranchJump>(); };
  doubt_branches(*model, library, ended({}), doubts);
  EXPECT_EQ(doubts, Doubts());
  library.branch_jump = [](const bolza_problem&, const abi::Solution&) {
    return std::optional(transcribe::BranchJump{"z", 0.5, 1, -1, 1.1, 2});
  };
  doubt_branches(*model, library, ended({}), doubts);
  EXPECT_TRUE(has_doubt(doubts, "`z` jumps to another solution of its equations at t = 0.5 (the first of 2 such jumps)"));
}

/// The outcome of a solution with the objective 2, for which other controls gain so much.
SolveOutcome with_better_controls(double gain, const std::function<void(SolveOutcome&)>& change = {}) {
  auto model = model_of(problem_text());
  static double gained;
  gained = gain;
  SolverLibrary library{};
  library.better_controls = [](bolza_problem&, const abi::Solution&) {
    if (gained == 0) return std::optional<transcribe::BetterControls>();
    return std::optional(
        transcribe::BetterControls{.name = "u", .time = 0.5, .value = 1, .better = -1, .gain = gained, .share = 0.25});
  };
  SolveOutcome outcome;
  outcome.solution = ended({.objective = 2});
  if (change) change(outcome);
  doubt_minimum_principle(*model, library, outcome);
  return outcome;
}

TEST(DoubtMinimumPrinciple, other_controls_that_gain_enough_are_a_doubt) {
  EXPECT_EQ(with_better_controls(0).doubts, Doubts());
  EXPECT_EQ(with_better_controls(1.9e-3).doubts, Doubts()) << "a thousandth of the objective";
  EXPECT_TRUE(has_doubt(with_better_controls(2.1e-3).doubts,
                        "the Hamiltonian is smaller with `u` = -1 than with 1; such "
                        "controls, over 25 % of the horizon"));
  auto known = [](double error) { return [error](SolveOutcome& outcome) { outcome.accuracy.objective_error = error; }; };
  EXPECT_EQ(with_better_controls(0.1, known(0.21)).doubts, Doubts()) << "half of the error that is told";
  EXPECT_TRUE(has_doubt(with_better_controls(0.1, known(0.19)).doubts, "local optimum"));
  auto whole = [](SolveOutcome& outcome) { outcome.solution.integers.any = true; };
  EXPECT_EQ(with_better_controls(1, whole).doubts, Doubts());
}

TEST(DoubtMinimumPrinciple, what_they_gain_is_a_part_of_the_error) {
  EXPECT_DOUBLE_EQ(with_better_controls(1e-3).accuracy.objective_error, 1e-3);
  auto grids = [](SolveOutcome& outcome) {
    outcome.accuracy.of_controls = true, outcome.accuracy.objective_error = 0.1, outcome.accuracy.objective_bound = 0.3;
  };
  EXPECT_DOUBLE_EQ(with_better_controls(0.5, grids).accuracy.objective_error, 0.3);  // 0.1 + what grids do not cost
  EXPECT_DOUBLE_EQ(with_better_controls(0.2, grids).accuracy.objective_error, 0.1);
}

TEST(DoubtGap, a_barrier_that_leaves_a_tenth_of_the_objective_is_doubted) {
  auto doubts_of = [](double objective, double gap) {
    abi::Solution solution = ended({.objective = objective});
    solution.statistics.gap = gap;
    Doubts doubts;
    doubt_gap(solution, doubts);
    return doubts;
  };
  EXPECT_TRUE(has_doubt(doubts_of(-1, 0.11), "may still be better by 0.11"));
  EXPECT_EQ(doubts_of(-1, 0.09), Doubts());
  EXPECT_EQ(doubts_of(1e-3, 0.9e-3), Doubts()) << "less than what matters";
  EXPECT_EQ(doubts_of(1e-3, 0.2), Doubts()) << "the objective is zero but for rounding";
  EXPECT_EQ(doubts_of(1, std::nan("")), Doubts());
}

TEST(DoubtSoughtDelays, a_delay_that_went_as_far_as_it_was_followed_is_doubted) {
  abi::Solution solution = ended({});
  solution.log = {{"something else", 1, "of `x`"}};
  Doubts doubts;
  doubt_sought_delays(solution, doubts);
  EXPECT_EQ(doubts, Doubts());
  solution.log.push_back({transcribe::delay_at_side_log, 1, "of `x` at t = 2"});
  doubt_sought_delays(solution, doubts);
  EXPECT_TRUE(has_doubt(doubts, "the value of `x` at t = 2 is as far from the guess"));
}

TEST(DoubtFreeSwitch, a_change_at_a_free_time_is_doubted_unless_it_was_made_smooth) {
  auto doubts_of = [](const std::string& equation, bool smoothed) {
    auto model = model_of(
        "optimization P(objective = (first.x(finalTime) - 0.7)^2)\n  optimization Part\n    parameter Real stop;\n    Real "
        "x;\n"
        "  equation\n    " +
        equation +
        ";\n  end Part;\n"
        "  parameter Real t1(free = true, initialGuess = 0.5, min = 0, max = 1);\n"
        "  Part first(finalTime = 1, stop = t1, x(start = 0, fixed = true)), second(finalTime = 2, stop = 1.5);\n"
        "constraint\n  second.x(startTime) = first.x(finalTime);\nend P;\n");
    SolveOutcome outcome;
    outcome.smoothed = smoothed;
    doubt_free_switch(*model, outcome);
    return outcome.doubts;
  };
  EXPECT_TRUE(has_doubt(doubts_of("der(x) = if time < stop then 1 else 0", false), "W412"));
  EXPECT_EQ(doubts_of("der(x) = if time < stop then 1 else 0", true), Doubts());
  EXPECT_EQ(doubts_of("der(x) = stop", false), Doubts());
  EXPECT_EQ(doubts_of("der(x) = stop + (if x < stop then 1 else 0)", false), Doubts()) << "of a state";
  EXPECT_EQ(doubts_of("der(x) = stop + (if time < 0.5 then 1 else 0)", false), Doubts()) << "of a given time";
}

TEST(DoubtPathConstraints, what_shooting_leaves_between_its_samples_is_doubted) {
  auto doubts_of = [](double value, const driver::Options& options) {
    abi::Solution solution = ended({});
    solution.log = {{transcribe::path_violation_log, value}};
    Doubts doubts;
    doubt_path_constraints(options, solution, doubts);
    return doubts;
  };
  double usual = transcribe::ShootingOptions().path_tolerance;
  EXPECT_TRUE(has_doubt(doubts_of(2 * usual, {}), "between its samples"));
  EXPECT_EQ(doubts_of(0.5 * usual, {}), Doubts());
  driver::Options given = options_of({{"path-tolerance", "0.1"}});
  EXPECT_EQ(doubts_of(0.09, given), Doubts());
  EXPECT_TRUE(has_doubt(doubts_of(0.11, given), "0.11"));
}

// ---------------------------------------------------------------- what asks for them

TEST(CheckBySimulation, a_simulation_that_stops_is_doubted_and_assertions_are_told) {
  auto model = model_of(problem_text());
  SolverLibrary library = built_library();
  library.resimulate = [](bolza_problem&, const abi::Solution&, double, const integrate::Act&) {
    transcribe::Resimulation simulated;
    simulated.message = "the step became too small";
    simulated.assertions = {abi::Finding{.time = 0.5, .text = "x is negative"}};
    return simulated;
  };
  SolveOutcome outcome;
  outcome.solution = ended({});
  check_by_simulation(*model, {}, library, outcome);
  EXPECT_TRUE(has_doubt(outcome.doubts, "could not be simulated with the optimal controls: the step became too small"));
  EXPECT_EQ(model->diagnostics.warnings(), 1u);
  EXPECT_FALSE(outcome.solution.log.empty());
}

TEST(DoubtSolution, a_parameter_far_from_its_start_is_not_doubted_where_a_result_was_given) {
  auto model = model_of(problem_text("input Real u(min = -1, max = 1)", "parameter Real p(free = true)"));
  SolveOutcome with, without;
  with.solution = ended({});
  with.solution.parameters.assign(model->abi().n_parameters, 1e6);
  without.solution = with.solution;
  doubt_solution(*model, {}, SolveRequest{}, with);
  SolveRequest from_file;
  from_file.init_from = "before.mat";
  doubt_solution(*model, {}, from_file, without);
  EXPECT_GT(with.doubts.size(), 0u);
  EXPECT_EQ(without.doubts.size(), 0u);
}

}  // namespace
}  // namespace bolza::workflow
