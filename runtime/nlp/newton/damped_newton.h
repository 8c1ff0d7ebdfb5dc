// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/nlp/nlp.h"

namespace bolza::nlp {

/// Solves the equalities of a problem for its variables, the objective left alone: boundary value problems after multiple
/// shooting or collocation, with as many equations as unknowns, or more that agree.
///
/// Newton's method whose damping is chosen by error-oriented natural monotonicity [DEUFLHARD, 3.3]: a step w + λΔw is taken
/// when the simplified correction there, by the same matrix, is shorter than Δw, ‖Δw̄‖ ≤ (1 − λ/4) ‖Δw‖. That does not depend
/// on how the rows are scaled; lengths are in scaled variables. λ comes from the estimate of the affine covariant
/// Lipschitz constant, and a step never crosses a bound. More equations than unknowns: Gauss-Newton steps, and what is left
/// of the equations at the end has to vanish.
///
/// Status  solved: Δw̄ is below options.tol, and so are the rows; infeasible: the damping became too small, or equations
/// contradict each other; failed: fewer equations than unknowns, or a singular matrix at the start (`message` says which).
/// Cost  one Jacobian and one factorisation for each step, one evaluation for each λ that is tried.
Report solve_by_newton(const Nlp& nlp, const EngineOptions& options, const Iterate& start);

}  // namespace bolza::nlp
