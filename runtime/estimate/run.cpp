// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/run.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <iterator>
#include <map>
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
    if (std::isfinite(m.time)) {
      last = std::max(last, m.time);
      times.insert(m.time);
    }
  for (std::size_t k = 0; k <= points && points > 0; ++k)
    times.insert(experiment.start + (last - experiment.start) * static_cast<double>(k) / static_cast<double>(points));
  return {times.begin(), times.end()};
}

/// Standard deviations that stand with the measurements hold for curves as well, linear between the times.
void take_deviations(const Experiment& experiment, std::size_t observable, Estimator::Curves& curves) {
  std::map<double, std::pair<double, double>> sums;  // of deviations, and how many, by time
  for (const Measurement& m : experiment.measurements)
    if (m.observable == observable && std::isfinite(m.time) && !std::isnan(m.sigma)) {
      sums[m.time].first += m.sigma;
      sums[m.time].second += 1;
    }
  if (sums.empty()) return;
  auto mean = [](const auto& entry) { return entry.second.first / entry.second.second; };
  for (std::size_t k = 0; k < curves.time.size(); ++k) {
    auto after = sums.lower_bound(curves.time[k]);
    auto before = after == sums.begin() ? after : std::prev(after);
    if (after == sums.end()) after = before;
    double width = after->first - before->first, share = width > 0 ? (curves.time[k] - before->first) / width : 0;
    curves.sigma(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(observable)) =
        (1 - share) * mean(*before) + share * mean(*after);
  }
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
        estimator.simulate(theta, e, times, false, one.curves, trouble)) {
      for (std::size_t o : one.observables)
        if (!estimation.observables[o].sigma) take_deviations(estimation.experiments[e], o, one.curves);
      out.push_back(std::move(one));
    }
  }
  return out;
}

std::vector<double> gradient_differences(const bolza_problem& problem, const Estimation& estimation,
                                         const EstimatorOptions& options, std::span<const double> theta) {
  EstimatorOptions other = options;
  other.sensitivity = Sensitivity::differences;
  other.rtol = std::min(options.rtol, 1e-10);
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

/// θ at the parameters' values, within their bounds or not.
std::vector<double> values_of(const Estimation& estimation) {
  std::vector<double> out;
  for (const Parameter& p : estimation.parameters) out.push_back(to_scale(p.value, p.scale));
  return out;
}

double timed(Estimator& estimator, std::span<const double> theta, Order order, Likelihood& out) {
  Clock::time_point began = Clock::now();
  estimator.evaluate(theta, order, out);
  return seconds_since(began);
}

/// Of the processor, all threads: what else the machine does is not counted.
double processor_seconds(Estimator& estimator, std::span<const double> theta, Order order, Likelihood& out) {
  std::clock_t began = std::clock();
  estimator.evaluate(theta, order, out);
  return static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
}

/// The likelihood at θ; with adjoints information comes from sensitivities, and what is timed is the gradient.
void evaluate(Estimator& estimator, const EstimateRequest& request, const std::vector<double>& theta,
              EstimateResult& result) {
  Fit& fit = result.fit;
  fit.start = fit.theta = theta;
  Sensitivity way = request.estimator.sensitivity;
  Order order = way == Sensitivity::none                              ? Order::value
                : way == Sensitivity::adjoint && !request.information ? Order::gradient
                                                                      : Order::fisher;
  fit.seconds = timed(estimator, theta, order, fit.at);
  if (const OpenNoise& open = fit.at.open; fit.at.good && open.weight > 0 && !estimator.estimation().holds_noise) {
    estimator.set_open_variance(open.likeliest());
    fit.seconds = timed(estimator, theta, order, fit.at);
  }
  bool good = fit.at.good;
  if (Likelihood by_adjoint; good && way == Sensitivity::adjoint && order != Order::gradient) {
    fit.seconds = timed(estimator, theta, order = Order::gradient, by_adjoint);
    good = by_adjoint.good;
    fit.at.gradient = by_adjoint.gradient;
    fit.at.trouble = by_adjoint.trouble;
  }
  fit.status = good ? nlp::Status::solved : nlp::Status::evaluation_error;
  fit.message = fit.at.trouble.text;
  Likelihood again;
  for (std::size_t k = 0; k < request.repetitions && good; ++k) {
    double seconds = processor_seconds(estimator, theta, order, again);
    result.seconds_again = k == 0 ? seconds : std::min(result.seconds_again, seconds);
  }
  fit.simulations = estimator.n_simulations();
}

/// Takes a fit in growing windows where that is better, or the only one.
void try_windows(const bolza_problem& problem, const Estimation& estimation, const EstimateRequest& request,
                 EstimateResult& result) {
  constexpr double much = 0.5, clearly = 1e-3;  // share of deviations; in units of the likelihood
  const Fit at_once = result.fit;
  if (request.windows.halvings == 0 || at_once.status == nlp::Status::bad_option || was_cut_short(at_once.status)) return;
  bool needed = !at_once.at.good || unexplained_share(estimation, at_once.at) > much;
  if (!needed && !request.windows.always) return;
  Fit grown =
      fit_in_growing_windows(problem, estimation, request.estimator, request.fit, at_once.start, request.windows.halvings);
  result.fit.simulations += grown.simulations;
  result.fit.seconds += grown.seconds;
  if (at_once.at.good) result.without_windows = at_once.at.value;
  if (!grown.at.good || (at_once.at.good && !(grown.at.value < at_once.at.value - clearly))) {
    if (was_cut_short(grown.status)) {
      result.fit.status = grown.status;
      result.fit.message = grown.message;
    }
    return;
  }
  grown.simulations = result.fit.simulations;
  grown.seconds = result.fit.seconds;
  result.fit = std::move(grown);
  result.windows = request.windows.halvings;
}

}  // namespace

EstimateResult estimate(const bolza_problem& problem, const Estimation& estimation, const EstimateRequest& request) {
  EstimateResult result;
  Estimator estimator(problem, estimation, request.estimator);
  Box box = box_of(estimation);
  if (request.check_gradient)
    result.gradient_check = gradient_differences(problem, estimation, request.estimator, box.start);
  if (request.evaluate_only) {
    evaluate(estimator, request, values_of(estimation), result);
  } else {
    result.fit = fit(estimator, request.fit, box.start);
    try_windows(problem, estimation, request, result);
  }
  if (result.fit.at.good) estimator.set_open_variance(result.fit.at.open.variance);
  if (request.curve_points > 0 && result.fit.at.good)
    result.curves = curves_of(estimator, result.fit.theta, request.curve_points);
  return result;
}

}  // namespace bolza::estimate
