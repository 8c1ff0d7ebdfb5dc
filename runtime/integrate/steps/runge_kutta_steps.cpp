// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/steps/runge_kutta_steps.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/numbers.h"
#include "runtime/integrate/index.h"
#include "runtime/linalg/lagrange.h"

namespace bolza::integrate {
namespace {

using Part = nonlinear::ModelAt::Part;
using Eigen::Index;

constexpr int most_stage_iterations = 25;

}  // namespace

RungeKuttaForm collocation_form(std::span<const double> c) {
  RungeKuttaForm form{c.size(), {}, linalg::lagrange_integrals(c, 1), {c.begin(), c.end()}, false};
  for (double end : c) {
    std::vector<double> row = linalg::lagrange_integrals(c, end);
    form.a.insert(form.a.end(), row.begin(), row.end());
  }
  return form;
}

RungeKuttaSteps::RungeKuttaSteps(nonlinear::ModelAt& model, RungeKuttaForm form, InputLaw inputs)
    : model_(model),
      form_(std::move(form)),
      inputs_(std::move(inputs)),
      n_x_(model.model().n_x),
      n_z_(model.model().n_z),
      n_q_(model.model().n_q),
      n_u_(model.model().n_u),
      n_p_(model.model().n_global),
      s_(form_.stages),
      x_(n_x_),
      z_(n_z_),
      u_(n_u_),
      rows_(n_x_ + n_q_),
      residual_(n_z_),
      derivatives_(model.model()),
      D_(s_),
      slope_(s_),
      algebraic_(s_) {
  if (!form_.is_explicit) stage_jacobian_.emplace(s_, form_.a, n_x_, n_z_);
  const bolza_function* rates = model.model().rates;
  // Jacobians of long sums are evaluated several terms at a time, products with weights are not.
  by_products_ = form_.is_explicit && n_z_ == 0 && rates && rates->jac_nnz > 2 * rates->grad_nnz;
}

/// Moves to stage i: its time, state, algebraics and inputs.
void RungeKuttaSteps::stage_state(const RungeKuttaStep& step, std::size_t i) {
  t_ = step.t + form_.c[i] * step.h;
  for (std::size_t k = 0; k < n_x_; ++k) {
    double sum = 0;
    for (std::size_t j = 0; j < s_; ++j) sum += form_.a[i * s_ + j] * step.K[j * n_x_ + k];
    x_[k] = step.x[k] + step.h * sum;
  }
  std::copy_n(step.Z.begin() + static_cast<std::ptrdiff_t>(i * n_z_), n_z_, z_.begin());
  inputs_(t_, u_);
}

bool RungeKuttaSteps::evaluate(const RungeKuttaStep& step, std::size_t i) {
  stage_state(step, i);
  nonlinear::ModelAt::Point point{t_, x_.data(), z_.data(), u_.data()};
  if (!model_.value(Part::rates, point, rows_)) return false;
  slope_[i] = Eigen::Map<Eigen::VectorXd>(rows_.data(), at(rows_.size()));
  return n_z_ == 0 || model_.value(Part::residuals, point, residual_);
}

/// All derivatives at the stage where we stand.
bool RungeKuttaSteps::fill(std::size_t i) { return derivatives_.fill(model_, {t_, x_.data(), z_.data(), u_.data()}, D_[i]); }

/// h_z there.
bool RungeKuttaSteps::factorise_algebraic(std::size_t i) {
  return algebraic_[i].compute(part_of(D_[i], {at(1 + n_x_), at(n_z_)}, 0, at(n_x_ + n_q_)));
}

bool RungeKuttaSteps::advance(RungeKuttaStep& step, std::span<double> x, std::span<double> q) {
  step.x.assign(x.begin(), x.end());
  step.K.resize(s_ * n_x_);
  step.Z.resize(s_ * n_z_);
  if (form_.is_explicit) {
    for (std::size_t i = 0; i < s_; ++i)
      if (!solve_stage(step, i)) return false;
  } else if (!solve_all(step)) {
    return false;
  }
  for (std::size_t i = 0; i < s_; ++i) {
    for (std::size_t k = 0; k < n_x_; ++k) x[k] += step.h * form_.b[i] * step.K[i * n_x_ + k];
    for (std::size_t k = 0; k < n_q_; ++k) q[k] += step.h * form_.b[i] * slope_[i][at(n_x_ + k)];
  }
  return std::all_of(x.begin(), x.end(), [](double v) { return std::isfinite(v); });
}

/// A stage of an explicit method: its algebraics by Newton's method, then its slope.
bool RungeKuttaSteps::solve_stage(RungeKuttaStep& step, std::size_t i) {
  std::fill_n(step.K.begin() + static_cast<std::ptrdiff_t>(i * n_x_), n_x_, 0.0);
  if (i > 0) {  // the stage before is the better guess where none was given
    bool none = std::all_of(step.Z.begin() + static_cast<std::ptrdiff_t>(i * n_z_),
                            step.Z.begin() + static_cast<std::ptrdiff_t>((i + 1) * n_z_), [](double v) { return v == 0; });
    if (none)
      std::copy_n(step.Z.begin() + static_cast<std::ptrdiff_t>((i - 1) * n_z_), n_z_,
                  step.Z.begin() + static_cast<std::ptrdiff_t>(i * n_z_));
  }
  double before = INFINITY;
  for (int iteration = 0;; ++iteration) {
    if (!evaluate(step, i)) return false;
    if (!n_z_) break;
    if (!fill(i) || !factorise_algebraic(i)) return false;
    Eigen::VectorXd change = algebraic_[i].solve(Eigen::Map<Eigen::VectorXd>(residual_.data(), at(n_z_)));
    if (!change.allFinite()) return false;
    double size = 0;
    for (std::size_t k = 0; k < n_z_; ++k) {
      step.Z[i * n_z_ + k] -= change[at(k)];
      size = std::max(size, std::fabs(change[at(k)]) /
                                std::max(nonlinear::size_of(model_.model().z[k]), std::fabs(step.Z[i * n_z_ + k])));
    }
    if (size <= 16 * rounding || (size < 1e-11 && size >= before)) {
      if (!evaluate(step, i)) return false;
      break;
    }
    if (iteration > most_stage_iterations) return false;
    before = size;
  }
  std::copy_n(slope_[i].data(), n_x_, step.K.begin() + static_cast<std::ptrdiff_t>(i * n_x_));
  return true;
}

/// A state of index 2 is known to rounding over h only.    [HW, VII.7]
double RungeKuttaSteps::weight(std::size_t state, double h) const {
  const std::int32_t* index = model_.model().variable_index;
  return index && index[state] > 1 ? std::min(1.0, std::pow(std::fabs(h), index[state] - 1)) : 1;
}

/// All stages of an implicit method by Newton's method with the exact matrix, until the steps are rounding.
bool RungeKuttaSteps::solve_all(RungeKuttaStep& step) {
  double before = INFINITY;
  for (int iteration = 0; iteration < most_stage_iterations; ++iteration) {
    Eigen::VectorXd residual(at(s_ * (n_x_ + n_z_)));
    for (std::size_t i = 0; i < s_; ++i) {
      if (!evaluate(step, i) || !fill(i)) return false;
      for (std::size_t k = 0; k < n_x_; ++k) residual[at(i * n_x_ + k)] = step.K[i * n_x_ + k] - slope_[i][at(k)];
      for (std::size_t k = 0; k < n_z_; ++k) residual[at(s_ * n_x_ + i * n_z_ + k)] = residual_[k];
    }
    if (!set_stage_jacobian(step.h)) return false;
    Eigen::VectorXd change = solve_stages(residual, false);
    if (!change.allFinite()) return false;
    double size = 0;
    for (std::size_t i = 0; i < s_; ++i) {
      for (std::size_t k = 0; k < n_x_; ++k) {
        double by = change[at(i * n_x_ + k)];
        step.K[i * n_x_ + k] -= by;
        double known = std::max(nonlinear::size_of(model_.model().x[k]), std::fabs(step.x[k]));
        size = std::max(size, weight(k, step.h) * std::fabs(by * step.h) / known);
      }
      for (std::size_t k = 0; k < n_z_; ++k) {
        double by = change[at(s_ * n_x_ + i * n_z_ + k)];
        step.Z[i * n_z_ + k] -= by;
        if (model_.model().index < 2)
          size = std::max(
              size, std::fabs(by) / std::max(nonlinear::size_of(model_.model().z[k]), std::fabs(step.Z[i * n_z_ + k])));
      }
    }
    // Newton converges quadratically: a step this small leaves an error of its square, or it is rounding that no longer
    // shrinks
    if (size <= 1e-14 || (size < 1e-10 && size >= 0.5 * before)) {
      for (std::size_t i = 0; i < s_; ++i)
        if (!evaluate(step, i)) return false;
      return true;
    }
    before = size;
  }
  return false;
}

bool RungeKuttaSteps::differentiate(const RungeKuttaStep& step) {
  for (std::size_t i = 0; i < s_; ++i) {
    if (!evaluate(step, i) || !fill(i)) return false;
    if (form_.is_explicit && n_z_ && !factorise_algebraic(i)) return false;
  }
  return form_.is_explicit || set_stage_jacobian(step.h);
}

/// The stages' Jacobians are those of S.
bool RungeKuttaSteps::set_stage_jacobian(double h) {
  std::vector<Sparse> parts;
  for (const Sparse& D : D_) parts.push_back(part_of(D, {1, at(n_x_ + n_z_)}, at(n_x_), at(n_x_ + n_q_)));
  return stage_jacobian_->set(std::move(parts), h);
}

/// Not finite where S is singular.
Eigen::MatrixXd RungeKuttaSteps::solve_stages(const Matrix& rhs, bool transposed) {
  std::optional<Matrix> found = stage_jacobian_->solve(rhs, transposed);
  return found ? std::move(*found) : Matrix::Constant(rhs.rows(), rhs.cols(), NAN);
}

Eigen::MatrixXd RungeKuttaSteps::of_rows(const Matrix& f, const Matrix& q, const Matrix& h) const {
  Index m = std::max({f.cols(), q.cols(), h.cols()});
  Matrix rows = Matrix::Zero(at(n_x_ + n_q_ + n_z_), m);
  if (f.size()) rows.topRows(at(n_x_)) = f;
  if (q.size()) rows.middleRows(at(n_x_), at(n_q_)) = q;
  if (h.size()) rows.bottomRows(at(n_z_)) = h;
  return rows;
}

Eigen::MatrixXd RungeKuttaSteps::of_columns(const Matrix& x, const Matrix& z) const {
  Matrix columns = Matrix::Zero(at(1 + n_x_ + n_z_ + n_u_ + n_p_), std::max(x.cols(), z.cols()));
  if (x.size()) columns.middleRows(1, at(n_x_)) = x;
  if (z.size()) columns.middleRows(at(1 + n_x_), at(n_z_)) = z;
  return columns;
}

Eigen::MatrixXd RungeKuttaSteps::solve(const Matrix& rhs, double h) {
  if (!form_.is_explicit) return solve_stages(rhs, false);
  Index nx = at(n_x_), nz = at(n_z_), offset = at(s_ * n_x_);
  Matrix y = rhs;
  for (std::size_t i = 0; i < s_; ++i) {
    Matrix moved = Matrix::Zero(nx, rhs.cols());
    for (std::size_t j = 0; j < i; ++j) moved += h * form_.a[i * s_ + j] * y.middleRows(at(j) * nx, nx);
    Matrix by_x = D_[i] * of_columns(moved, {});
    y.middleRows(at(i) * nx, nx) += by_x.topRows(nx);
    if (!nz) continue;
    Matrix z = y.middleRows(offset + at(i) * nz, nz) - by_x.bottomRows(nz);
    y.middleRows(offset + at(i) * nz, nz) = algebraic_[i].solve(z);
    Matrix by_z = D_[i] * of_columns({}, y.middleRows(offset + at(i) * nz, nz));
    y.middleRows(at(i) * nx, nx) += by_z.topRows(nx);
  }
  return y;
}

Eigen::MatrixXd RungeKuttaSteps::solve_transposed(const Matrix& rhs, double h) {
  if (!form_.is_explicit) return solve_stages(rhs, true);
  Index nx = at(n_x_), nz = at(n_z_), offset = at(s_ * n_x_);
  Matrix psi = rhs;
  for (std::size_t i = s_; i-- > 0;) {
    Matrix by = D_[i].transpose() * of_rows(psi.middleRows(at(i) * nx, nx), {}, {}), by_x = by.middleRows(1, nx);
    if (nz) {
      Matrix z = psi.middleRows(offset + at(i) * nz, nz) + by.middleRows(1 + nx, nz);
      z = algebraic_[i].solve(z, true);
      psi.middleRows(offset + at(i) * nz, nz) = z;
      by = D_[i].transpose() * of_rows({}, {}, z);
      by_x -= by.middleRows(1, nx);
    }
    for (std::size_t j = 0; j < i; ++j)
      if (double w = h * form_.a[i * s_ + j]; w != 0) psi.middleRows(at(j) * nx, nx) += w * by_x;
  }
  return psi;
}

}  // namespace bolza::integrate
