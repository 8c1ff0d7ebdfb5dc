// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "runtime/integrate/steps/tape_method.h"

namespace bolza::integrate {

/// A Rosenbrock method: K_i = f(t + α_i h, x + h Σ α_ij K_j) + h J Σ_{j<=i} γ_ij K_j + h γ_i f_t, J = f_x at the start.
/// Dense output of order 3: with a stage more, at the end of the step, there are weights b_i(θ) that fulfil the four
/// conditions of order 3 for all θ. That stage is computed when it is asked for.                          [HW, IV.7]
struct RosenbrockTableau {
  std::size_t stages;             ///< 4, of which the last has weight in b
  double gamma;                   ///< γ_ii
  std::span<const double> alpha;  ///< [stages × stages]
  std::span<const double> Gamma;  ///< [stages × stages] below the diagonal
  std::span<const double> b;      ///< [stages]
  std::span<const double> error;  ///< [stages] b − b̂
  int error_order;                ///< of b̂
};

std::unique_ptr<Integrator> make_rosenbrock(const Setup& setup, const RosenbrockTableau& tableau);

}  // namespace bolza::integrate
