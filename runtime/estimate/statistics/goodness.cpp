// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/statistics/goodness.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/estimate/distributions.h"
#include "runtime/estimate/explained.h"
#include "runtime/linalg/dense_decompositions.h"

namespace bolza::estimate {
namespace {

constexpr double unknown_number = std::numeric_limits<double>::quiet_NaN();

// Calls f(row, experiment, measurement) for every measurement that is fitted.
template <class F>
void for_fitted(const Estimation& estimation, const F& f) {
  std::size_t row = 0;
  for (std::size_t e = 0; e < estimation.experiments.size(); ++e)
    for (const Measurement& m : estimation.experiments[e].measurements) {
      if (m.weight > 0) f(row, e, m);
      ++row;
    }
}

// Diagonal of the projection on the columns of the rows, 0 … 1.
Eigen::VectorXd leverages(const Eigen::MatrixXd& rows) {
  Eigen::VectorXd size = rows.colwise().norm();
  for (double& s : size) s = s > 0 ? 1 / s : 0;
  linalg::SingularValues svd = linalg::singular_values(rows * size.asDiagonal());
  Eigen::VectorXd h = Eigen::VectorXd::Zero(rows.rows());
  for (Eigen::Index k = 0; k < svd.values.size(); ++k)
    if (svd.values[k] > 1e-10 * svd.values[0]) h += svd.U.col(k).cwiseAbs2();
  return h;
}

std::vector<SeriesStatistics> series_of(const Estimation& estimation, const std::vector<double>& residuals) {
  std::vector<SeriesStatistics> out;
  for_fitted(estimation, [&](std::size_t row, std::size_t e, const Measurement& m) {
    if (!std::isfinite(m.time)) return;
    auto own = std::find_if(out.begin(), out.end(),
                            [&](const SeriesStatistics& s) { return s.experiment == e && s.observable == m.observable; });
    if (own == out.end())
      own = out.insert(
          out.end(),
          {e, m.observable, {}, unknown_number, {unknown_number, unknown_number}, {unknown_number, unknown_number}});
    own->rows.push_back(row);
  });
  for (SeriesStatistics& s : out) {
    if (s.rows.size() < 8) continue;
    std::vector<double> r;
    for (std::size_t row : s.rows) r.push_back(residuals[row]);
    s.durbin_watson = durbin_watson(r);
    s.ljung_box = ljung_box(r, std::clamp(static_cast<int>(r.size() / 5), 1, 10));
    s.runs = runs_test(r);
  }
  return out;
}

std::vector<ObservableStatistics> observables_of(const Estimation& estimation, const Likelihood& at) {
  std::vector<ObservableStatistics> out(estimation.observables.size());
  std::vector<double> square(out.size(), 0);
  for_fitted(estimation, [&](std::size_t row, std::size_t, const Measurement& m) {
    square[m.observable] += at.residuals[row] * at.residuals[row];
  });
  std::vector<Explained> of = explained(estimation, at);
  for (std::size_t k = 0; k < out.size(); ++k) {
    out[k].count = of[k].count;
    out[k].r_squared = of[k].r_squared();
    out[k].root_mean_square = out[k].count ? std::sqrt(square[k] / static_cast<double>(out[k].count)) : unknown_number;
  }
  return out;
}

bool all_normal(const Estimation& estimation) {
  return std::all_of(estimation.observables.begin(), estimation.observables.end(),
                     [](const Observable& o) { return o.noise == Noise::normal && !(o.huber > 0); });
}

// Deletion residual of a studentised one, and the two-sided p-value of the largest of n [BK]. With noise that is judged by
// the residuals themselves nothing is said of fewer than three degrees of freedom: what is left fits all too well.
Outlier judge(std::size_t row, double studentised, const Goodness& goodness, bool noise_known) {
  double t = std::fabs(studentised), freedom = std::numeric_limits<double>::infinity();
  if (!noise_known) {
    freedom = goodness.freedom - 1;
    double rest = goodness.freedom - t * t;
    t = rest > 0 ? t * std::sqrt(freedom / rest) : std::numeric_limits<double>::infinity();
  }
  double p = freedom >= 3 ? student_two_sided(t, freedom) : 1;
  return {row, studentised, std::min(1.0, p * static_cast<double>(goodness.n))};
}

}  // namespace

Goodness goodness_of(const Estimation& estimation, const Likelihood& at, std::size_t rank, std::size_t n_estimated,
                     bool noise_known) {
  Goodness out;
  for_fitted(estimation, [&](std::size_t row, std::size_t, const Measurement& m) {
    ++out.n;
    out.chi_square += m.weight * at.residuals[row] * at.residuals[row];
  });
  auto n = static_cast<double>(out.n);
  out.freedom = n - static_cast<double>(rank);
  out.variance_factor = out.freedom > 0 ? out.chi_square / out.freedom : unknown_number;
  if (!noise_known) out.variance_factor = std::max(out.variance_factor, at.open.resolution / at.open.variance);
  bool testable = noise_known && all_normal(estimation) && out.freedom > 0 && !(at.open.weight > 0);
  out.p = testable ? chi_square_upper(out.chi_square, out.freedom) : unknown_number;
  out.log_likelihood = at.log_likelihood;
  // The likelihood of normal noise at its best variance, instead of at variance 1 in units of the given one.
  double best = std::max(out.chi_square / n, at.open.resolution / at.open.variance);
  if (!noise_known && best > 0) out.log_likelihood += 0.5 * out.chi_square * (1 - 1 / best) - 0.5 * n * std::log(best);
  double k = static_cast<double>(n_estimated) + (noise_known ? 0 : 1);
  out.estimated = k;
  out.aic = 2 * k - 2 * out.log_likelihood;
  out.aicc = n - k - 1 > 0 ? out.aic + 2 * k * (k + 1) / (n - k - 1) : std::numeric_limits<double>::infinity();
  out.bic = k * std::log(n) - 2 * out.log_likelihood;
  return out;
}

ResidualStatistics residuals_of(const Estimation& estimation, const Likelihood& at, const Eigen::MatrixXd& rows,
                                const Goodness& goodness, bool noise_known) {
  ResidualStatistics out;
  out.observables = observables_of(estimation, at);
  out.series = series_of(estimation, at.residuals);
  out.studentised.assign(at.residuals.size(), unknown_number);
  Eigen::VectorXd leverage = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(at.residuals.size()));
  if (rows.rows() > 0 && rows.cols() > 0) leverage = leverages(rows);
  double factor = noise_known ? 1 : goodness.variance_factor;
  bool normal = all_normal(estimation);
  std::vector<double> all;
  for_fitted(estimation, [&](std::size_t row, std::size_t, const Measurement& m) {
    double free = 1 - leverage[static_cast<Eigen::Index>(row)], weighted = std::sqrt(m.weight) * at.residuals[row];
    all.push_back(weighted);
    if (!(free > 1e-8) || !(factor > 0)) return;
    out.studentised[row] = weighted / std::sqrt(factor * free);
    Outlier candidate = judge(row, out.studentised[row], goodness, noise_known);
    if (normal && candidate.p < 0.05) out.outliers.push_back(candidate);
  });
  std::stable_sort(out.outliers.begin(), out.outliers.end(), [](const Outlier& a, const Outlier& b) { return a.p < b.p; });
  out.shapiro_wilk = all.size() <= 5000;
  out.normality = {unknown_number, unknown_number};
  if (normal) out.normality = out.shapiro_wilk ? shapiro_wilk(all) : jarque_bera(all);
  return out;
}

}  // namespace bolza::estimate
