// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/transcribe/shooting/shooting_options.h"

namespace bolza::transcribe {

/// Solves an optimal control problem by direct multiple shooting [BOCKPLITT]: variables are the problem's parameters, the
/// states at all mesh points and the controls, constant or linear on every mesh interval. Every interval is integrated from
/// its own state; defects x_{k+1} − X(x_k, u_k, p, t) = 0 join them. Path constraints and bounds of states and algebraics
/// hold at the mesh points. What a state at the start does to one at the end never enters: unstable models can be solved.
///
/// Jacobian and Hessian of the Lagrangian are sparse, put together from those of the intervals: ψ_k'' forward over adjoint
/// (on IDAS and for steps of a smooth control: differences of the interval's exact adjoint).
///
/// @param options  mesh, mesh_fractions, control_constant, threads and nlp are used, and of the guess lines_to_end and
///                 perturbation; intervals are integrated on `threads` threads, with the same bits
/// @param guess    null: the problem's own guesses; else states, controls and parameters of a solution on any mesh
/// Outcome  as `solve`. Costates are the multipliers of the defects, and between mesh points the adjoint from them.
abi::Solution solve_multiple_shooting(bolza_problem& problem, const TranscribeOptions& options,
                                      const ShootingOptions& shooting = {}, const abi::Solution* guess = nullptr);

}  // namespace bolza::transcribe
