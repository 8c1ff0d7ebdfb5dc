#pragma once
#include <memory>

#include "runtime/nlp/nlp.h"

namespace bolza::nlp {

/// w = scale * w_scaled, g_scaled = g / row_scale, f_scaled = f / objective_scale. Scales are rounded to powers of two, so that scaling
/// loses no digit.
struct Scaled {
  Nlp nlp;
  std::unique_ptr<Functions> functions;
  std::vector<double> variable, row;
  double objective = 1;
};

/// `physical` and its functions must outlive the result. Cost linear.
Scaled scale(const Nlp& physical);

Iterate to_scaled(const Scaled& scaled, Iterate physical);
Iterate to_physical(const Scaled& scaled, Iterate iterate);

}  // namespace bolza::nlp
