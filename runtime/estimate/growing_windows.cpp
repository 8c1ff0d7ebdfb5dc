// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/growing_windows.h"

#include <algorithm>
#include <cmath>

#include "base/clock.h"
#include "runtime/estimate/explained.h"

namespace bolza::estimate {
namespace {

/// The estimation with the measurements of the first part of every experiment's time.
Estimation first_part(const Estimation& all, double share) {
  Estimation part = all;
  for (Experiment& e : part.experiments) {
    double last = e.start;
    for (const Measurement& m : e.measurements)
      if (std::isfinite(m.time)) last = std::max(last, m.time);
    double end = e.start + share * (last - e.start);
    std::erase_if(e.measurements, [&](const Measurement& m) { return !(m.time <= end); });
  }
  std::erase_if(part.experiments, [](const Experiment& e) { return e.measurements.empty(); });
  return part;
}

}  // namespace

bool was_cut_short(nlp::Status status) { return status == nlp::Status::interrupted || status == nlp::Status::time_limit; }

double unexplained_share(const Estimation& estimation, const Likelihood& at) {
  double left = 0, count = 0;
  for (const Explained& one : explained(estimation, at)) {
    if (std::isnan(one.r_squared())) continue;
    auto n = static_cast<double>(one.count);
    left += n * (1 - one.r_squared());
    count += n;
  }
  return left / count;
}

Fit fit_in_growing_windows(const bolza_problem& problem, const Estimation& estimation, const EstimatorOptions& options,
                           const FitOptions& fit_options, std::span<const double> start, std::size_t halvings) {
  Clock::time_point began = Clock::now();
  std::vector<double> theta(start.begin(), start.end());
  int iterations = 0;
  std::size_t simulations = 0;
  Fit last;
  FitOptions of_window = fit_options;
  of_window.order_at_end = Order::value;  // where it ends is all that the next one takes
  for (std::size_t k = halvings + 1; k-- > 0;) {
    Estimation part = k > 0 ? first_part(estimation, std::ldexp(1.0, -static_cast<int>(k))) : estimation;
    if (k > 0 && part.n_measurements() < part.parameters.size()) continue;
    Estimator estimator(problem, part, options);
    last = fit(estimator, k > 0 ? of_window : fit_options, theta);
    iterations += last.iterations;
    simulations += last.simulations;
    if (last.at.good) theta = last.theta;
    if (k > 0 && was_cut_short(last.status)) {
      last.at = {};  // of the window, not of all measurements
      break;
    }
  }
  last.start.assign(start.begin(), start.end());
  last.iterations = iterations;
  last.simulations = simulations;
  last.seconds = seconds_since(began);
  return last;
}

}  // namespace bolza::estimate
