// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "workflow/solve/indirect/boundary_problem.h"
#include "workflow/solve/outcome/outcome.h"

namespace bolza::workflow {

/// The option `continue`: a parameter, and where its branch begins and is to end.
struct Continuation {
  std::string parameter;
  double from = 0, to = 0;
};

/// Reads "k=0.1..10"; none: it is not of that form.
std::optional<Continuation> read_continuation(const std::string& text);

/// A parameter that the model has as one that varies, for a branch of solutions: free, between the ends of the branch.
std::string as_free_parameter(const Continuation& continuation);

/// Solves the conditions once; `abi` has the parameters of the curve as they are now.
using SolveConditions = std::function<abi::Solution(bolza_problem& abi, const abi::Solution& start)>;

/// What is to be known of a point of a branch.
struct PointOnBranch {
  double objective = 0, norm = 0;
  std::string contradiction;  ///< what was assumed and does not hold there; "": nothing
};

/// A branch of solutions of a boundary value problem.
struct FollowedBranch {
  SolutionBranch branch;
  abi::Solution last;  ///< of the conditions, at its last point
};

/// Follows a branch from a solution by secants and Newton's method [ALLGOWER, 6; SEYDEL, 4]: the first step is to a value of
/// the parameter, the others to an arclength, Σ weight·(unknown − centre) = step, over values at the start, parameters and
/// times in units of their sizes. Steps grow while Newton's method is quick and the branch is straight, else they shrink.
/// Where the parameter turns, a fold, its extreme value is found by successive parabolas through points of the branch. The
/// branch ends where the parameter leaves its interval, there exactly; where an assumption on arcs is contradicted; where
/// steps become too small; or after 400 points.
/// Cost  one boundary value problem for each point, from a guess that is right to second order.
FollowedBranch follow_branch(BoundaryProblem& problem, const Continuation& continuation, const SolveConditions& solve,
                             const std::function<PointOnBranch(const abi::Solution&)>& look);

}  // namespace bolza::workflow
