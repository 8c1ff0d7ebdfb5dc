// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "runtime/nlp/nlp.h"

namespace bolza::nlp {

/// ∇L = ∇f + J'λ + z_upper − z_lower. [n]
std::vector<double> slope_of_lagrangian(const Nlp& nlp, const Iterate& it, const double* gradient, const double* jacobian);

/// Σ multiplier · distance over bounds and sides of inequalities, by which the objective is off at most in a convex problem,
/// and |Σ multiplier · residual| of equations: what it would change by, to first order, if they held. In units of f.
/// @param g  [m] values of the rows at the iterate
double gap_of(const Nlp& nlp, const Iterate& it, const double* g);

/// Fills the report's infeasibilities and complementarity from its iterate, unscaled and scaled. Evaluates everything once.
void measure_residuals(const Nlp& nlp, Report& report);

}  // namespace bolza::nlp
