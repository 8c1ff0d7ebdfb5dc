// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sundials/sundials_linearsolver.h>

#include <cstddef>
#include <functional>

namespace bolza::integrate {

/// Sets the right-hand sides of all blocks but the first, once that one's solution is known. False: it cannot.
using BehindFirst = std::function<bool(const double* solution, double* right_hand_sides)>;

/// A direct linear solver for `blocks` systems with one matrix, n × n, whose unknowns lie one after the other in the vectors
/// that it is given: the matrix is factorised once for all. `inner` stays the caller's and outlives it. Null when there is
/// no memory.
SUNLinearSolver make_block_solver(SUNLinearSolver inner, std::size_t n, std::size_t blocks, BehindFirst behind,
                                  SUNContext context);

}  // namespace bolza::integrate
