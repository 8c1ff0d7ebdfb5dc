// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/nlp/nlp.h"

namespace bolza::nlp {

/// Solves a problem with whole-number variables by branch and bound [LAND] around an engine for continuous problems
/// (options.engine). Relaxed problems start from the iterate of the one they were made from. A search dives, towards the
/// nearer whole number, until a problem is infeasible, no better than what is known, or whole; then it goes on with the
/// open problem of the lowest bound. The variable to branch on is chosen by pseudo-costs [BGG], at first the most
/// fractional. Points in whole numbers are found at the leaves, and by rounding (sum_up.h) and solving for the rest.
///
/// The report is that of the best point: the problem with its whole numbers fixed, multipliers included. `integers` has the
/// relaxed optimum, the bound, the gap and the nodes. In a convex problem the bound is one; in another it is that of the
/// local optima that the engine found.
///
/// Status    solved: the gap is closed, or max_nodes is reached with a point (then `integers.stopped` says so);
///           time_limit, interrupted: the best point until then; infeasible: no whole numbers satisfy the constraints;
///           where the first relaxed problem is not solved, its report.
Report branch_and_bound(const Nlp& nlp, const EngineOptions& options, const Iterate* start);

/// Relaxed optimum, sum-up rounding, and a solve with the whole numbers fixed. Infeasible where these rule out every point.
Report round_and_solve(const Nlp& nlp, const EngineOptions& options, const Iterate* start);

/// Solves for what is left with the whole-number variables fixed at the whole numbers nearest to point.w.
Report solve_fixed(const Nlp& nlp, const EngineOptions& options, const Iterate& point);

/// `nlp` without its restriction to whole numbers.
Nlp relaxed(const Nlp& nlp);

}  // namespace bolza::nlp
