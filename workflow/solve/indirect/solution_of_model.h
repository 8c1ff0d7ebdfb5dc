// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "workflow/solve/indirect/boundary_problem.h"
#include "workflow/solver_library.h"

namespace bolza::workflow {

/// A solution of the conditions as one of the model, with costates: trajectories at Radau's points of a mesh that has a
/// point wherever two arcs meet, so that whatever takes a solution by collocation takes it.
/// @param values  of the arcs
abi::Solution solution_of_model(const Model& model, const SolverLibrary& library, const BoundaryProblem& problem,
                                const abi::Solution& direct, const abi::Solution& found,
                                const std::vector<NamedValues>& values);

/// The objective with the user's sign.     @param ends  slots_of_ends
double objective_of(const Model& model, const BoundaryProblem& problem, const std::vector<double>& ends,
                    const std::vector<NamedValues>& values);

/// The root of the mean over the horizon of the sum of squares of the model's states, by the trapezoidal rule.
double norm_of(const BoundaryProblem& problem, const std::vector<NamedValues>& values);

}  // namespace bolza::workflow
