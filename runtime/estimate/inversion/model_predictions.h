// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <vector>

#include "runtime/estimate/estimator.h"
#include "runtime/estimate/inversion/predictions.h"

namespace bolza::estimate {

/// Predictions of a model that is simulated: every experiment of an estimation is a data set with parameters of its own, p
/// the estimation's parameters. Derivatives are forward sensitivities.
class ModelPredictions final : public Predictions {
 public:
  /// Problem outlives it; the estimation is copied.   Requires  parameters on linear scales.
  ModelPredictions(const bolza_problem& problem, const Estimation& estimation, const EstimatorOptions& options);

  std::size_t sets() const override { return sets_.size(); }
  std::size_t parameters() const override { return parameters_; }
  std::size_t measurements(std::size_t set) const override;
  /// Cost  one simulation, with the sensitivities of n_x × parameters equations for the Jacobian.
  bool evaluate(std::size_t set, const Eigen::VectorXd& p, Eigen::VectorXd& residual, Eigen::MatrixXd* jacobian) override;
  double resolution() const override { return resolution_; }

  /// Observables of a set at ascending times.
  bool simulate(std::size_t set, const Eigen::VectorXd& p, std::span<const double> times, Estimator::Curves& out);
  std::size_t n_simulations() const;
  const abi::Finding& trouble() const { return trouble_; }  ///< of the last evaluation that failed

 private:
  struct Set {
    std::unique_ptr<Estimation> estimation;  ///< of one experiment
    std::unique_ptr<Estimator> estimator;
  };
  std::vector<Set> sets_;
  std::size_t parameters_ = 0;
  double resolution_ = 0;
  abi::Finding trouble_;
};

}  // namespace bolza::estimate
