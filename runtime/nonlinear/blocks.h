// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/nonlinear/newton.h"

namespace bolza::nonlinear {

/// Square equations one block of the block triangular form of their Jacobian after the other (BTF), each by KINSOL, then by
/// Newton's method, then by continuation, with the unknowns of the blocks before it where they were found. A block sees no
/// residual of another, so what follows from an unknown far from its solution (powers, angles, quotients) does not stand in
/// the way of its equation.
///
/// Requires  `equations` fills in what is finite, and every place of the Jacobian, also where it answers false.
/// @param w  in: guesses; out: the solution, after a failure what was found up to the block that failed.
/// Errors  the report of the block that has no solution, its worst row as a row of `equations`; `stalled` with no
/// evaluations when the equations are not square, empty or structurally singular.
/// Cost    every iteration of every block evaluates all equations: for use where solving all at once has failed.
NewtonReport solve_by_blocks(const Equations& equations, std::vector<double>& w);

}  // namespace bolza::nonlinear
