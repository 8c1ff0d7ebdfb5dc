// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "compiler/driver/option_table.h"
#include "workflow/solve/solve.h"
#include "workflow/solver_library.h"

namespace bolza::workflow {

// Each looks for one reason not to trust a solution as it is, and adds a line that names it, with a remedy.

/// What whole numbers are worth: relaxed because that was asked for, or found by a search that ended early.
void doubt_integers(const Model& model, const driver::Options& options, const abi::Solution& solution,
                    std::vector<std::string>& doubts);

/// A stationary point that is not a minimum (or maximum): a saddle, or worse.
void doubt_saddle(const Model& model, const abi::Solution& solution, std::vector<std::string>& doubts);

/// Free parameters that went far from where they started, with nothing to stop them.
void doubt_far_parameters(const Model& model, const abi::Solution& solution, std::vector<std::string>& doubts);

/// A free horizon of no length: an end condition is missing. Of problems of one phase: among several one may
/// have none.
void doubt_horizon(const Model& model, const abi::Solution& solution, std::vector<std::string>& doubts);

/// A constraint that the solution itself breaks by more than a part of its limit: what the engine takes for nothing in its
/// own scaling may be much in the constraint's units. What shooting leaves between its samples is another doubt.
void doubt_violations(Model& model, const driver::Options& options, const SolverLibrary& library,
                      const abi::Solution& solution, std::vector<std::string>& doubts);

/// A constraint that the model breaks by more than one per cent of its limit when it is simulated with the optimal controls,
/// although states agree.
void doubt_simulated(const transcribe::Resimulation& simulated, const driver::Options& options,
                     std::vector<std::string>& doubts);

/// A solution in modes that the equations as they are written do not follow, while a relation is at zero for a stretch: the
/// mode has the side that suits the objective there.
void doubt_border(const transcribe::Resimulation& simulated, SolveOutcome& outcome);

/// Algebraics that jump between solutions of their equations.
void doubt_branches(const Model& model, const SolverLibrary& library, const abi::Solution& solution,
                    std::vector<std::string>& doubts);

/// Other controls, not close to those that were found, for which the Hamiltonian is smaller, by more than a thousandth of
/// the objective and its error: a local optimum. What they would gain becomes part of the objective's error.
void doubt_minimum_principle(Model& model, const SolverLibrary& library, SolveOutcome& outcome);

/// A barrier that leaves more than a tenth of the objective: the engine stopped far from the optimum, as where next to
/// nothing determines controls. Not where the objective is zero but for rounding, of which nothing is a tenth.
void doubt_gap(const abi::Solution& solution, std::vector<std::string>& doubts);

/// A sought delay that a solve could not follow as far as it went.
void doubt_sought_delays(const abi::Solution& solution, std::vector<std::string>& doubts);

/// A relation that changes at a free time, and was not solved for with a smooth function in its place.
void doubt_free_switch(const Model& model, SolveOutcome& outcome);

}  // namespace bolza::workflow
