// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "base/expects.h"
#include "runtime/estimate/statistics/statistics.h"

namespace bolza::estimate {

Band band_of(const Estimator::Curves& curves, std::size_t observable, const Estimation& estimation,
             const FitStatistics& statistics) {
  expects(observable < curves.derivative.size(), "curves were simulated with derivatives");
  const Scale scale = estimation.observables[observable].scale;
  const Eigen::MatrixXd& by_theta = curves.derivative[observable];
  double factor = statistics.noise_factor;
  Band out;
  for (Eigen::Index k = 0; k < by_theta.rows(); ++k) {
    double y = curves.value(k, static_cast<Eigen::Index>(observable)),
           sigma = curves.sigma(k, static_cast<Eigen::Index>(observable));
    double variance = variance_along(by_theta.row(k), statistics.covariance);
    double slope = slope_of(y, scale), centre = to_scale(y, scale);
    variance /= slope * slope;  // on the observable's scale
    double own = statistics.quantile * std::sqrt(variance),
           whole = statistics.quantile * std::sqrt(variance + factor * sigma * sigma);
    out.lower.push_back(from_scale(centre - own, scale));
    out.upper.push_back(from_scale(centre + own, scale));
    out.measured_lower.push_back(from_scale(centre - whole, scale));
    out.measured_upper.push_back(from_scale(centre + whole, scale));
  }
  return out;
}

}  // namespace bolza::estimate
