// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/transcribe/shooting/shooting_options.h"

namespace bolza::transcribe {

/// Solves an optimal control problem in the reduced space (`ipopt+cvodes`): variables are the problem's parameters, free
/// initial states and controls, constant or linear on every mesh interval; states follow by integration with CVODES
/// (algebraics are solved for at every evaluation). Path constraints and bounds of states and algebraics hold at the mesh
/// points.
///
/// Second derivatives are forward over adjoint on every interval (on IDAS and for steps of a smooth control: differences of
/// each interval's exact adjoint), condensed exactly: a Hessian costs about n_x + n_u + parameters gradients whatever the
/// number of intervals.
///
/// With `shooting.lift` it is solved with the states at the mesh points as intermediate variables (lifted.h). Errors of the
/// integrations are part of the end: see `solve_accurately`; where they grow over the horizon until nothing is left, the
/// status is `failed` and the finding `unstable`.
///
/// @param options  mesh, mesh_fractions, control_constant and nlp are used; Gauss-Newton for squares of point values, and on
///                 CVODES for integrals of squares
/// @param guess    null: the problem's own guesses; else controls, initial states and parameters of a solution on any mesh
/// Outcome  as `solve`. Costates are the adjoint of the Lagrangian.
abi::Solution solve_single_shooting(bolza_problem& problem, const TranscribeOptions& options,
                                    const ShootingOptions& shooting = {}, const abi::Solution* guess = nullptr);

}  // namespace bolza::transcribe
