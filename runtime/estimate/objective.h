// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "runtime/estimate/estimator.h"
#include "runtime/nlp/nlp.h"

namespace bolza::estimate {

/// What is minimised over a box, as fits, searches and profiles see it: −log likelihood, on the parameters' scales.
class FitObjective {
 public:
  virtual ~FitObjective() = default;
  virtual const Box& box() const = 0;
  /// False: it has no value at theta, and `trouble` of the result says why.
  virtual bool evaluate(std::span<const double> theta, Order order, Likelihood& out) = 0;
  virtual std::size_t n_evaluations() const = 0;  ///< simulations, so far
  /// Kinks, such as those of |r|: how a likelihood without them within `width` is asked for; 0: with them.
  virtual bool has_kinks() const { return false; }
  virtual void round_kinks(double /*width*/) {}
  /// Variance of noise that nobody stated, before it is found with the parameters, and how it is set; see OpenNoise.
  /// 0: there is no such noise.
  virtual double open_variance() const { return 0; }
  virtual void set_open_variance(double /*variance*/) {}
  /// Mean square of errors of a measurement's simulation, in standard deviations, where it was evaluated with derivatives.
  virtual double errors() const { return 0; }
  /// Typical size of a parameter in a fit from here, > 0.
  virtual double size_of(std::size_t /*parameter*/, double /*start*/) const { return 1; }
};

/// The objective of an estimation.
class EstimatorObjective final : public FitObjective {
 public:
  /// The estimator outlives it.
  explicit EstimatorObjective(Estimator& estimator) : estimator_(estimator), box_(box_of(estimator.estimation())) {}
  const Box& box() const override { return box_; }
  bool evaluate(std::span<const double> theta, Order order, Likelihood& out) override {
    return estimator_.evaluate(theta, order, out);
  }
  std::size_t n_evaluations() const override { return estimator_.n_simulations(); }
  bool has_kinks() const override;
  void round_kinks(double width) override { estimator_.round_kinks(width); }
  double open_variance() const override;
  double errors() const override { return estimator_.errors(); }
  void set_open_variance(double variance) override { estimator_.set_open_variance(variance); }
  double size_of(std::size_t parameter, double start) const override;

 private:
  Estimator& estimator_;
  Box box_;
};

/// A minimum from one start.
struct LocalFit {
  nlp::Status status = nlp::Status::failed;
  std::string message;
  std::vector<double> theta, z_lower, z_upper;  ///< [parameters] with the multipliers of the bounds
  Likelihood at;                                ///< at theta, with what was asked for
  int iterations = 0;
};

/// Minimises by an engine of the table: its Gauss-Newton matrix is the Fisher information, its exact Hessian is made of
/// differences of gradients. Kinks are rounded, over 1 standard deviation and then less and less, down to 1e-5: what the
/// last of these minima exceeds the minimum by is below half of that for each measurement.
///
/// What is minimised has no constants, so that it does not depend on units, and counts in those of the likelihood: a step is
/// none that promises less than 1e-12, some 1e-6 of a standard error. Open noise has the variance of the estimation at first
/// and then, as often as that changes much or priors make it matter, the one that the residuals tell.
///
/// @param box    of this fit: that of the objective, or with parameters fixed by equal bounds
/// @param order  what is evaluated at the end
LocalFit minimise(FitObjective& objective, const Box& box, std::span<const double> start, const nlp::EngineOptions& options,
                  Order order);

}  // namespace bolza::estimate
