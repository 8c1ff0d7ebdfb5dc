// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/explained.h"

#include <limits>

namespace bolza::estimate {

double Explained::r_squared() const { return total > 0 ? 1 - left / total : std::numeric_limits<double>::quiet_NaN(); }

std::vector<Explained> explained(const Estimation& estimation, const Likelihood& at) {
  std::vector<Explained> out(estimation.observables.size());
  std::vector<double> mean(out.size(), 0);
  auto on_scale = [&](const Measurement& m, double value) {
    return to_scale(value, estimation.observables[m.observable].scale);
  };
  std::size_t row = 0;
  for (const Experiment& e : estimation.experiments)
    for (const Measurement& m : e.measurements) {
      double residual = on_scale(m, at.simulated[row++]) - on_scale(m, m.value);
      if (!(m.weight > 0)) continue;
      Explained& own = out[m.observable];
      own.left += residual * residual;
      mean[m.observable] += (on_scale(m, m.value) - mean[m.observable]) / static_cast<double>(++own.count);
    }
  for (const Experiment& e : estimation.experiments)
    for (const Measurement& m : e.measurements) {
      double d = on_scale(m, m.value) - mean[m.observable];
      if (m.weight > 0) out[m.observable].total += d * d;
    }
  return out;
}

}  // namespace bolza::estimate
