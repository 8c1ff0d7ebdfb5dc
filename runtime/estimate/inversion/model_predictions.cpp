// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/inversion/model_predictions.h"

#include <cmath>

namespace bolza::estimate {
namespace {

/// Errors of an integration of this tolerance, in standard deviations of the measurements: of a typical one.
double resolution_of(const Estimation& estimation, double rtol) {
  double sum = 0;
  std::size_t n = 0;
  for (const Experiment& e : estimation.experiments)
    for (const Measurement& m : e.measurements) {
      const Observable& o = estimation.observables[m.observable];
      double sigma = std::isnan(m.sigma) ? o.number * (o.is_open ? std::sqrt(estimation.open_variance) : 1) : m.sigma;
      if (sigma > 0) {
        sum += (m.value / sigma) * (m.value / sigma);
        ++n;
      }
    }
  return n > 0 ? rtol * std::sqrt(sum / static_cast<double>(n)) : 0;
}

}  // namespace

ModelPredictions::ModelPredictions(const bolza_problem& problem, const Estimation& estimation,
                                   const EstimatorOptions& options)
    : parameters_(estimation.parameters.size()),
      resolution_(resolution_of(estimation, options.rtol)) {
  for (const Experiment& experiment : estimation.experiments) {
    Set set;
    set.estimation = std::make_unique<Estimation>(estimation);
    set.estimation->experiments = {experiment};
    set.estimator = std::make_unique<Estimator>(problem, *set.estimation, options);
    sets_.push_back(std::move(set));
  }
}

std::size_t ModelPredictions::measurements(std::size_t set) const {
  return sets_[set].estimation->experiments[0].measurements.size();
}

bool ModelPredictions::evaluate(std::size_t set, const Eigen::VectorXd& p, Eigen::VectorXd& residual,
                                Eigen::MatrixXd* jacobian) {
  Likelihood at;
  if (!sets_[set].estimator->evaluate(std::span(p.data(), parameters_), jacobian ? Order::fisher : Order::value, at)) {
    trouble_ = at.trouble;
    return false;
  }
  const std::vector<Measurement>& measured = sets_[set].estimation->experiments[0].measurements;
  residual = Eigen::Map<const Eigen::VectorXd>(at.residuals.data(), static_cast<Eigen::Index>(at.residuals.size()));
  if (jacobian) *jacobian = at.jacobian;
  for (std::size_t k = 0; k < measured.size(); ++k) {
    if (measured[k].weight == 1) continue;
    double root = std::sqrt(measured[k].weight);
    residual[static_cast<Eigen::Index>(k)] *= root;
    if (jacobian) jacobian->row(static_cast<Eigen::Index>(k)) *= root;
  }
  return residual.allFinite() && (!jacobian || jacobian->allFinite());
}

bool ModelPredictions::simulate(std::size_t set, const Eigen::VectorXd& p, std::span<const double> times,
                                Estimator::Curves& out) {
  return sets_[set].estimator->simulate(std::span(p.data(), parameters_), 0, times, false, out, trouble_);
}

std::size_t ModelPredictions::n_simulations() const {
  std::size_t n = 0;
  for (const Set& set : sets_) n += set.estimator->n_simulations();
  return n;
}

}  // namespace bolza::estimate
