// SPDX-License-Identifier: Apache-2.0
// Equations for as many unknowns: boundary value problems.
#include "runtime/nlp/engine_table.h"
#include "runtime/nlp/newton/damped_newton.h"

namespace bolza::nlp {

extern const Engine newton;
const Engine newton{.name = "newton",
                    .description = "as many equations as unknowns and no objective: damped Newton, affine covariant",
                    .exact_hessian = true,
                    .available = [] { return true; },
                    .solve = solve_by_newton};

}  // namespace bolza::nlp
