// SPDX-License-Identifier: Apache-2.0
#include "runtime/nonlinear/newton.h"

#include <Eigen/Dense>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/linalg/dense_decompositions.h"
#include "runtime/linalg/sparse_factors.h"

namespace bolza::nonlinear {
namespace {

using SparseMatrix = Eigen::SparseMatrix<double>;
using Vector = Eigen::VectorXd;

constexpr std::size_t dense_limit = 60;
constexpr double rounded = 1e-8;  // full steps that stay below this, relative to sizes, without getting shorter are rounding

// The equations in scaled unknowns w = size * v and scaled rows r / row_size.
struct Scaled {
  const Equations& equations;
  std::vector<double> row_size;
  std::vector<double> r;
  std::vector<Entry> entries;
  int evaluations = 0;

  bool residual(std::span<const double> w) {
    ++evaluations;
    return equations.residual(w, r) && std::all_of(r.begin(), r.end(), [](double x) { return std::isfinite(x); });
  }

  // Row sizes: what a change of every unknown by its size can do to the row; set once, at the start.
  bool jacobian(std::span<const double> w, SparseMatrix& J) {
    entries.clear();
    if (!equations.jacobian(w, entries)) return false;
    if (row_size.empty()) {
      row_size.assign(equations.rows, 0);
      for (const Entry& e : entries) {
        double& size = row_size[static_cast<std::size_t>(e.row)];
        size = std::max(size, std::fabs(e.value) * equations.size[static_cast<std::size_t>(e.col)]);
      }
      for (double& size : row_size)
        if (!(size > 0) || !std::isfinite(size)) size = 1;
    }
    std::vector<Eigen::Triplet<double>> triplets;
    triplets.reserve(entries.size());
    for (const Entry& e : entries) {
      if (!std::isfinite(e.value)) return false;
      triplets.emplace_back(
          e.row, e.col,
          e.value * equations.size[static_cast<std::size_t>(e.col)] / row_size[static_cast<std::size_t>(e.row)]);
    }
    J.resize(static_cast<Eigen::Index>(equations.rows), static_cast<Eigen::Index>(equations.unknowns));
    J.setFromTriplets(triplets.begin(), triplets.end());
    return true;
  }

  Vector scaled_residual() const {
    Vector out(static_cast<Eigen::Index>(r.size()));
    for (std::size_t i = 0; i < r.size(); ++i)
      out[static_cast<Eigen::Index>(i)] = r[i] / (row_size.empty() ? 1 : row_size[i]);
    return out;
  }
};

bool finite(const Vector& v) { return v.allFinite(); }

// min ‖d‖ subject to J d = -r by the normal equations of the second kind, regularised a little.
Vector least_norm(const SparseMatrix& J, const Vector& r) {
  if (static_cast<std::size_t>(std::max(J.rows(), J.cols())) <= 8 * dense_limit)
    return linalg::least_squares(Eigen::MatrixXd(J), -r);
  bool wide = J.cols() >= J.rows();
  SparseMatrix A = wide ? SparseMatrix(J * J.transpose()) : SparseMatrix(J.transpose() * J);
  for (Eigen::Index i = 0; i < A.rows(); ++i) A.coeffRef(i, i) += 1e-14;
  Eigen::SimplicialLDLT<SparseMatrix> factor(A);
  if (wide) return -(J.transpose() * factor.solve(r)).eval();
  return -factor.solve(J.transpose() * r).eval();
}

bool solves(const SparseMatrix& J, const Vector& r, const Vector& step) {
  return step.size() == J.cols() && finite(step) && (J * step + r).norm() <= 1e-6 * (r.norm() + 1e-300);
}

// The step of a square system whose columns are of very different sizes, as where a capacitance of 1e-20 F multiplies a
// derivative: columns, then rows are brought to size one. Empty when a column or a row is zero.
Vector equilibrated_step(const SparseMatrix& J, const Vector& r) {
  Eigen::MatrixXd A(J);
  Vector column = A.cwiseAbs().colwise().maxCoeff();
  if (!(column.minCoeff() > 0)) return {};
  A = A * column.cwiseInverse().asDiagonal();
  Vector row = A.cwiseAbs().rowwise().maxCoeff();
  if (!(row.minCoeff() > 0)) return {};
  auto step = linalg::solve_if_regular(row.cwiseInverse().asDiagonal() * A, -r.cwiseQuotient(row));
  return step ? Vector(column.cwiseInverse().cwiseProduct(step->col(0))) : Vector();
}

Vector newton_step(const SparseMatrix& J, const Vector& r, linalg::SparseFactors<double>& factors) {
  bool square = J.rows() == J.cols(), small = static_cast<std::size_t>(J.rows()) <= dense_limit;
  if (square && small) {
    if (auto step = linalg::solve_if_regular(Eigen::MatrixXd(J), -r)) return *step;
  } else if (square) {
    Eigen::MatrixXd step = -r;
    if (factors.compute(J)) {
      factors.solve(step, false);
      if (solves(J, r, step)) return step;
    }
  }
  Vector step = least_norm(J, r);
  if (!square || static_cast<std::size_t>(J.rows()) > 8 * dense_limit || solves(J, r, step)) return step;
  Vector other = equilibrated_step(J, r);  // not dependent rows, but small columns
  return solves(J, r, other) ? other : step;
}

Vector marquardt_step(const SparseMatrix& J, const Vector& r, double mu) {
  SparseMatrix A = J.transpose() * J;
  for (Eigen::Index i = 0; i < A.rows(); ++i) A.coeffRef(i, i) += mu;
  Eigen::SimplicialLDLT<SparseMatrix> factor(A);
  return -factor.solve(J.transpose() * r).eval();
}

struct Search {
  Scaled& scaled;
  std::vector<double>& w;
  std::vector<double> trial;

