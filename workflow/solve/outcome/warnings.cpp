// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/outcome/warnings.h"

#include <algorithm>
#include <array>

namespace bolza::workflow {
namespace {

// in the order of the enumeration
constexpr std::array table{
    WarningRow{
        WarningKind::better_point_passed, "better_point_passed",
        "The engine ended at a worse point than one that it had passed, which is the solution: the objective jumps or "
        "has kinks there, and derivatives lead away from it."},
    WarningRow{
        WarningKind::branch_ended, "branch_ended",
        "A branch of solutions that `--continue` follows ended before its parameter left the interval: the arcs change, "
        "or steps became too small."},
    WarningRow{WarningKind::branch_jump, "branch_jump",
               "An algebraic variable jumps to another solution of its equations from one point to the next; a simulation "
               "would stay on one."},
    WarningRow{WarningKind::coarse_mesh, "coarse_mesh",
               "The local error of an interval of the mesh is above a fifth of a variable's size: between the points the "
               "trajectory may be anything."},
    WarningRow{WarningKind::complementarity_failed, "complementarity_failed",
               "`--nonsmooth complementarity` was asked for and gave no solution, or a poorer one: the solution is that of "
               "the problem as it is written, or with smooth functions."},
    WarningRow{
        WarningKind::complementarity_relaxed, "complementarity_relaxed",
        "Complementarity holds to a tolerance that is too loose to be none; with a smaller one there was no solution."},
    WarningRow{WarningKind::constraint_broken, "constraint_broken",
               "A constraint does not hold by more than a thousandth of its limit: it is small in the engine's scaling, and "
               "not in its own unit."},
    WarningRow{WarningKind::constraint_broken_in_simulation, "constraint_broken_in_simulation",
               "The model, simulated with the optimal controls, breaks a constraint by more than a hundredth of its limit."},
    WarningRow{WarningKind::constraint_broken_between_samples, "constraint_broken_between_samples",
               "A path constraint of shooting is violated between the samples at which it holds."},
    WarningRow{WarningKind::delay_at_limit, "delay_at_limit",
               "A delay that is sought is as far from its guess as this solve could follow it, and the objective is better "
               "beyond."},
    WarningRow{WarningKind::far_parameter, "far_parameter",
               "A free parameter went far from where it started, with no bound to stop it: the objective may not determine "
               "it."},
    WarningRow{
        WarningKind::free_switch, "free_switch",
        "A relation changes sides at a time that is to be optimised, and its derivative by that time is zero (W412)."},
    WarningRow{WarningKind::integer_search_ended, "integer_search_ended",
               "The search for integers ended at a limit before it was complete: the optimum may be better by the gap."},
    WarningRow{WarningKind::integers_relaxed, "integers_relaxed",
               "Integer or Boolean variables were solved for as Reals between their bounds."},
    WarningRow{WarningKind::jump_without_modes, "jump_without_modes",
               "Equations jump where a relation changes sides, derivatives leave out that the change can move, and no "
               "sequence of modes was solved."},
    WarningRow{WarningKind::local_optimum, "local_optimum",
               "The minimum principle does not hold: other controls, not close to those found, have a smaller Hamiltonian."},
    WarningRow{WarningKind::mode_at_limit, "mode_at_limit",
               "A relation is at its limit over an interval where the solution in modes takes one side and the equations as "
               "they are written the other."},
    WarningRow{WarningKind::modes_failed, "modes_failed",
               "`--nonsmooth modes` was asked for and gave no solution, or a poorer one."},
    WarningRow{WarningKind::no_horizon, "no_horizon",
               "The final time is free and the horizon has no length: an end condition is missing."},
    WarningRow{WarningKind::not_attained, "not_attained",
               "The objective gets better with every smaller tolerance, and a variable without a bound moves away: there is "
               "no optimum, or one that is not attained."},
    WarningRow{WarningKind::not_reproduced, "not_reproduced",
               "The model, simulated with the optimal controls, goes elsewhere, and does so within single intervals of the "
               "mesh: the solution is none of the model."},
    WarningRow{WarningKind::not_simulated, "not_simulated",
               "The model could not be simulated with the optimal controls, which would have checked the solution."},
    WarningRow{WarningKind::objective_gap, "objective_gap",
               "The barrier that the engine stopped with leaves more than a tenth of the objective."},
    WarningRow{WarningKind::objective_uncertain, "objective_uncertain",
               "The estimated error of the objective is above a hundredth of it, or was not estimated."},
    WarningRow{WarningKind::relaxation_not_optimal, "relaxation_not_optimal",
               "Integers give a better objective than Reals between the same bounds: that relaxation was solved to a local "
               "optimum, so bound and gap are none."},
    WarningRow{
        WarningKind::smoothed, "smoothed",
        "The solution is one of a problem with relations, abs, min and max made smooth over a width; as it is written "
        "it was not solved."},
    WarningRow{WarningKind::stationary_point, "stationary_point",
               "A point that satisfies the conditions of first order, and is no minimum (or maximum)."},
    WarningRow{WarningKind::structure_failed, "structure_failed",
               "`--control structure` was asked for, and the arcs of the controls do not hold: the solution is that of the "
               "direct method without them."},
    WarningRow{WarningKind::time_not_resolved, "time_not_resolved",
               "What depends on time alone changes within an interval of the mesh, between the points at which it is looked "
               "at: a pulse or a wave that the solution does not know."},
};

constexpr bool has_a_row_for_each_kind() {
  for (std::size_t k = 0; k < table.size(); ++k)
    if (static_cast<std::size_t>(table[k].kind) != k) return false;
  return static_cast<std::size_t>(WarningKind::time_not_resolved) + 1 == table.size();
}
static_assert(has_a_row_for_each_kind());

}  // namespace

std::string line_of(const Warning& warning) {
  return warning.remedy.empty() ? warning.text : warning.text + "; " + warning.remedy;
}

std::vector<std::string> lines_of(const Warnings& warnings) {
  std::vector<std::string> lines;
  for (const Warning& warning : warnings) lines.push_back(line_of(warning));
  return lines;
}

std::span<const WarningRow> warning_table() { return table; }

std::string_view name_of(WarningKind kind) { return table[static_cast<std::size_t>(kind)].name; }

}  // namespace bolza::workflow
