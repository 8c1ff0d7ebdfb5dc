// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Dense>
#include <cstddef>

namespace bolza::estimate {

/// What a model predicts for measured data sets by its parameters p, however it is computed: f_i(p) of [MI, section 2] less
/// the measurements. Each set has its own p.
class Predictions {
 public:
  virtual ~Predictions() = default;
  virtual std::size_t sets() const = 0;
  virtual std::size_t parameters() const = 0;
  virtual std::size_t measurements(std::size_t set) const = 0;
  /// @param p         [parameters] of this set, physical units
  /// @param residual  [measurements] (f_i(p) − f_i*)/σ, out
  /// @param jacobian  [measurements × parameters] its derivative by p, out; null: not wanted
  /// False: the model cannot be evaluated at p, or a value is not finite.
  virtual bool evaluate(std::size_t set, const Eigen::VectorXd& p, Eigen::VectorXd& residual, Eigen::MatrixXd* jacobian) = 0;
  /// Residuals smaller than this are errors of the computation, not of the measurements.
  virtual double resolution() const { return 0; }
};

}  // namespace bolza::estimate
