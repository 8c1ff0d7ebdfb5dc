// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/nlp/nlp.h"

namespace bolza::nlp {

/// Whether a stationary point is not a minimum for want of the second-order condition: the Lagrangian curves downwards along
/// a direction that the active constraints leave, by more than a ten-thousandth of its largest second derivative. By the
/// inertia of the KKT matrix there, with the barrier's diagonals for bounds and sides [NW, section 19.3]. Where curvature
/// is about zero (singular arcs, parameters that nothing determines) the answer is no.
///
/// Requires  an iterate with multipliers; the scaled problem without fixed variables. MUMPS, if it is used, runs in the
/// caller's thread.
/// @param solver  what factors the matrix
/// Cost  one evaluation of derivatives, one factorisation.
bool curves_downwards(const Nlp& nlp, const Iterate& iterate, LinearSolver solver = LinearSolver::mumps);

/// Fills `Report::is_saddle` of a solution that may be one: the last step needed a regularised Hessian, or there was no
/// step; `Report::better_nearby` of a cold start; and `Report::is_proven` where that is asked for and linear rows
/// contradict each other (linear_certificate.h).
void look_at_end(const Nlp& nlp, const EngineOptions& options, Report& report);

}  // namespace bolza::nlp
