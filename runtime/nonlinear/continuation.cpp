// SPDX-License-Identifier: Apache-2.0
#include "runtime/nonlinear/continuation.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "runtime/linalg/dense_decompositions.h"

namespace bolza::nonlinear {
namespace {

using Vector = Eigen::VectorXd;
using DenseMatrix = Eigen::MatrixXd;
using Eigen::Index;

constexpr std::size_t largest = 200;  // unknowns
constexpr int most_steps = 400, most_corrections = 8, few_corrections = 4;
constexpr double first_step = 1e-2, longest_step = 10, farthest = 1e6;  // in sizes
constexpr double kink = 1e-6;                                           // a shorter step means that the curve has one
constexpr double close = 1e-4;     // step at the end of the curve from which Newton's method goes on
constexpr double rounding = 1e-9;  // of unknowns on the curve

// Points (v, ρ), v = w/size, with r(size·v) = ρ·r0 in rows of size one, r0 of length one.
struct Curve {
  const Equations& equations;
  Vector r0, row;
  std::vector<double> w, r;
  std::vector<Entry> entries;
  double from = 0;  // ρ at the start, known with the first Jacobian

  Index n() const { return static_cast<Index>(equations.unknowns); }

  void move_to(const Vector& point) {
    for (Index i = 0; i < n(); ++i) w[static_cast<std::size_t>(i)] = point[i] * equations.size[static_cast<std::size_t>(i)];
  }

  bool jacobian(const Vector& point, DenseMatrix& J) {
    move_to(point);
    entries.clear();
    if (!equations.jacobian(w, entries)) return false;
    J.setZero(n() + 1, n() + 1);  // the last row is for the caller
    for (const Entry& e : entries) J(e.row, e.col) += e.value * equations.size[static_cast<std::size_t>(e.col)];
    if (row.size() == 0) {
      row = J.topLeftCorner(n(), n()).cwiseAbs().rowwise().maxCoeff();
      for (double& size : row)
        if (!(size > 0) || !std::isfinite(size)) size = 1;
      r0 = r0.cwiseQuotient(row);
      from = r0.norm();
      if (from > 0) r0 /= from;
    }
    J.topRows(n()) = row.cwiseInverse().asDiagonal() * J.topRows(n());
    J.topRightCorner(n(), 1) = -r0;
    return J.allFinite();
  }

  bool residual(const Vector& point, Vector& out) {
    move_to(point);
    if (!equations.residual(w, r)) return false;
    out = Eigen::Map<const Vector>(r.data(), n()).cwiseQuotient(row) - point[n()] * r0;
    return out.allFinite();
  }

  // The direction of the curve, with the sign that (J, −r0; direction) has everywhere on it: it turns with folds and kinks.
  bool tangent(const Vector& point, const Vector& across, double orientation, Vector& direction) {
    DenseMatrix J;
    if (!jacobian(point, J)) return false;
    J.row(n()) = across.transpose();
    Eigen::PartialPivLU<DenseMatrix> factor(J);
    direction = factor.solve(Vector::Unit(n() + 1, n()));
    double sign = static_cast<double>(factor.permutationP().determinant());
    for (double pivot : factor.matrixLU().diagonal()) sign *= pivot < 0 ? -1 : 1;
    direction *= sign * orientation / direction.norm();
    return direction.allFinite();
  }

  // Back to the curve within the plane through the point across the direction; the number of steps, 0 when it fails.
  int correct(Vector& point, const Vector& direction) {
    Vector right(n() + 1), value;
    DenseMatrix J;
    for (int k = 1; k <= most_corrections; ++k) {
      if (!jacobian(point, J) || !residual(point, value)) return 0;
      J.row(n()) = direction.transpose();
      right << -value, 0;
      Vector step = linalg::solve(J, right);
      if (!step.allFinite()) return 0;
      point += step;
      if (step.lpNorm<Eigen::Infinity>() <= 1e-9 * (1 + point.lpNorm<Eigen::Infinity>())) return k;
    }
    return 0;
  }

  // True when the curve crosses ρ = 0; `found` is near that place.
  bool follow(Vector point, double orientation, std::vector<double>& found) {
    Vector direction, turned;
    if (!tangent(point, Vector::Unit(n() + 1, n()), orientation, direction)) return false;
    point[n()] = from;
    double length = first_step;
    for (int k = 0; k < most_steps; ++k) {
      bool at_kink = length < kink;
      if (at_kink) {  // the direction after it, which may lead back
        if (!tangent(point + 2 * kink * direction, direction, orientation, turned)) return false;
        direction = turned;
        length = 4 * kink;
      }
      Vector next = point + length * direction;
      Vector predicted = next.head(n());
      int corrections = correct(next, direction);
      double moved = (next.head(n()) - predicted).norm(), ahead = length * direction.head(n()).norm();
      bool near = corrections && (moved <= 0.5 * ahead + rounding || at_kink);
      if (!near || !tangent(next, direction, orientation, turned)) {
        if (at_kink) return false;
        length *= 0.25;
        continue;
      }
      if (next[n()] <= 0 && (next - point).norm() > close) {  // up to the end, as by the secant rule
        length *= std::clamp(point[n()] / (point[n()] - next[n()]), 0.01, 0.9);
        continue;
      }
      if (next[n()] <= 0) {
        move_to(next);
        found = w;
        return true;
      }
      if (next.head(n()).lpNorm<Eigen::Infinity>() > farthest) return false;
      point = next;
      direction = turned;
      if (corrections <= few_corrections) length = std::min(2 * length, longest_step * (1 + point.norm()));
    }
    return false;
  }
};

}  // namespace

NewtonReport solve_by_continuation(const Equations& equations, std::vector<double>& w, const NewtonOptions& options) {
  NewtonReport report;
  if (equations.rows != equations.unknowns || equations.rows == 0 || equations.rows > largest) return report;
  Curve curve{equations, {}, {}, w, std::vector<double>(equations.rows), {}};
  if (!equations.residual(w, curve.r)) return report;
  curve.r0 = Eigen::Map<const Vector>(curve.r.data(), curve.n());
  Vector start(curve.n() + 1);
  for (Index i = 0; i < curve.n(); ++i)
    start[i] = w[static_cast<std::size_t>(i)] / equations.size[static_cast<std::size_t>(i)];
  start[curve.n()] = 0;  // see `from`
  for (double sense : {1.0, -1.0}) {
    std::vector<double> found;
    if (!curve.follow(start, sense, found)) continue;
    report = solve_either_way(equations, found, options);
    if (report.converged()) {
      w = std::move(found);
      return report;
    }
  }
  report.status = NewtonReport::Status::stalled;
  return report;
}

}  // namespace bolza::nonlinear
