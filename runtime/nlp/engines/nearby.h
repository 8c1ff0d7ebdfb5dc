// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "runtime/nlp/nlp.h"

namespace bolza::nlp {

/// A point next to a solution that holds and is clearly better. Where the curvature of the Lagrangian vanishes along what
/// the active constraints leave, the conditions of first and second order say nothing (w³, w₁w₂w₃, the monkey saddle, −w⁴):
/// there the objective itself is looked at, on both sides, from 0.3 to 0.01 of the sizes, along two kinds of direction: such
/// a one, from two inverse iterations with the KKT matrix, and the Newton direction from the point moved along it. Points
/// are led back to equations and active sides by two simplified Newton steps; what they still break is charged with the
/// multipliers.
///
/// Requires  an iterate with multipliers; the scaled problem without fixed variables. MUMPS, if `solver` leads to it, runs
/// in the caller's thread. Returns  [n], empty: none was found, which proves nothing. Cost  one factorisation, three
/// evaluations of second derivatives, some fifty of objective and rows.
std::vector<double> better_nearby(const Nlp& nlp, double tol, const Report& report, LinearSolver solver);

}  // namespace bolza::nlp
