// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "runtime/integrate/steps/tape_method.h"

namespace bolza::integrate {

/// A Runge–Kutta method with a lower triangular matrix and γ all along its diagonal, whose last stage is the end of the
/// step. Dense output: the quartic through values and slopes at both ends and the continuous solution in the middle, of
/// order three like that one.                                                                                         [HW,
/// IV.6]
struct DiagonalTableau {
  std::size_t stages;
  double gamma;
  std::span<const double> c;       ///< [stages]
  std::span<const double> a;       ///< [stages × stages] with γ on the diagonal, the last row is b
  std::span<const double> error;   ///< [stages] b − b̂
  std::span<const double> middle;  ///< [stages] b(1/2) of the continuous solution
  int error_order;                 ///< of b̂
};

std::unique_ptr<Integrator> make_diagonal(const Setup& setup, const DiagonalTableau& tableau);

}  // namespace bolza::integrate
