// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "runtime/nonlinear/model_at.h"

namespace bolza::nonlinear {

/// What cannot be asked of algebraics, whatever their own tolerances: 0 = h(t, x, z, u) passes errors on, δz = −h_z⁻¹ δh.
/// The voltage i/G over a blocking valve of conductance G = 1e-7 follows from its current with seven digits less, in the
/// tolerance of the current as in its rounding.
struct AlgebraicErrors {
  std::vector<double> of_states;    ///< [n_z] left by errors of the states of the size of their tolerances, δh = h_x δx
  std::vector<double> of_rounding;  ///< [n_z] left by the rounding of the terms of h, δh_r = ε Σ_c |∂h_r/∂v_c · v_c|
};

/// Both are sizes: the largest of a few samples with fixed signs.
///
/// @param x_tolerance  [n_x]
/// Errors  false: not finite, or h_z is singular; `errors` is as it was.
/// Cost    one Jacobian of h, one sparse factorisation of h_z, six solutions.
bool find_algebraic_errors(ModelAt& model, const ModelAt::Point& point, std::span<const double> x_tolerance,
                           AlgebraicErrors& errors);

}  // namespace bolza::nonlinear
