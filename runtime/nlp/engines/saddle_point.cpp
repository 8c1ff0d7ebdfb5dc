// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/engines/saddle_point.h"

#include <algorithm>
#include <cmath>

#include "runtime/nlp/solve.h"
#include "runtime/nlp/sqp/kkt_factors.h"

namespace bolza::nlp {
namespace {

constexpr double least_distance = 1e-12, equality = 1e-10, most = 1e20, share = 1e-4;

/// Curvature of the barrier at a bound.
double of_bound(double distance, double multiplier) {
  return std::isfinite(distance) ? std::min(most, std::max(0.0, multiplier) / std::max(distance, least_distance)) : 0;
}

/// Its inverse at the side of a row.
double of_row(double lower, double value, double upper, double multiplier) {
  if (lower == upper) return equality;
  double distance = multiplier > 0 ? upper - value : value - lower;
  if (!std::isfinite(distance) || multiplier == 0) return most;
  return std::clamp(std::max(distance, least_distance) / std::abs(multiplier), equality, most);
}

double largest(const double* values, std::size_t count) {
  double out = 0;
  for (std::size_t k = 0; k < count; ++k) out = std::max(out, std::abs(values[k]));
  return out;
}

}  // namespace

bool curves_downwards(const Nlp& nlp, const Iterate& it) {
  std::size_t n = nlp.n(), m = nlp.m(), entries = nlp.hessian.size();
  if (entries == 0 || it.lambda.size() != m || it.z_lower.size() != n || it.z_upper.size() != n) return false;
  nlp.functions->move_to(it.w);
  const double* g = nlp.functions->constraints();
  const double* jacobian = nlp.functions->jacobian();
  const double* hessian = nlp.functions->hessian(1, it.lambda);
  if (!hessian || (m > 0 && (!g || !jacobian))) return false;
  double floor = share * largest(hessian, entries);
  if (!(floor > 0)) return false;
  std::vector<double> sigma(n), delta(m);
  for (std::size_t v = 0; v < n; ++v)
    sigma[v] = floor + of_bound(it.w[v] - nlp.lower[v], it.z_lower[v]) + of_bound(nlp.upper[v] - it.w[v], it.z_upper[v]);
  for (std::size_t r = 0; r < m; ++r) delta[r] = of_row(nlp.row_lower[r], g[r], nlp.row_upper[r], it.lambda[r]);
  std::unique_ptr<KktFactors> factors = mumps_kkt_factors(n, m, nlp.hessian, nlp.jacobian);
  bool done = factors->factor({hessian, entries}, {jacobian, nlp.jacobian.size()}, sigma, delta);
  return done && factors->inertia().negative > m;
}

void look_at_curvature(const Nlp& nlp, const EngineOptions& options, Report& report) {
  if (!is_solution(report.status) || options.hessian != Hessian::exact) return;
  if (report.regularization <= 0 && report.iterations > 0) return;
  report.is_saddle = curves_downwards(nlp, report.iterate);
}

}  // namespace bolza::nlp
