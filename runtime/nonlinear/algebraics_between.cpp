// SPDX-License-Identifier: Apache-2.0
#include "runtime/nonlinear/algebraics_between.h"

#include <cmath>

namespace bolza::nonlinear {
namespace {

constexpr int most_iterations = 10;
constexpr double widest = 10;         // change, in tolerances: the error of interpolation is of their size
constexpr double slow = 0.02;         // contraction for which other factors pay
constexpr double exact = 1e-13;       // last change, relative
constexpr double good_enough = 1e-9;  // where rounding ends the convergence

}  // namespace

bool AlgebraicsBetween::factorise(const ModelAt::Point& point) {
  factorised_ = false;
  if (!model_.jacobian(ModelAt::Part::residuals, point, {}, derivative_)) return false;
  auto n = static_cast<std::int32_t>(model_.model().n_z), first = static_cast<std::int32_t>(1 + model_.model().n_x);
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t e = 0; e < derivative_.value.size(); ++e)
    if (std::int32_t col = derivative_.col[e] - first; col >= 0 && col < n && derivative_.row[e] < n)
      entries.emplace_back(derivative_.row[e], col, derivative_.value[e]);
  Eigen::SparseMatrix<double> J(n, n);
  J.setFromTriplets(entries.begin(), entries.end());
  return factorised_ = factor_.compute(J);
}

bool AlgebraicsBetween::settle(double t, std::span<const double> x, std::span<const double> u, std::vector<double>& z,
                               std::span<const double> atol, double rtol) {
  std::size_t n = model_.model().n_z;
  std::vector<double> w = z;
  Eigen::VectorXd r(static_cast<Eigen::Index>(n));
  ModelAt::Point point{t, x.data(), w.data(), u.data()};
  bool fresh = false;
  double last = INFINITY;
  for (int k = 0; k < most_iterations; ++k) {
    if (!model_.value(ModelAt::Part::residuals, point, {r.data(), n})) return false;
    if (!factorised_ && (fresh = true, !factorise(point))) return false;
    Eigen::VectorXd d = factor_.solve(r);
    double change = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double step = d[static_cast<Eigen::Index>(i)];
      w[i] -= step;
      if (!(std::fabs(w[i] - z[i]) <= widest * (atol[i] + rtol * std::fabs(z[i])))) {
        if (fresh) return false;
        change = INFINITY;
        break;
      }
      change = std::max(change, std::fabs(step) / std::max(size_of(model_.model().z[i]), std::fabs(w[i])));
    }
    if (change <= exact || (change >= 0.5 * last && change <= good_enough)) {
      z = std::move(w);
      return true;
    }
    if (change > slow * last || !std::isfinite(change)) {  // the factors are too old
      if (fresh) return false;
      factorised_ = false;
      last = INFINITY;
      if (!std::isfinite(change)) std::copy(z.begin(), z.end(), w.begin());
      continue;
    }
    last = change;
  }
  return false;
}

}  // namespace bolza::nonlinear
