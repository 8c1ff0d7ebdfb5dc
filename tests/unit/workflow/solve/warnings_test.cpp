// SPDX-License-Identifier: Apache-2.0
// For each kind of warning a solution that gets it, and neighbours that do not.
#include "runtime/transcribe/checks/branches.h"
#include "runtime/transcribe/checks/resimulate.h"
#include "runtime/transcribe/checks/violation.h"
#include "workflow/solve/checks/warnings_of_solution.h"

#include <gtest/gtest.h>

#include <limits>

#include "runtime/transcribe/collocation/delay_windows.h"
#include "tests/unit/workflow/models.h"
#include "tests/unit/workflow/solve/fake_solver.h"
#include "workflow/solve/checks/check_solution.h"
#include "workflow/solve/method/shooting_settings.h"

namespace bolza::workflow {
namespace {

/// The least time to a place, with a parameter that may be free and a control that may be of any type.
std::string problem_text(const std::string& control = "input Real u(min = -1, max = 1)",
                         const std::string& parameter = "parameter Real p = 1",
                         const std::string& equation = "der(x) = u + p") {
  return "optimization P(objective = finalTime, finalTime(free = true, min = 0))\n  Real x(start = 0, fixed = true);\n  " +
         control + ";\n  " + parameter + ";\nequation\n  " + equation + ";\nconstraint\n  x(finalTime) = 1;\nend P;\n";
}

/// Whether there is one warning, with that in its text.
testing::AssertionResult has_warning(const Warnings& warnings, const std::string& text) {
  if (warnings.size() == 1 && line_of(warnings[0]).find(text) != std::string::npos) return testing::AssertionSuccess();
  testing::AssertionResult result = testing::AssertionFailure()
                                    << warnings.size() << " warnings instead of one with `" << text << "`:";
  for (const Warning& warning : warnings) result << "\n  " << line_of(warning);
  return result;
}

Warnings of_integers(const Model& model, const abi::IntegerStatistics& integers, double objective,
                     const driver::Options& options = {}) {
  abi::Solution solution = ended({.objective = objective});
  solution.integers = integers;
  Warnings warnings;
  warn_of_integers(model, options, solution, warnings);
  return warnings;
}

TEST(DoubtIntegers, whole_numbers_that_were_relaxed_are_named) {
  auto real = model_of(problem_text());
  auto whole = model_of(problem_text("input Integer u(min = -1, max = 1)"));
  auto truth = model_of(problem_text("input Boolean b", "parameter Real p = 1", "der(x) = (if b then 1 else 0) + p"));
  auto parameter = model_of(problem_text("input Real u(min = -1, max = 1)",
                                         "parameter Integer n(free = true, min = 1, max = 3)", "der(x) = u + n"));
  EXPECT_EQ(of_integers(*real, {}, 1), Warnings());
  EXPECT_TRUE(has_warning(of_integers(*whole, {}, 1), "`u` is an Integer, and was solved for as a Real"));
  EXPECT_TRUE(has_warning(of_integers(*truth, {}, 1), "`b` is a Boolean"));
  EXPECT_TRUE(has_warning(of_integers(*parameter, {}, 1), "`n` is an Integer"));
  EXPECT_EQ(of_integers(*whole, {.any = true, .found = true, .relaxed = 1}, 1), Warnings());
}

TEST(DoubtIntegers, whole_numbers_better_than_real_ones_are_warninged) {
  auto whole = model_of(problem_text("input Integer u(min = -1, max = 1)"));
  auto most = model_of(
      "optimization P(objective = -x(finalTime), finalTime = 1)\n  Real x(start = 0, fixed = true);\n  input Integer u(min "
      "= 0, "
      "max = 1);\nequation\n  der(x) = u;\nend P;\n");
  EXPECT_TRUE(has_warning(of_integers(*whole, {.any = true, .found = true, .relaxed = 2}, 1.9), "was a local optimum only"));
  EXPECT_EQ(of_integers(*whole, {.any = true, .found = true, .relaxed = 2}, 1.9999), Warnings()) << "within the tolerance";
  EXPECT_EQ(of_integers(*whole, {.any = true, .found = true, .relaxed = 2}, 2.5), Warnings());
  EXPECT_EQ(of_integers(*whole, {.any = true, .found = false, .relaxed = 2}, 1), Warnings()) << "none were found";
  EXPECT_FALSE(most->abi().maximize);
}

TEST(DoubtIntegers, a_search_that_was_ended_says_what_may_be_missing) {
  auto whole = model_of(problem_text("input Integer u(min = -1, max = 1)"));
  abi::IntegerStatistics ended_early{.any = true, .found = true, .stopped = "the limit of nodes", .relaxed = 1, .gap = 0.5};
  Warnings warnings = of_integers(*whole, ended_early, 2, options_of({{"max-nodes", "30"}}));
  EXPECT_TRUE(has_warning(warnings, "may be better by up to 0.5 (25 %)"));
  EXPECT_TRUE(has_warning(warnings, "`--max-nodes 300` searches on"));
  ended_early.stopped = "the time limit";
  warnings = of_integers(*whole, ended_early, 2);
  EXPECT_TRUE(has_warning(warnings, "the time limit ended the search"));
  EXPECT_EQ(line_of(warnings[0]).find("--max-nodes"), std::string::npos);
}

TEST(DoubtSaddle, a_stationary_point_that_is_no_minimum_is_warninged) {
  auto model = model_of(problem_text());
  abi::Solution solution = ended({});
  Warnings warnings;
  warn_of_saddle(*model, solution, warnings);
  EXPECT_EQ(warnings, Warnings());
  solution.statistics.is_saddle = true;
  warn_of_saddle(*model, solution, warnings);
  EXPECT_TRUE(has_warning(warnings, "not a minimum: the objective falls nearby"));
  model->abi().maximize = 1, warnings.clear();
  warn_of_saddle(*model, solution, warnings);
  EXPECT_TRUE(has_warning(warnings, "not a maximum: the objective rises nearby"));
}

Warnings of_parameter(const std::string& attributes, double value, double size = 1) {
  auto model = model_of(problem_text("input Real u(min = -1, max = 1)", "parameter Real p(" + attributes + ")"));
  abi::Solution solution = ended({});
  const bolza_problem& problem = model->abi();
  solution.parameters.assign(problem.n_parameters, 1), solution.parameter_scale.assign(problem.n_parameters, size);
  for (std::size_t k = 0; k < problem.n_parameters; ++k)
    if (std::string(problem.parameters[k].name) == "p") solution.parameters[k] = value;
  Warnings warnings;
  warn_of_far_parameters(*model, solution, warnings);
  return warnings;
}

TEST(DoubtFarParameters, what_nothing_stopped_far_from_its_start_is_warninged) {
  EXPECT_TRUE(has_warning(of_parameter("free = true, start = 2", 1e6), "`p` = 1e+06 is far from 2"));
  EXPECT_TRUE(has_warning(of_parameter("free = true", -1e6), "is far from 0"));
  EXPECT_EQ(of_parameter("free = true", 0.9e5), Warnings());
  EXPECT_EQ(of_parameter("free = true, start = 20", 1e6), Warnings()) << "not so far from where it started";
  EXPECT_EQ(of_parameter("free = true", 1e6, 100), Warnings()) << "compared with its size";
  EXPECT_EQ(of_parameter("free = true, nominal = 1", 1e6), Warnings()) << "has a nominal value";
  EXPECT_EQ(of_parameter("free = true, max = 1e7", 1e6), Warnings()) << "has a bound on that side";
  EXPECT_TRUE(has_warning(of_parameter("free = true, min = -1e7", 1e6), "far from")) << "a bound on the other side";
}

TEST(DoubtHorizon, a_horizon_of_no_length_is_warninged) {
  auto model = model_of(problem_text());
  auto warnings_of = [&](double length) {
    abi::Solution solution = ended({});
    solution.phases[0].final_time = length;
    Warnings warnings;
    warn_of_horizon(*model, solution, warnings);
    return warnings;
  };
  EXPECT_TRUE(has_warning(warnings_of(1e-8), "nothing asks for a later `finalTime`"));
  EXPECT_EQ(warnings_of(1e-5), Warnings());
}

Warnings of_violation(const abi::Finding& finding, const driver::Options& options = {}) {
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
  Warnings warnings;
  warn_of_violations(*model, options, library, ended({}), warnings);
  return warnings;
}

TEST(DoubtViolations, the_first_constraint_that_does_not_hold_is_warninged) {
  abi::Finding at_the_end{.name = "x(finalTime) = 1", .time = std::nan(""), .value = 0.9, .bound = 1, .amount = 0.1};
  abi::Finding on_the_way = at_the_end;
  on_the_way.time = 0.5;
  EXPECT_EQ(of_violation({}), Warnings());
  EXPECT_TRUE(has_warning(of_violation(at_the_end), "does not hold: 0.9 is off its limit 1 by 0.1"));
  EXPECT_TRUE(has_warning(of_violation(on_the_way), "does not hold at t = 0.5"));
  driver::Options shooting = options_of({{"transcription", "multiple-shooting"}});
  EXPECT_EQ(of_violation(on_the_way, shooting), Warnings()) << "between samples of shooting: another warning";
  EXPECT_TRUE(has_warning(of_violation(at_the_end, shooting), "does not hold"));
}

transcribe::Resimulation simulated_beyond(double amount = 0.1) {
  transcribe::Resimulation simulated;
  simulated.finished = true, simulated.deviation = 1e-5, simulated.state = "x", simulated.time = 0.3;
  simulated.clear = abi::Finding{.name = "x <= 1", .time = 0.5, .value = 1 + amount, .bound = 1, .amount = amount};
  return simulated;
}

TEST(DoubtSimulated, a_constraint_that_the_simulation_breaks_is_warninged) {
  auto warnings_of = [](const transcribe::Resimulation& simulated, const driver::Options& options = {}) {
    Warnings warnings;
    warn_of_simulated(simulated, options, warnings);
    return warnings;
  };
  EXPECT_TRUE(
      has_warning(warnings_of(simulated_beyond()), "`x <= 1` is 1.1 at t = 0.5, beyond its limit 1 by 0.1; a finer mesh"));
  EXPECT_TRUE(has_warning(warnings_of(simulated_beyond(), options_of({{"transcription", "single-shooting"}})),
                          "`--path-constraints maxima`"));
  transcribe::Resimulation clear = simulated_beyond(), stopped = clear, unstable = clear;
  clear.clear.reset(), stopped.finished = false, unstable.deviation = 0.01;
  EXPECT_EQ(warnings_of(clear), Warnings());
  EXPECT_EQ(warnings_of(stopped), Warnings()) << "the simulation did not come to its end: another warning";
  EXPECT_EQ(warnings_of(unstable), Warnings()) << "states differ: it says nothing about constraints";
}

TEST(DoubtBorder, a_solution_in_modes_along_a_border_that_the_equations_do_not_follow_is_warninged) {
  auto warnings_of = [](bool border, double deviation) {
    SolveOutcome outcome;
    if (border) outcome.border = Border{"x > 0", 0.25, 0.75};
    transcribe::Resimulation simulated = simulated_beyond();
    simulated.deviation = deviation;
    warn_of_border(simulated, outcome);
    return outcome.warnings;
  };
  EXPECT_TRUE(has_warning(warnings_of(true, 0.02), "`x > 0` is at its limit from t = 0.25 to 0.75"));
  EXPECT_EQ(warnings_of(true, 0.009), Warnings());
  EXPECT_EQ(warnings_of(true, std::nan("")), Warnings());
  EXPECT_EQ(warnings_of(false, 0.02), Warnings());
}

TEST(DoubtBranches, an_algebraic_that_jumps_to_another_solution_is_warninged) {
  auto model = model_of(problem_text());
  SolverLibrary library{};
  Warnings warnings;
  library.branch_jump = [](const bolza_problem&, const abi::Solution&) { return std::optional<transcribe::BranchJump>(); };
  warn_of_branches(*model, library, ended({}), warnings);
  EXPECT_EQ(warnings, Warnings());
  library.branch_jump = [](const bolza_problem&, const abi::Solution&) {
    return std::optional(transcribe::BranchJump{"z", 0.5, 1, -1, 1.1, 2});
  };
  warn_of_branches(*model, library, ended({}), warnings);
  EXPECT_TRUE(
      has_warning(warnings, "`z` jumps to another solution of its equations at t = 0.5 (the first of 2 such jumps)"));
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
  warn_of_minimum_principle(*model, library, outcome);
  return outcome;
}

TEST(DoubtMinimumPrinciple, other_controls_that_gain_enough_are_a_warning) {
  EXPECT_EQ(with_better_controls(0).warnings, Warnings());
  EXPECT_EQ(with_better_controls(1.9e-3).warnings, Warnings()) << "a thousandth of the objective";
  EXPECT_TRUE(has_warning(with_better_controls(2.1e-3).warnings,
                          "the Hamiltonian is smaller with `u` = -1 than with 1; such "
                          "controls, over 25 % of the horizon"));
  auto known = [](double error) { return [error](SolveOutcome& outcome) { outcome.accuracy.objective_error = error; }; };
  EXPECT_EQ(with_better_controls(0.1, known(0.21)).warnings, Warnings()) << "half of the error that is told";
  EXPECT_TRUE(has_warning(with_better_controls(0.1, known(0.19)).warnings, "local optimum"));
  auto whole = [](SolveOutcome& outcome) { outcome.solution.integers.any = true; };
  EXPECT_EQ(with_better_controls(1, whole).warnings, Warnings());
}

TEST(DoubtMinimumPrinciple, what_they_gain_is_a_part_of_the_error) {
  EXPECT_DOUBLE_EQ(with_better_controls(1e-3).accuracy.objective_error, 1e-3);
  auto grids = [](SolveOutcome& outcome) {
    outcome.accuracy.of_controls = true, outcome.accuracy.objective_error = 0.1, outcome.accuracy.objective_bound = 0.3;
  };
  EXPECT_DOUBLE_EQ(with_better_controls(0.5, grids).accuracy.objective_error, 0.3);  // 0.1 + what grids do not cost
  EXPECT_DOUBLE_EQ(with_better_controls(0.2, grids).accuracy.objective_error, 0.1);
}

TEST(DoubtGap, a_barrier_that_leaves_a_tenth_of_the_objective_is_warninged) {
  auto warnings_of = [](double objective, double gap) {
    abi::Solution solution = ended({.objective = objective});
    solution.statistics.gap = gap;
    Warnings warnings;
    warn_of_gap(solution, warnings);
    return warnings;
  };
  EXPECT_TRUE(has_warning(warnings_of(-1, 0.11), "may still be better by 0.11"));
  EXPECT_EQ(warnings_of(-1, 0.09), Warnings());
  EXPECT_EQ(warnings_of(1e-3, 0.9e-3), Warnings()) << "less than what matters";
  EXPECT_EQ(warnings_of(1e-3, 0.2), Warnings()) << "the objective is zero but for rounding";
  EXPECT_EQ(warnings_of(1, std::nan("")), Warnings());
}

TEST(DoubtSoughtDelays, a_delay_that_went_as_far_as_it_was_followed_is_warninged) {
  abi::Solution solution = ended({});
  solution.log = {{"something else", 1, "of `x`"}};
  Warnings warnings;
  warn_of_sought_delays(solution, warnings);
  EXPECT_EQ(warnings, Warnings());
  solution.log.push_back({transcribe::delay_at_side_log, 1, "of `x` at t = 2"});
  warn_of_sought_delays(solution, warnings);
  EXPECT_TRUE(has_warning(warnings, "the value of `x` at t = 2 is as far from the guess"));
}

TEST(DoubtFreeSwitch, a_change_at_a_free_time_is_warninged_unless_it_was_made_smooth) {
  auto warnings_of = [](const std::string& equation, bool smoothed) {
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
    warn_of_free_switch(*model, outcome);
    return outcome.warnings;
  };
  EXPECT_TRUE(has_warning(warnings_of("der(x) = if time < stop then 1 else 0", false), "W412"));
  EXPECT_EQ(warnings_of("der(x) = if time < stop then 1 else 0", true), Warnings());
  EXPECT_EQ(warnings_of("der(x) = stop", false), Warnings());
  EXPECT_EQ(warnings_of("der(x) = stop + (if x < stop then 1 else 0)", false), Warnings()) << "of a state";
  EXPECT_EQ(warnings_of("der(x) = stop + (if time < 0.5 then 1 else 0)", false), Warnings()) << "of a given time";
}

TEST(DoubtPathConstraints, what_shooting_leaves_between_its_samples_is_warninged) {
  auto warnings_of = [](double value, const driver::Options& options) {
    abi::Solution solution = ended({});
    solution.log = {{transcribe::path_violation_log, value}};
    Warnings warnings;
    warn_of_path_constraints(options, solution, warnings);
    return warnings;
  };
  double usual = transcribe::ShootingOptions().path_tolerance;
  EXPECT_TRUE(has_warning(warnings_of(2 * usual, {}), "between its samples"));
  EXPECT_EQ(warnings_of(0.5 * usual, {}), Warnings());
  driver::Options given = options_of({{"path-tolerance", "0.1"}});
  EXPECT_EQ(warnings_of(0.09, given), Warnings());
  EXPECT_TRUE(has_warning(warnings_of(0.11, given), "0.11"));
}

// ---------------------------------------------------------------- what asks for them

TEST(CheckBySimulation, a_simulation_that_stops_is_warninged_and_assertions_are_told) {
  auto model = model_of(problem_text());
  SolverLibrary library = built_library();
  transcribe::Resimulation simulated;
  simulated.message = "the step became too small";
  simulated.assertions = {abi::Finding{.time = 0.5, .text = "x is negative"}};
  SolveOutcome outcome;
  outcome.solution = ended({});
  driver::Options usual;
  SolveRequest request;
  Checked checked{*model, usual, request, library, outcome, &simulated};
  for (const CheckRow& row : checks())
    if (row.needs == CheckNeeds::simulation) row.look(checked);
  EXPECT_TRUE(has_warning(outcome.warnings, "could not be simulated with the optimal controls: the step became too small"));
  EXPECT_EQ(model->diagnostics.warnings(), 1u);
  EXPECT_FALSE(outcome.solution.log.empty());
}

TEST(DoubtSolution, a_parameter_far_from_its_start_is_not_warninged_where_a_result_was_given) {
  auto model = model_of(problem_text("input Real u(min = -1, max = 1)", "parameter Real p(free = true)"));
  SolveOutcome with, without;
  with.solution = ended({});
  with.solution.parameters.assign(model->abi().n_parameters, 1e6);
  without.solution = with.solution;
  SolverLibrary library = built_library();
  driver::Options usual;
  SolveRequest request, from_file;
  check_solution({*model, usual, request, library, with}, false);
  from_file.init_from = "before.mat";
  check_solution({*model, usual, from_file, library, without}, false);
  EXPECT_GT(with.warnings.size(), 0u);
  EXPECT_EQ(without.warnings.size(), 0u);
}

}  // namespace
}  // namespace bolza::workflow
