// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "runtime/nlp/nlp.h"

namespace bolza::nlp {

/// w = scale * w_scaled, g_scaled = g / row_scale, f_scaled = f / objective_scale. Scales are used as they are: rounded, say
/// to powers of two, they would depend on the units of the problem, and so would the iterates.
struct Scaled {
  Nlp nlp;
  std::unique_ptr<Functions> functions;  ///< null: the physical functions have taken the scales in until `release`
  std::vector<double> variable, row;
  double objective = 1;

  void release();  ///< makes the physical functions physical again; `nlp` must not be used any more
};

/// `physical` and its functions must outlive the result; until `release` they belong to it. Cost linear.
Scaled scale(const Nlp& physical);

/// The scales as they are used: such that products of three are finite and not zero.
std::vector<double> usable_scales(const std::vector<double>& scales);

/// What an objective is divided by that changes by so much when every variable moves by its scale against it: 1 where that
/// is not very large; a barrier parameter that suits the constraints would be nothing compared with it.
double scale_of_objective(double change);

Iterate to_scaled(const Scaled& scaled, Iterate physical);
Iterate to_physical(const Scaled& scaled, Iterate iterate);

}  // namespace bolza::nlp
