// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sundials/sundials_linearsolver.h>

namespace bolza::integrate {

/// A direct linear solver (dense or KLU) that goes on when its matrix is singular: the step is then the least-squares one of
/// least norm in equilibrated unknowns, which leaves alone what no equation determines for the moment (the enthalpy of a
/// fluid at rest). Entries of a step that are thirty decades below its largest are zero. Takes `inner`; null when there is
/// no memory. Cost when regular: one copy of a dense matrix per factorisation; when singular O(n³), up to 500 unknowns,
/// above that it fails as `inner` does.
SUNLinearSolver make_singular_solver(SUNLinearSolver inner, SUNContext context);

}  // namespace bolza::integrate
