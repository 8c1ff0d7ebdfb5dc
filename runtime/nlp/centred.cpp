// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/centred.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace bolza::nlp {

Iterate centred(const Nlp& nlp, Iterate iterate, double barrier) {
  double mu = barrier * nlp.objective_scale;
  for (std::size_t v = 0; v < nlp.n(); ++v) {
    double lower = nlp.lower[v], upper = nlp.upper[v], most = std::sqrt(barrier) * nlp.scale[v];
    if (!(lower < upper)) continue;
    if (std::isfinite(lower) && std::isfinite(upper)) most = std::min(most, 0.4 * (upper - lower));
    double &w = iterate.w[v], &below = iterate.z_lower[v], &above = iterate.z_upper[v];
    auto away = [&](double z) { return z > 0 ? std::min(most, mu / z) : most; };
    if (std::isfinite(lower)) w = std::max(w, lower + away(below));
    if (std::isfinite(upper)) w = std::min(w, upper - away(above));
    if (std::isfinite(lower)) below = std::max(below, mu / (w - lower));
    if (std::isfinite(upper)) above = std::max(above, mu / (upper - w));
  }
  return iterate;
}

Iterate centred_for(const EngineOptions& options, const Nlp& nlp, Iterate iterate) {
  bool interior = options.engine == "ipopt" || options.engine == "barrier" || options.engine == "bonmin";
  return interior && options.barrier > 0 ? centred(nlp, std::move(iterate), options.barrier) : iterate;
}

}  // namespace bolza::nlp
