#include "runtime/estimate/run.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/clock.h"
#include "runtime/nlp/solve.h"

namespace bolza::estimate {
namespace {

/// Equidistant times over an experiment, with those of its measurements.
std::vector<double> curve_times(const Experiment& experiment, std::size_t points) {
  double last = experiment.start;
  std::set<double> times;
  for (const Measurement& m : experiment.measurements)
    if (std::isfinite(m.time)) last = std::max(last, m.time), times.insert(m.time);
  for (std::size_t k = 0; k <= points && points > 0; ++k)
    times.insert(experiment.start + (last - experiment.start) * static_cast<double>(k) / static_cast<double>(points));
  return {times.begin(), times.end()};
}

std::vector<ExperimentCurves> curves_of(Estimator& estimator, std::span<const double> theta, std::size_t points) {
  std::vector<ExperimentCurves> out;
  const Estimation& estimation = estimator.estimation();
  for (std::size_t e = 0; e < estimation.experiments.size(); ++e) {
    ExperimentCurves one;
    one.experiment = e;
    std::set<std::size_t> measured;
    for (const Measurement& m : estimation.experiments[e].measurements) measured.insert(m.observable);
    one.observables.assign(measured.begin(), measured.end());
    std::vector<double> times = curve_times(estimation.experiments[e], points);
    abi::Finding trouble;
    if (estimator.simulate(theta, e, times, true, one.curves, trouble) ||
        estimator.simulate(theta, e, times, false, one.curves, trouble))
      out.push_back(std::move(one));
  }
  return out;
}

std::vector<double> gradient_differences(const bolza_problem& problem, const Estimation& estimation,
                                         const EstimatorOptions& options, std::span<const double> theta) {
  EstimatorOptions other = options;
  other.sensitivity = Sensitivity::differences, other.rtol = std::min(options.rtol, 1e-10);
  Estimator exact(problem, estimation, options), quotients(problem, estimation, other);
  Likelihood a, b;
  if (!exact.evaluate(theta, Order::fisher, a) || !quotients.evaluate(theta, Order::gradient, b)) return {};
  std::vector<double> out;
  Eigen::MatrixXd fisher = a.fisher;
  if (options.sensitivity == Sensitivity::adjoint && !exact.evaluate(theta, Order::gradient, a)) return {};
  double least = 1e-3 * std::sqrt(fisher.diagonal().maxCoeff());
  for (Eigen::Index k = 0; k < a.gradient.size(); ++k) {
    double entry = std::max({std::abs(a.gradient[k]), std::abs(b.gradient[k]), std::sqrt(fisher(k, k)), least});
    out.push_back(entry > 0 ? std::abs(a.gradient[k] - b.gradient[k]) / entry : 0);
  }
  return out;
}

}  // namespace

EstimateResult estimate(const bolza_problem& problem, const Estimation& estimation, const EstimateRequest& request) {
  EstimateResult result;
  Estimator estimator(problem, estimation, request.estimator);
  Box box = box_of(estimation);
  if (request.check_gradient)
    result.gradient_check = gradient_differences(problem, estimation, request.estimator, box.start);
  if (request.evaluate_only) {
    result.fit.start = result.fit.theta = box.start;
    Sensitivity way = request.estimator.sensitivity;
    Clock::time_point began = Clock::now();
    bool good = estimator.evaluate(box.start, way == Sensitivity::none ? Order::value : Order::fisher, result.fit.at);
    result.fit.seconds = seconds_since(began);
    if (Likelihood by_adjoint; good && way == Sensitivity::adjoint) {
      began = Clock::now();
      good = estimator.evaluate(box.start, Order::gradient, by_adjoint);
      result.fit.seconds = seconds_since(began);
      result.fit.at.gradient = by_adjoint.gradient, result.fit.at.trouble = by_adjoint.trouble;
    }
    result.fit.status = good ? nlp::Status::solved : nlp::Status::evaluation_error;
    result.fit.message = result.fit.at.trouble.text;
    result.fit.simulations = estimator.n_simulations();
  } else {
    result.fit = fit(estimator, request.fit, box.start);
  }
  if (request.curve_points > 0 && result.fit.at.good)
    result.curves = curves_of(estimator, result.fit.theta, request.curve_points);
  return result;
}

}  // namespace bolza::estimate
