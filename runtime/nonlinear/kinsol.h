// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/nonlinear/newton.h"

namespace bolza::nonlinear {

/// Square equations by KINSOL: Newton with a line search on the scaled residual, exact sparse Jacobians factorised by KLU.
/// `w` is the start and, when it converged, the result; otherwise it is left as it was. Singular Jacobians end it as
/// stalled: `solve` of newton.h goes on where this gives up.
NewtonReport solve_by_kinsol(const Equations& equations, std::vector<double>& w, const NewtonOptions& options = {});

}  // namespace bolza::nonlinear