  double norm_at(const Vector& step, double length) {
    trial = w;
    for (std::size_t i = 0; i < w.size(); ++i)
      trial[i] += length * step[static_cast<Eigen::Index>(i)] * scaled.equations.size[i];
    return scaled.residual(trial) ? scaled.scaled_residual().norm() : std::numeric_limits<double>::infinity();
  }

  // Goes along the step as far as the residual falls enough; false when it never does.
  bool advance(const Vector& step, double norm, int halvings) {
    double length = 1;
    for (int k = 0; k <= halvings; ++k, length *= 0.5)
      if (double next = norm_at(step, length); next <= (1 - 1e-4 * length) * norm || (k == 0 && next <= 1e-15)) {
        w = trial;
        return true;
      }
    return false;
  }
};

// Is every residual what rounding of its terms can leave?
bool is_rounding(const SparseMatrix& J, const Vector& r, const std::vector<double>& w, std::span<const double> size) {
  Vector terms = Vector::Zero(J.rows());
  for (Eigen::Index c = 0; c < J.outerSize(); ++c)
    for (SparseMatrix::InnerIterator e(J, c); e; ++e)
      terms[e.row()] += std::fabs(e.value()) *
                        std::max(1.0, std::fabs(w[static_cast<std::size_t>(c)]) / size[static_cast<std::size_t>(c)]);
  return (r.cwiseAbs().array() <= 1e-13 * terms.array()).all();
}

// Is every residual below what it moves by when the unknowns change in their last digits, beyond what the Jacobian explains?
// Expressions in which large numbers cancel have no smaller ones.
bool is_noise(Scaled& scaled, const SparseMatrix& J, const Vector& r, const std::vector<double>& w) {
  if (!(r.cwiseAbs().maxCoeff() <= 1e-3)) return false;
  Vector noise = Vector::Zero(r.size()), change(static_cast<Eigen::Index>(w.size()));
  std::vector<double> near(w.size());
  for (int trial = 0; trial < 4; ++trial) {
    for (std::size_t i = 0; i < w.size(); ++i) {
      double size = scaled.equations.size[i], digit = (trial % 2 ? -4 : 3) * std::numeric_limits<double>::epsilon();
      near[i] = w[i] + (((i * 7 + static_cast<std::size_t>(trial)) % 3) - 1.0) * digit * std::max(std::fabs(w[i]), size);
      change[static_cast<Eigen::Index>(i)] = (near[i] - w[i]) / size;
    }
    if (!scaled.residual(near)) return false;
    noise = noise.cwiseMax((scaled.scaled_residual() - r - J * change).cwiseAbs());
  }
  return (r.cwiseAbs().array() <= 10 * noise.array() + 1e-12).all();
}

// Largest change of an unknown, relative to its size or value.
double relative(const Vector& step, const std::vector<double>& w, std::span<const double> size) {
  double largest = 0;
  for (std::size_t i = 0; i < w.size(); ++i)
    largest =
        std::max(largest, std::fabs(step[static_cast<Eigen::Index>(i)]) * size[i] / std::max(size[i], std::fabs(w[i])));
  return largest;
}

// Equations without unknowns hold or not.
NewtonReport::Status check_alone(Scaled& scaled, std::span<const double> w) {
  if (!scaled.residual(w)) return NewtonReport::Status::not_finite;
  double largest = 0;
  for (double r : scaled.r) largest = std::max(largest, std::fabs(r));
  return largest <= 1e-6 ? NewtonReport::Status::converged : NewtonReport::Status::inconsistent;
}

void finish(Scaled& scaled, std::span<const double> w, NewtonReport& report) {
  scaled.residual(w);
  report.evaluations = scaled.evaluations;
  report.residual = 0;
  for (std::size_t i = 0; i < scaled.r.size(); ++i) {
    double size = std::fabs(scaled.r[i]) / (scaled.row_size.empty() ? 1 : scaled.row_size[i]);
    if (std::isfinite(size) && size <= report.residual) continue;
    report.residual = size;
    report.worst_row = i;
    report.worst_value = scaled.r[i];
    if (!std::isfinite(size)) break;
  }
}

// Largest |value| of an unknown or its last change, relative to sizes.
double extent_of(const Vector& step, const std::vector<double>& w, std::span<const double> size) {
  double largest = 0;
  for (std::size_t i = 0; i < w.size(); ++i)
    largest = std::max({largest, std::fabs(w[i]) / size[i], std::fabs(step[static_cast<Eigen::Index>(i)])});
  return largest;
}

/// @param extent  out, after convergence: how large unknowns and their last changes were, relative to sizes
NewtonReport iterate(const Equations& equations, std::vector<double>& w, const NewtonOptions& options, double& extent) {
  Scaled scaled{equations, {}, std::vector<double>(equations.rows), {}};
  NewtonReport report;
  using Status = NewtonReport::Status;
  Search search{scaled, w, {}};
  SparseMatrix J;
  linalg::SparseFactors<double> factors;
  double mu = 0, last = INFINITY;
  report.status = Status::iteration_limit;
  bool nothing = equations.rows == 0 || equations.unknowns == 0;
  if (equations.rows == 0) report.status = Status::converged;
  else if (nothing) report.status = check_alone(scaled, w);
  for (int k = 0; k < options.max_iterations && !nothing; ++k) {
    if (!scaled.residual(w) || !scaled.jacobian(w, J)) {
      report.status = Status::not_finite;
      break;
    }
    report.iterations = k;
    Vector r = scaled.scaled_residual(), step = mu > 0 ? marquardt_step(J, r, mu) : newton_step(J, r, factors);
    double norm = r.norm();
    if (finite(step) && (norm == 0 || (mu == 0 && relative(step, w, equations.size) <= options.tolerance))) {
      extent = extent_of(step, w, equations.size);
      bool agrees = r.size() == 0 || (J * step + r).norm() <= 1e-9 * (1 + norm) || norm <= 1e-9;
      if (norm > 0 && agrees) search.advance(step, norm, 0);
      bool small = norm <= 1e-6 * (1 + static_cast<double>(r.size())) || is_rounding(J, r, w, equations.size);
      report.status = agrees && small ? Status::converged : Status::inconsistent;
      break;
    }
    if (!options.damped) {
      double length = finite(step) ? relative(step, w, equations.size) : INFINITY;
      if (length <= rounded && length > 0.5 * last && norm <= rounded) {
        report.status = Status::converged;
        break;
      }
      last = length;
      if (!finite(step) || !std::isfinite(search.norm_at(step, 1))) break;
      w = search.trial;
      continue;
    }
    if (finite(step) && search.advance(step, norm, mu > 0 ? 0 : 12)) {
      mu = mu > 1e-8 ? mu / 5 : 0;
      continue;
    }
    if (is_rounding(J, r, w, equations.size) || is_noise(scaled, J, r, w)) {
      report.status = NewtonReport::Status::converged;
      break;
    }
    mu = mu == 0 ? 1e-3 : 4 * mu;
    if (mu > 1e12) {
      report.status = norm <= 1e-8 ? Status::converged : Status::stalled;  // rows are scaled: this is rounding
      break;
    }
  }
  finish(scaled, w, report);
  return report;
}

}  // namespace

// Where all unknowns are far below the sizes that they were said to have, as picomoles with the size 1, the tolerance says
// nothing: they are solved for in their own size. What rounding then keeps from converging stays as it was.
NewtonReport solve(const Equations& equations, std::vector<double>& w, const NewtonOptions& options) {
  constexpr double tiny = 1e-6;
  double extent = 0;
  NewtonReport report = iterate(equations, w, options, extent);
  if (!report.converged() || !(extent > 0 && extent < tiny)) return report;
  std::vector<double> size(equations.size.begin(), equations.size.end()), again = w;
  for (double& s : size) s *= extent;
  Equations near = equations;
  near.size = size;
  NewtonReport second = iterate(near, again, options, extent);
  report.evaluations += second.evaluations;
  if (!second.converged()) return report;
  second.evaluations = report.evaluations;
  w = std::move(again);
  return second;
}

NewtonReport solve_either_way(const Equations& equations, std::vector<double>& w, const NewtonOptions& options) {
  std::vector<double> again = w;
  NewtonReport report = solve(equations, w, options);
  if (report.converged() || equations.rows != equations.unknowns) return report;
  NewtonOptions full = options;
  full.damped = false;
  full.max_iterations = 20;
  NewtonReport second = solve(equations, again, full);
  if (!second.converged()) return report;
  w = std::move(again);
  return second;
}

const char* name_of(NewtonReport::Status status) {
  switch (status) {
    case NewtonReport::Status::converged:
      return "converged";
    case NewtonReport::Status::not_finite:
      return "not finite";
    case NewtonReport::Status::stalled:
      return "stalled";
    case NewtonReport::Status::iteration_limit:
      return "iteration limit";
    case NewtonReport::Status::inconsistent:
      return "inconsistent";
  }
  return "";
}

}  // namespace bolza::nonlinear
