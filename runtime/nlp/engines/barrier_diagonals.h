// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "runtime/nlp/nlp.h"

namespace bolza::nlp {

/// The diagonals of the KKT matrix [H + diag(sigma), J'; J, -diag(delta)] of an iterate: those of the barrier at bounds and
/// sides of rows [NW, section 19.3].
struct BarrierDiagonals {
  std::vector<double> sigma;  ///< [n]
  std::vector<double> delta;  ///< [m] >= 0, next to nothing for equalities
};

/// @param g      [m] values of the rows at the iterate
/// @param floor  added to every entry of sigma
BarrierDiagonals barrier_diagonals(const Nlp& nlp, const Iterate& it, const double* g, double floor);

}  // namespace bolza::nlp
