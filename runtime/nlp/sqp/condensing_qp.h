// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "runtime/nlp/sqp/quadratic_program.h"

namespace bolza::nlp {

/// Quadratic programs without the variables that follow from others [BOCKPLITT]: linearised continuity conditions give the
/// states d_s = s + Z d_v of multiple shooting from initial values, controls and parameters d_v; what is left is a dense
/// program in d_v, with bounds of states as rows. Solution and all multipliers are those of the whole program, so that
/// sequential quadratic programming makes the same iterates. What is not a convex program with a solution (elastic ones,
/// those that are indefinite or infeasible, those that `condensed` fails at) is left to `whole`, so that everything that
/// depends on how it fails is the same, too.
///
/// @param condensed  solves dense programs      @param whole  solves the others; nothing of it is used before
/// Requires  no `objection_to_condensing` (condensing.h).     Cost of a program on top of the condensed one: O(n_s n_v²) for
/// n_s states, n_v variables that are left; memory n_s n_v + n_v².
std::unique_ptr<QuadraticSolver> condensing_solver(const Nlp& nlp, std::unique_ptr<QuadraticSolver> condensed,
                                                   std::unique_ptr<QuadraticSolver> whole);

}  // namespace bolza::nlp
