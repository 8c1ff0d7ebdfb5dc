// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/statistics/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/expects.h"
#include "runtime/estimate/distributions.h"
#include "runtime/linalg/dense_decompositions.h"

namespace bolza::estimate {
namespace {

// Columns of parameters within their bounds.
Eigen::MatrixXd free_columns(const Eigen::MatrixXd& rows, std::span<const AtBound> at_bound) {
  std::vector<Eigen::Index> free;
  for (std::size_t i = 0; i < at_bound.size(); ++i)
    if (at_bound[i] == AtBound::no) free.push_back(static_cast<Eigen::Index>(i));
  return rows(Eigen::all, free);
}

std::size_t rank_of(const Eigen::MatrixXd& rows, double tolerance) {
  if (rows.size() == 0) return 0;
  Eigen::VectorXd size = rows.colwise().norm();
  for (double& s : size) s = s > 0 ? 1 / s : 0;
  Eigen::VectorXd s = linalg::singular_values(rows * size.asDiagonal()).values;
  std::size_t rank = 0;
  for (double value : s) rank += value > 0 && value > tolerance * s[0];
  return rank;
}

bool leaves_bounds(const Uncertainty& interval, const Parameter& parameter) {
  return interval.lower < parameter.lower || interval.upper > parameter.upper;
}

/// @param unbounded  variance of its estimate, were no parameter at its bound
Determination judge_parameter(std::size_t i, const FitStatistics& s, const Estimation& estimation, double poor,
                              double unbounded) {
  const ParameterStatistics& p = s.parameters[i];
  bool held = std::isfinite(p.interval.error);
  if (p.at_bound != AtBound::no) return Determination::at_bound;
  const auto& no_effect = s.structure.without_effect;
  if (s.structure.open[i] && held) return std::isfinite(unbounded) ? Determination::by_prior : Determination::by_bound;
  if (std::find(no_effect.begin(), no_effect.end(), i) != no_effect.end()) return Determination::without_effect;
  if (s.structure.open[i] || !held) return Determination::open;
  bool vague = p.value != 0 && p.interval.relative_error > poor;
  return vague || leaves_bounds(p.interval, estimation.parameters[i]) ? Determination::poor : Determination::determined;
}

std::string name_list(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i)
    out += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + ("`" + names[i] + "`");
  return out;
}

std::string clause(const FitStatistics& s, const Estimation& estimation, Determination verdict, const char* one,
                   const char* several) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < s.parameters.size(); ++i)
    if (s.parameters[i].verdict == verdict) names.push_back(estimation.parameters[i].name);
  return names.empty() ? "" : name_list(names) + (names.size() == 1 ? one : several);
}

/// Is there a parameter of the standard deviations, on which nothing measured depends?
bool estimates_noise(const Information& information) {
  auto m = static_cast<Eigen::Index>(information.n_measurements);
  for (Eigen::Index k = 0; k < information.rows.cols(); ++k) {
    double all = information.rows.col(k).norm();
    if (all > 0 && information.rows.col(k).head(m).norm() < 1e-9 * all) return true;
  }
  return false;
}

}  // namespace

FitStatistics statistics_of(const Estimation& estimation, const Likelihood& at, std::span<const double> theta,
                            const StatisticsOptions& options) {
  expects(theta.size() == estimation.parameters.size(), "one value for each parameter");
  FitStatistics out;
  Information information = information_of(estimation, at, theta);
  std::vector<AtBound> bounds = at_bounds(box_of(estimation), theta);
  Eigen::MatrixXd measured = information.rows.topRows(static_cast<Eigen::Index>(information.n_measurements));
  Eigen::MatrixXd fitted = free_columns(measured, bounds);
  out.goodness = goodness_of(estimation, at, rank_of(fitted, options.rank_tolerance), theta.size(), options.noise_known);
  if (estimates_noise(information)) out.goodness.p = std::numeric_limits<double>::quiet_NaN();  // χ² is what it was made
  out.residuals = residuals_of(estimation, at, fitted, out.goodness, options.noise_known);
  double factor = out.noise_factor = options.noise_known ? 1 : out.goodness.variance_factor;
  Eigen::MatrixXd rows = with_priors(information);
  if (options.hessian) out.minimum = rows_of(*options.hessian, rows);
  out.covariance = covariance_of(rows, bounds, factor, options.rank_tolerance);
  out.correlation = correlation_of(out.covariance.matrix);
  double freedom = options.noise_known ? std::numeric_limits<double>::infinity() : out.goodness.freedom;
  out.quantile = student_quantile(0.5 + 0.5 * options.level, freedom);
  out.structure = structure_of(information.rows, estimation.parameters, theta, options.rank_tolerance);
  out.poor = poorly_determined(rows / std::sqrt(factor), out.structure, estimation.parameters, theta, options.open);
  std::vector<AtBound> nowhere(theta.size(), AtBound::no);
  Eigen::MatrixXd unbounded =
      bounds == nowhere ? out.covariance.matrix : covariance_of(rows, nowhere, factor, options.rank_tolerance).matrix;
  for (std::size_t i = 0; i < theta.size(); ++i) {
    auto k = static_cast<Eigen::Index>(i);
    const Parameter& p = estimation.parameters[i];
    out.parameters.push_back(
        {from_scale(theta[i], p.scale), interval_of(p, theta[i], out.covariance.matrix(k, k), out.quantile), bounds[i]});
    out.parameters.back().verdict = judge_parameter(i, out, estimation, options.poor, unbounded(k, k));
  }
  return out;
}

std::string verdict_of(const FitStatistics& statistics, const Estimation& estimation) {
  std::vector<std::string> parts;
  auto add = [&](std::string text) {
    if (!text.empty()) parts.push_back(std::move(text));
  };
  add(clause(statistics, estimation, Determination::without_effect, " has no effect on the data",
             " have no effect on the data"));
  auto said_below = [&](const Combination& r) {  // in practice more is open, and has a simple form
    return r.determined.empty() && std::any_of(statistics.poor.begin(), statistics.poor.end(),
                                               [&](const Combination& p) { return !p.determined.empty() && covers(p, r); });
  };
  for (const Combination& r : statistics.structure.relations)
    if (!said_below(r)) add(sentence_of(r, estimation.parameters));
  add(clause(statistics, estimation, Determination::poor, " is poorly determined", " are poorly determined"));
  for (const Combination& r : statistics.poor)
    if (!r.determined.empty()) add(sentence_of(r, estimation.parameters) + ", to better than 100 %");
  add(clause(statistics, estimation, Determination::at_bound, " is at its bound", " are at their bounds"));
  if (parts.empty()) return "the data determine every parameter";
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : "; ") + part;
  return out;
}

}  // namespace bolza::estimate
