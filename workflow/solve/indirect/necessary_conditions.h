// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "runtime/abi/solution.h"
#include "workflow/solve/indirect/boundary_problem.h"

namespace bolza::workflow {

/// What was assumed of an optimum and does not hold at a solution of its conditions: signs of ∂H/∂u at bounds and of
/// multipliers, the generalised Legendre-Clebsch condition on singular arcs [RB], bounds of controls and limits that were
/// left out, the order of the switching times. Each finding says the assumption, and what contradicts it where; the worst
/// place of each.
/// @param values  of the arcs
std::vector<abi::Finding> contradictions(const BoundaryProblem& problem, const ArcStructure& structure,
                                         const abi::Solution& solution, const std::vector<NamedValues>& values);

/// Singular arcs of even order beside an arc at a bound: an optimal control can pass between them by infinitely many
/// switches only [MDP]. What is said of conditions that were not solved.
std::vector<abi::Finding> impossible_junctions(const BoundaryProblem& problem, const ArcStructure& structure);

/// All slots of the system that functions of both ends read.
std::vector<double> slots_of_ends(const BoundaryProblem& problem, const abi::Solution& solution,
                                  const std::vector<NamedValues>& values);

/// The time of a phase of the model at a time of the system.     @param ends  slots_of_ends
double time_in(const BoundaryProblem& problem, const std::vector<double>& ends, std::size_t phase, double t);

/// All slots of the system at time index i of an arc.
std::vector<double> slots_of(const BoundaryProblem& problem, const abi::Solution& solution, const NamedValues& values,
                             std::size_t i);

}  // namespace bolza::workflow
