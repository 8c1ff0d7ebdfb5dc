// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/inversion/identify.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "runtime/estimate/inversion/direct_fit.h"
#include "runtime/estimate/inversion/model_predictions.h"

namespace bolza::estimate {
namespace {

std::vector<double> times_of(const Experiment& experiment, std::size_t points) {
  double last = experiment.start;
  for (const Measurement& m : experiment.measurements)
    if (std::isfinite(m.time)) last = std::max(last, m.time);
  std::vector<double> times;
  for (std::size_t k = 0; k < points; ++k)
    times.push_back(experiment.start + (last - experiment.start) * static_cast<double>(k) / static_cast<double>(points - 1));
  return times;
}

FittedFunction function_of(const IdentifyRequest::FunctionPlot& plot, std::size_t set, const Estimator::Curves& curves) {
  FittedFunction f{plot.name, set, {}, {}};
  std::vector<Eigen::Index> order(curves.time.size());
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  auto argument = [&](Eigen::Index k) { return curves.value(k, static_cast<Eigen::Index>(plot.argument)); };
  std::stable_sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) { return argument(a) < argument(b); });
  for (Eigen::Index k : order) {
    if (!f.argument.empty() && argument(k) <= f.argument.back()) continue;
    f.argument.push_back(argument(k));
    f.value.push_back(curves.value(k, static_cast<Eigen::Index>(plot.value)));
  }
  return f;
}

void simulate_found(ModelPredictions& predictions, const Estimation& estimation, const IdentifyRequest& request,
                    Identification& out) {
  for (std::size_t i = 0; i < estimation.experiments.size(); ++i) {
    Eigen::VectorXd p = request.terms.parameters(out.selection.chosen.a, i);
    Estimator::Curves curves;
    if (!predictions.simulate(i, p, times_of(estimation.experiments[i], request.curve_points), curves)) curves = {};
    for (const IdentifyRequest::FunctionPlot& plot : request.functions)
      if (!curves.time.empty()) out.functions.push_back(function_of(plot, i, curves));
    out.curves.push_back(std::move(curves));
  }
}

/// Sums of squares and deviations in the units of what was measured, where residuals had their size for a standard
/// deviation.
void to_units(InversionResult& result, double variance) {
  result.sum_of_squares *= variance;
  result.deviation *= std::sqrt(variance);
  for (double& sum : result.history) sum *= variance;
}

void to_units(Identification& out, const Estimation& estimation) {
  const std::vector<Observable>& observables = estimation.observables;
  if (!std::all_of(observables.begin(), observables.end(), [](const Observable& o) { return o.is_open; })) return;
  double variance = estimation.open_variance;
  to_units(out.selection.all, variance);
  to_units(out.selection.chosen, variance);
  for (Removal& r : out.selection.removed) r.sum_of_squares *= variance;
  if (out.direct) to_units(*out.direct, variance);
  for (double& sum : out.starts) sum *= variance;
}

}  // namespace

Identification identify(const bolza_problem& problem, const Estimation& estimation, const IdentifyRequest& request) {
  Identification out;
  ModelPredictions predictions(problem, estimation, request.estimator);
  std::vector<bool> all(request.terms.terms.size(), true);
  Eigen::VectorXd start = request.p0.empty() ? request.terms.start() : coefficients_for(request.terms, all, request.p0);
  std::vector<InversionResult> fits =
      invert_from_many(predictions, request.terms, all, starting_points(request.terms, start, request.starts), request.p0,
                       request.selection.inversion);
  for (const InversionResult& fit : fits) {
    if (fit.status == InversionStatus::not_evaluated) ++out.failed_starts;
    else out.starts.push_back(fit.sum_of_squares);
  }
  if (fits.empty() || out.starts.empty()) {
    out.trouble = predictions.trouble();
    if (!fits.empty()) out.selection.all = out.selection.chosen = std::move(fits[0]);
    return out;
  }
  out.selection.all = out.selection.chosen = fits[0];
  out.selection.correlated = correlated_pairs(fits[0], request.selection.correlation);
  if (request.select && fits[0].status != InversionStatus::interrupted)
    out.selection = select_terms(predictions, request.terms, std::move(fits[0]), request.selection);
  if (request.with_direct)
    out.direct =
        fit_directly(predictions, request.terms, out.selection.chosen.active, request.terms.start(), request.engine);
  simulate_found(predictions, estimation, request, out);
  to_units(out, estimation);
  out.simulations = predictions.n_simulations();
  return out;
}

}  // namespace bolza::estimate
