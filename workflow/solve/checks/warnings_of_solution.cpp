// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/checks/warnings_of_solution.h"

#include <algorithm>
#include <cmath>

#include "base/numbers.h"
#include "runtime/transcribe/checks/branches.h"
#include "runtime/transcribe/checks/minimum_principle.h"
#include "runtime/transcribe/checks/resimulate.h"
#include "runtime/transcribe/checks/violation.h"
#include "runtime/transcribe/collocation/delay_windows.h"
#include "workflow/solve/attempts/horizons.h"
#include "workflow/solve/method/integers.h"
#include "workflow/solve/method/solver.h"
#include "workflow/solve/nonsmooth/smoothing.h"
#include "workflow/solve/outcome/size_of_objective.h"

namespace bolza::workflow {

void warn_of_integers(const Model& model, const driver::Options& options, const abi::Solution& solution,
                      Warnings& warnings) {
  const abi::IntegerStatistics& integers = solution.integers;
  if (!integers.any)
    for (const WholeVariable& v : whole_variables(model))
      warnings.push_back(
          {WarningKind::integers_relaxed,
           "`" + v.name + "` is " + v.kind +
               ", and was solved for as a Real between its bounds: the optimum of whole values is no better than this",
           "", v.name});
  double better = model.abi().maximize ? solution.objective - integers.relaxed : integers.relaxed - solution.objective;
  if (integers.any && integers.found && better > 1e-4 * std::max(std::abs(integers.relaxed), 1e-8))
    warnings.push_back({WarningKind::relaxation_not_optimal,
                        "integers give " + shown(solution.objective, 6) + ", real ones " + shown(integers.relaxed, 6) +
                            ": that was a local optimum only, so bound and gap are none",
                        "another start may find a better one"});
  if (!integers.any || integers.stopped.empty()) return;
  std::string gap = shown(integers.gap, 2) + " (" + shown(100 * relative_gap(integers, solution.objective), 2) + " %)";
  bool nodes = integers.stopped.find("nodes") != std::string::npos;
  warnings.push_back({WarningKind::integer_search_ended,
                      integers.stopped + " ended the search for integers: the optimum may be better by up to " + gap,
                      nodes ? "`--max-nodes " + std::to_string(10 * options.integer("max-nodes")) +
                                  "` searches on, `--integer-gap` says how much is of interest"
                            : ""});
}

void warn_of_saddle(const Model& model, const abi::Solution& solution, Warnings& warnings) {
  if (!solution.statistics.is_saddle) return;
  bool maximize = model.abi().maximize;
  warnings.push_back({WarningKind::stationary_point,
                      std::string("this is a stationary point, but not a ") + (maximize ? "maximum" : "minimum") +
                          ": the objective " + (maximize ? "rises" : "falls") + " nearby",
                      "`--guess perturbed` or `initialGuess` starts elsewhere, bounds end what falls without end"});
}

void warn_of_passed_point(const abi::Solution& solution, Warnings& warnings) {
  if (!solution.statistics.passed_better) return;
  warnings.push_back({WarningKind::better_point_passed,
                      "this is the best point that was seen, and derivatives lead away from it: the objective jumps or has "
                      "a kink there, so that nothing says whether it is an optimum",
                      "`--multi-start 10` and `--nonsmooth smooth` look on"});
}

void warn_of_uncertainty(SolveOutcome& outcome) {
  constexpr double of_objective = 1e-2;
  const Refinement& r = outcome.accuracy;
  if (!r.known || r.objective_error <= of_objective * size_of_objective(outcome.solution)) return;
  for (const Warning& w : outcome.warnings)
    if (w.kind == WarningKind::objective_gap || w.kind == WarningKind::local_optimum) return;
  outcome.warnings.push_back(
      {WarningKind::objective_uncertain,
       "the objective, " + shown(outcome.solution.objective, 6) + ", may be off by " + shown_at_most(r.objective_error) +
           ", the error that is estimated of it",
       "a finer mesh or a method of higher order (`--refine 1e-6`, `--method radau`) makes it smaller"});
}

void warn_of_no_optimum(SolveOutcome& outcome) {
  if (!outcome.moves_on) return;
  const MovesOn& m = *outcome.moves_on;
  outcome.warnings.push_back(
      {WarningKind::not_attained,
       "no optimum is attained: with a tolerance of a hundredth `" + m.name + "` moves on from " + shown(m.value, 3) +
           " to " + shown(m.moved, 3) + ", and the objective from " + shown(m.before, 6) + " to " + shown(m.objective, 6),
       "give `" + m.name + "` a bound, or ask for something that ends it (a condition at the end, a cost)", m.name});
}

void warn_of_deviation(const transcribe::Resimulation& simulated, Warnings& warnings) {
  constexpr double far = 1, far_in_an_interval = 1e-2;  // of the size of a state
  if (!simulated.finished || simulated.deviation <= far || simulated.local_deviation <= far_in_an_interval) return;
  warnings.push_back({WarningKind::not_reproduced,
                      "in the simulation with the optimal controls `" + simulated.state + "` is off by " +
                          shown(simulated.deviation, 2) + " times its size at t = " + shown(simulated.time, 3) +
                          (std::isnan(simulated.local_deviation)
                               ? std::string()
                               : ", and by " + shown(simulated.local_deviation, 2) + " within one interval of the mesh"),
                      "a finer mesh or a method of higher order follows the model", simulated.state, simulated.time});
}

void warn_of_far_parameters(const Model& model, const abi::Solution& solution, Warnings& warnings) {
  constexpr double far = 1e5;
  const bolza_problem& problem = model.abi();
  for (std::size_t p = 0; p < problem.n_parameters && p < solution.parameters.size(); ++p) {
    const bolza_variable& v = problem.parameters[p];
    double value = solution.parameters[p], start = v.has_guess ? v.guess : v.has_start ? v.start : 0;
    if (v.fixed || v.has_nominal || std::isfinite(value > 0 ? v.max : v.min)) continue;
    double size = p < solution.parameter_scale.size() ? solution.parameter_scale[p] : 1;
    if (std::abs(value) <= far * std::max(size, std::abs(start))) continue;
    warnings.push_back({WarningKind::far_parameter,
                        "`" + std::string(v.name) + "` = " + shown(value, 3) + " is far from " + shown(start, 3) +
                            ", where it started: the objective may not determine it",
                        "give it bounds, a `nominal` or an `initialGuess`", v.name});
  }
}

void warn_of_horizon(const Model& model, const abi::Solution& solution, Warnings& warnings) {
  const bolza_variable* v = model.abi().n_phases == 1 ? shrunk_horizon(model.abi(), solution, no_horizon) : nullptr;
  if (!v) return;
  std::string name = v->name ? v->name : "finalTime";
  warnings.push_back({WarningKind::no_horizon, "the horizon has no length: nothing asks for a later `" + name + "`",
                      "is a condition at its end missing, such as `x(finalTime) = 1`? A least value, `" + name +
                          "(free = true, min = 1)`, keeps it apart from the start",
                      name});
}

void warn_of_violations(Model& model, const driver::Options& options, const SolverLibrary& library,
                        const abi::Solution& solution, Warnings& warnings) {
  constexpr double part = 1e-3;
  for (const abi::Finding& f : library.constraint_violation(model.abi(), solution, part).findings) {
    if (std::isfinite(f.time) && is_shooting(options)) continue;
    std::string when = std::isfinite(f.time) ? " at t = " + shown(f.time, 3) : "";
    warnings.push_back({WarningKind::constraint_broken,
                        "`" + f.name + "` does not hold" + when + ": " + shown(f.value, 3) + " is off its limit " +
                            shown(f.bound, 3) + " by " + shown(f.amount, 3),
                        "a `nominal` for its variables, of the size of that limit, makes it count", f.name, f.time});
    return;
  }
}

void warn_of_no_simulation(const transcribe::Resimulation& simulated, Warnings& warnings) {
  if (!simulated.finished)
    warnings.push_back(
        {WarningKind::not_simulated, "the model could not be simulated with the optimal controls: " + simulated.message});
}

void warn_of_simulated(const transcribe::Resimulation& simulated, const driver::Options& options, Warnings& warnings) {
  constexpr double small_deviation = 1e-3;  // what is larger may be instability, and says nothing about constraints
  if (!simulated.finished || !simulated.clear || simulated.deviation > small_deviation) return;
  const abi::Finding& f = *simulated.clear;
  std::string when = std::isfinite(f.time) ? " at t = " + shown(f.time, 3) : "";
  warnings.push_back({WarningKind::constraint_broken_in_simulation,
                      "in the simulation with the optimal controls, `" + f.name + "` is " + shown(f.value, 3) + when +
                          ", beyond its limit " + shown(f.bound, 3) + " by " + shown(f.amount, 2),
                      is_shooting(options) ? "`--path-constraints maxima` holds it between the mesh points"
                                           : "a finer mesh (`--mesh`) lets less through between its points",
                      f.name, f.time});
}

void warn_of_border(const transcribe::Resimulation& simulated, SolveOutcome& outcome) {
  constexpr double clear = 1e-2;  // of the size of a state
  if (!outcome.border || !(simulated.deviation > clear)) return;
  const Border& b = *outcome.border;
  outcome.warnings.push_back(
      {WarningKind::mode_at_limit,
       "`" + b.relation + "` is at its limit from t = " + shown(b.from, 3) + " to " + shown(b.to, 3) +
           ", where the solution in modes takes one side and the equations as they are written the other: in " +
           "their simulation `" + simulated.state + "` is off by " + shown(simulated.deviation, 2) +
           " of its size at t = " + shown(simulated.time, 3),
       "a relation of what crosses its limit has no such interval, `--nonsmooth smooth` has both sides", b.relation,
       b.from});
}

void warn_of_branches(const Model& model, const SolverLibrary& library, const abi::Solution& solution, Warnings& warnings) {
  std::optional<transcribe::BranchJump> jump = library.branch_jump(model.abi(), solution);
  if (!jump) return;
  std::string more = jump->jumps > 1 ? " (the first of " + std::to_string(jump->jumps) + " such jumps)" : "";
  warnings.push_back({WarningKind::branch_jump,
                      "`" + jump->name + "` jumps to another solution of its equations at t = " + shown(jump->time, 3) +
                          more + ": from " + shown(jump->before, 3) + " to " + shown(jump->after, 3) +
                          ", where the solution it was on goes on to " + shown(jump->followed, 3),
                      "a simulation stays on one: give `" + jump->name + "` bounds (min, max) that leave one of them",
                      jump->name, jump->time});
}

void warn_of_minimum_principle(Model& model, const SolverLibrary& library, SolveOutcome& outcome) {
  constexpr double of_objective = 1e-3;
  if (outcome.solution.integers.any) return;
  std::optional<transcribe::BetterControls> better = library.better_controls(model.abi(), outcome.solution);
  if (!better) return;
  constexpr double of_claim = 0.5;  // which holds more than the error that is expected, and some of what is gained here
  double allowed =
      std::max(of_objective * std::abs(outcome.solution.objective), of_claim * outcome.accuracy.objective_error);
  const Refinement& r = outcome.accuracy;  // what the grids of controls cost is a part of what better ones gain
  outcome.accuracy.objective_error += r.of_controls ? std::max(0.0, better->gain - r.objective_bound) : better->gain;
  if (better->gain <= allowed) return;
  outcome.warnings.push_back(
      {WarningKind::local_optimum,
       "this is a local optimum: at t = " + shown(better->time, 3) + " the Hamiltonian is smaller with `" + better->name +
           "` = " + shown(better->better, 3) + " than with " + shown(better->value, 3),
       "such controls, over " + shown(100 * better->share, 2) + " % of the horizon, would better the objective by about " +
           shown(better->gain, 2) + ": `--multi-start 10` looks for other optima",
       better->name, better->time});
}

void warn_of_gap(const abi::Solution& solution, Warnings& warnings) {
  constexpr double share = 0.1, least = 1e-3, of_zero = 100;  // what is far smaller than the gap is an objective of zero
  double gap = solution.statistics.gap, objective = std::abs(solution.objective);
  if (!(gap > std::max(share * objective, least)) || gap > of_zero * objective) return;
  warnings.push_back({WarningKind::objective_gap,
                      "the engine stopped where the objective, " + shown(solution.objective, 6) +
                          ", may still be better by " + shown(gap, 2) +
                          ": is there a control that nothing determines? `--ipopt mu_strategy=adaptive` or a smaller "
                          "`--tol` may come nearer"});
}

void warn_of_sought_delays(const abi::Solution& solution, Warnings& warnings) {
  for (const abi::Measure& m : solution.log)
    if (m.name == transcribe::delay_at_side_log)
      warnings.push_back({WarningKind::delay_at_limit,
                          "a delay that is sought moves on: the value " + m.where +
                              " is as far from the guess as this solve followed it, and the objective is better beyond",
                          "`--init-from` this result goes on, `initialGuess` starts nearer"});
}

void warn_of_free_switch(const Model& model, SolveOutcome& outcome) {
  if (outcome.smoothed || !has_free_switch(model.problem)) return;
  outcome.warnings.push_back({WarningKind::free_switch,
                              "a relation changes at a time that is to be optimised, and its derivative by that time is "
                              "zero: where that time ended means nothing",
                              "`bolza explain W412` says how to write it, `--smooth` makes the change smooth"});
}

}  // namespace bolza::workflow
