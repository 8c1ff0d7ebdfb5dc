// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Dense>
#include <memory>
#include <string>
#include <vector>

#include "base/budget.h"
#include "runtime/abi/solution.h"
#include "runtime/estimate/estimation.h"
#include "runtime/integrate/method_options.h"

namespace bolza::estimate {

/// How derivatives by parameters are had.
enum class Sensitivity : std::uint8_t {
  forward,      ///< sensitivity equations; the cost grows with the parameters
  adjoint,      ///< gradients by adjoint equations, whose cost does not; Fisher matrices by sensitivity equations
  differences,  ///< central quotients; an oracle
  none          ///< values alone
};

struct EstimatorOptions {
  double rtol = 1e-8, atol_factor = 1e-6;  ///< of the integration; absolute: rtol × nominal × factor
  /// [n_x] of states without a nominal value, which take its place; empty: found out from the initial values of the first
  /// parameters that are evaluated, see VariableSizes.
  std::vector<double> sizes = {};
  std::string integrator = "cvodes";
  Sensitivity sensitivity = Sensitivity::forward;
  std::size_t threads = 1;  ///< experiments at a time
  integrate::MethodOptions method_options;
  Budget budget;
};

/// What is computed at one set of parameters.
enum class Order : std::uint8_t { value, gradient, fisher };

/// Measurements whose standard deviation nobody stated, at θ.
struct OpenNoise {
  double weight = 0;      ///< Σ weights; 0: there are none
  double freedom = 0;     ///< of these, without their share of the parameters
  double squares = 0;     ///< Σ weight · (residual · σ/number)²
  double variance = 1;    ///< with which the likelihood was computed
  double resolution = 0;  ///< mean square of what the integration leaves open of the simulated, over number²; as of the last
                          ///< evaluation with derivatives

  /// The most likely one, corrected for the parameters; not below what the integration resolves.
  double likeliest() const;
};

/// The fit at θ. Rows of residuals in the order of the experiments and their measurements.
struct Likelihood {
  double value = 0;           ///< −log likelihood − log prior (minimised)
  double log_likelihood = 0;  ///< natural, with all constants
  double sum_of_squares = 0;  ///< Σ residual², χ²
  Eigen::VectorXd gradient;   ///< [parameters] of `value` by θ, on the parameters' scales
  Eigen::MatrixXd fisher;     ///< [parameters²] Σ of expected information and the priors' curvature; positive semidefinite
  std::vector<double> simulated, sigma;  ///< [measurements] observable in physical units, standard deviation on its scale
  std::vector<double> residuals;         ///< [measurements] (simulated − measured)/σ on the observable's scale
  Eigen::MatrixXd jacobian;  ///< [measurements × parameters] of the observable on its scale, over σ; with `fisher`
  OpenNoise open;
  bool good = false;
  abi::Finding trouble;  ///< when not good
};

/// `value` at the most likely variance of open noise, as fits with different residuals are compared. Residuals below a
/// hundred times what the integration resolves count as equal.
double value_at_own_noise(const Likelihood& at);

/// −log posterior of an estimation and its derivatives: simulates every experiment up to its last measurement.
/// θ: [parameters] on their scales.
class Estimator {
 public:
  /// Problem and estimation outlive it.
  Estimator(const bolza_problem& problem, const Estimation& estimation, EstimatorOptions options);
  ~Estimator();
  Estimator(const Estimator&) = delete;
  Estimator& operator=(const Estimator&) = delete;

  const Estimation& estimation() const;
  /// False: an integration failed, `trouble` says where. Cost: gradient by `forward`: one integration of n_x (1 +
  /// parameters) equations for each experiment.
  bool evaluate(std::span<const double> theta, Order order, Likelihood& out);

  /// Simulated observables of one experiment at these ascending times, for pictures and bands.
  struct Curves {
    std::vector<double> time;
    Eigen::MatrixXd value;                    ///< [times × observables] physical units
    Eigen::MatrixXd sigma;                    ///< [times × observables]
    std::vector<Eigen::MatrixXd> derivative;  ///< [observables] of [times × parameters] of the value by θ, when asked for
  };
  bool simulate(std::span<const double> theta, std::size_t experiment, std::span<const double> times, bool derivatives,
                Curves& out, abi::Finding& trouble);

  /// Mean square of what the integration leaves open of what was simulated, in standard deviations; as of the last
  /// evaluation with derivatives, 0 before.
  double errors() const;
  /// The variance of open noise from now on; at first Estimation::open_variance.
  void set_open_variance(double variance);
  /// From now on |r| of Laplace noise is a parabola where it is below `width` ([noise.h](noise.h)); 0: as it is.
  void round_kinks(double width);
  std::size_t n_simulations() const;  ///< of experiments, so far

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

/// θ at the parameters' values, and its bounds.
struct Box {
  std::vector<double> start, lower, upper;
  std::vector<double> size = {};  ///< > 0 typical of θ; empty: 1

  /// What of a parameter is not less than its size, at these values.
  double scale(std::size_t parameter, double a, double b = 0) const;
};
Box box_of(const Estimation& estimation);

}  // namespace bolza::estimate
