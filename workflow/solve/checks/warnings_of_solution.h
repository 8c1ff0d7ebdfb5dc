// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "compiler/driver/option_table.h"
#include "workflow/model.h"
#include "workflow/solve/outcome/outcome.h"
#include "workflow/solver_library.h"

namespace bolza::workflow {

// Each looks for one reason not to trust a solution as it is, and adds a warning of its kind, with a remedy.

/// What whole numbers are worth: relaxed because that was asked for, or found by a search that ended early.
void warn_of_integers(const Model& model, const driver::Options& options, const abi::Solution& solution, Warnings& warnings);

/// A stationary point that is not a minimum (or maximum): a saddle, or worse.
void warn_of_saddle(const Model& model, const abi::Solution& solution, Warnings& warnings);

/// A point that is better than where the engine ended, and that it went away from.
void warn_of_passed_point(const abi::Solution& solution, Warnings& warnings);

/// An error of the objective above a hundredth of its size (size_of_objective). Not where another warning has said by how
/// much the objective may be off, nor where steps of controls were asked for: their cost is a part of that error.
void warn_of_uncertainty(SolveOutcome& outcome);

/// A variable without a bound that moves on with the tolerance: the search for that found one.
void warn_of_no_optimum(SolveOutcome& outcome);

/// A simulation with the optimal controls that goes elsewhere, also within the intervals of the mesh: that errors grow along
/// an unstable model is not the solution's fault.
void warn_of_deviation(const transcribe::Resimulation& simulated, Warnings& warnings);

/// Free parameters that went far from where they started, with nothing to stop them.
void warn_of_far_parameters(const Model& model, const abi::Solution& solution, Warnings& warnings);

/// A free horizon of no length: an end condition is missing. Of problems of one phase: among several one may
/// have none.
void warn_of_horizon(const Model& model, const abi::Solution& solution, Warnings& warnings);

/// A constraint that the solution itself breaks by more than a part of its limit: what the engine takes for nothing in its
/// own scaling may be much in the constraint's units. What shooting leaves between its samples is another warning.
void warn_of_violations(Model& model, const driver::Options& options, const SolverLibrary& library,
                        const abi::Solution& solution, Warnings& warnings);

/// A simulation with the optimal controls that did not reach the end.
void warn_of_no_simulation(const transcribe::Resimulation& simulated, Warnings& warnings);

/// A constraint that the model breaks by more than one per cent of its limit when it is simulated with the optimal controls,
/// although states agree.
void warn_of_simulated(const transcribe::Resimulation& simulated, const driver::Options& options, Warnings& warnings);

/// A solution in modes that the equations as they are written do not follow, while a relation is at zero for a stretch: the
/// mode has the side that suits the objective there.
void warn_of_border(const transcribe::Resimulation& simulated, SolveOutcome& outcome);

/// Algebraics that jump between solutions of their equations.
void warn_of_branches(const Model& model, const SolverLibrary& library, const abi::Solution& solution, Warnings& warnings);

/// Other controls, not close to those that were found, for which the Hamiltonian is smaller, by more than a thousandth of
/// the objective and its error: a local optimum. What they would gain becomes part of the objective's error.
void warn_of_minimum_principle(Model& model, const SolverLibrary& library, SolveOutcome& outcome);

/// A barrier that leaves more than a tenth of the objective: the engine stopped far from the optimum, as where next to
/// nothing determines controls. Not where the objective is zero but for rounding, of which nothing is a tenth.
void warn_of_gap(const abi::Solution& solution, Warnings& warnings);

/// A sought delay that a solve could not follow as far as it went.
void warn_of_sought_delays(const abi::Solution& solution, Warnings& warnings);

/// A relation that changes at a free time, and was not solved for with a smooth function in its place.
void warn_of_free_switch(const Model& model, SolveOutcome& outcome);

}  // namespace bolza::workflow
