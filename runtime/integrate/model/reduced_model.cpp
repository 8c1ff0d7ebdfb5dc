// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/model/reduced_model.h"

#include <algorithm>
#include <cmath>

#include "runtime/nonlinear/initialise.h"

namespace bolza::integrate {
namespace {

using Part = nonlinear::ModelAt::Part;

}  // namespace

ReducedModel::ReducedModel(const bolza_problem& problem, const bolza_model& model)
    : own_(std::make_unique<nonlinear::ModelAt>(problem, model, std::vector<double>(model.n_shared))),
      at_(*own_),
      x_(model.n_x),
      u_(model.n_u),
      h_(model.n_z) {
  forget();
  make_places();
}

/// Places of h_z.
void ReducedModel::make_places() {
  const bolza_model& m = model();
  by_y_.resize(columns() + m.n_z);
  std::vector<linalg::EntryMatrix<double>::Place> places;
  for (std::size_t e = 0; m.n_z && m.residuals && e < m.residuals->jac_nnz; ++e) {
    std::ptrdiff_t c = column_of(static_cast<std::size_t>(m.residuals->jac_col[e]));
    if (c < 0 && m.residuals->jac_row[e] < static_cast<std::int32_t>(m.n_z)) {
      places.push_back({m.residuals->jac_row[e], static_cast<int>(-c - 1)});
      by_z_entry_.push_back(e);
    }
  }
  by_z_ = {static_cast<Eigen::Index>(m.n_z), static_cast<Eigen::Index>(m.n_z), places};
}

const std::vector<ReducedModel::Place>& ReducedModel::rate_places() {
  if (!totals_) totals_.emplace(model());
  return totals_->places();
}

ReducedModel::ReducedModel(nonlinear::ModelAt& at) : at_(at), x_(at.model().n_x), u_(at.model().n_u), h_(at.model().n_z) {
  forget();
  make_places();
}

void ReducedModel::forget() {
  anchor_.clear();
  z_.clear();
  for (std::size_t i = 0; i < model().n_z; ++i) z_.push_back(nonlinear::guess_of(model().z[i]));
}

std::ptrdiff_t ReducedModel::column_of(std::size_t c) const {
  const bolza_model& m = model();
  if (c <= m.n_x) return static_cast<std::ptrdiff_t>(c);
  if (c <= m.n_x + m.n_z) return -static_cast<std::ptrdiff_t>(c - m.n_x);
  return static_cast<std::ptrdiff_t>(c - m.n_z);
}

bool ReducedModel::move_to(double t, std::span<const double> x, std::span<const double> u) {
  t_ = t;
  std::copy(x.begin(), x.end(), x_.begin());
  std::copy(u.begin(), u.end(), u_.begin());
  factorised_ = false;
  const bolza_model& m = model();
  if (!m.n_z) return true;
  if (!anchor_.empty()) z_ = anchor_;
  std::vector<double> before = z_;
  double last = INFINITY, alone = 0;
  Eigen::VectorXd steps;
  auto find_step = [&]() -> const double* {  // h_z⁻¹ h; of one algebraic without factors
    if (m.n_z > 1) {
      if (!factorise()) return nullptr;
      steps = solve(Eigen::Map<const Eigen::VectorXd>(h_.data(), static_cast<Eigen::Index>(m.n_z)));
      return steps.data();
    }
    if (!at_.jacobian(Part::residuals, point(), h_, residual_)) return nullptr;
    double slope = 0;
    for (std::size_t e : by_z_entry_) slope += residual_.value[e];
    alone = h_[0] / slope;
    return &alone;
  };
  for (int k = 0; k < 8; ++k) {
    const double* step = find_step();
    if (!step) break;
    double size = 0;
    for (std::size_t i = 0; i < m.n_z; ++i) {
      double change = step[i];
      z_[i] -= change;
      size = std::max(size, std::fabs(change) / std::max(nonlinear::size_of(m.z[i]), std::fabs(z_[i])));
    }
    if (!std::isfinite(size) || size > 2 * last) break;
    if (size <= 1e-12) {
      factorised_ = size == 0 && m.n_z > 1;
      return true;
    }
    last = size;
  }
  factorised_ = false;
  z_ = std::move(before);
  return nonlinear::solve_algebraics(at_, t_, x_, u_, z_).converged();
}

bool ReducedModel::factorise() {
  const bolza_model& m = model();
  if (!m.n_z || factorised_) return true;
  if (!at_.jacobian(Part::residuals, point(), h_, residual_)) return false;
  by_z_.clear();
  for (std::size_t k = 0; k < by_z_entry_.size(); ++k) by_z_.add(k, residual_.value[by_z_entry_[k]]);
  if (!algebraic_) algebraic_ = std::make_shared<linalg::Factors<double>>();
  else if (algebraic_.use_count() > 1) algebraic_ = std::make_shared<linalg::Factors<double>>(*algebraic_);
  return factorised_ = algebraic_->compute(by_z_.matrix());
}

Eigen::VectorXd ReducedModel::solve(const Eigen::VectorXd& b) const { return algebraic_->solve(b); }

Eigen::VectorXd ReducedModel::solve_transposed(const Eigen::VectorXd& b) const { return algebraic_->solve(b, true); }

bool ReducedModel::rates(std::span<double> out) { return rows(Part::rates, out); }

bool ReducedModel::rows(Part part, std::span<double> out) { return at_.value(part, point(), out); }

bool ReducedModel::add_gradient(Part part, std::span<const double> weight, std::span<const double> z_weight,
                                std::span<double> gradient) {
  const bolza_model& m = model();
  // Jacobians of long sums are evaluated several terms at a time, products with weights are not.
  bool dense = m.rates && m.rates->jac_nnz <= 2 * m.rates->grad_nnz;
  if (!m.n_z && part == Part::rates && !weight.empty() && !dense) return at_.vjp(part, point(), weight, gradient);
  Eigen::VectorXd by_z = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(m.n_z));
  for (std::size_t i = 0; i < z_weight.size(); ++i) by_z[static_cast<Eigen::Index>(i)] = z_weight[i];
  if (!weight.empty()) {
    // Rows without a weight need not have derivatives.
    if (!at_.jacobian(part, point(), {}, derivative_) && derivative_.value.empty()) return false;
    for (std::size_t e = 0; e < derivative_.value.size(); ++e) {
      std::size_t row = static_cast<std::size_t>(derivative_.row[e]);
      if (row >= weight.size() || weight[row] == 0) continue;
      if (!std::isfinite(derivative_.value[e])) return false;
      std::ptrdiff_t c = column_of(static_cast<std::size_t>(derivative_.col[e]));
      double v = weight[row] * derivative_.value[e];
      if (c < 0) by_z[-c - 1] += v;
      else if (static_cast<std::size_t>(c) < gradient.size()) gradient[static_cast<std::size_t>(c)] += v;
    }
  }
  if (!m.n_z) return true;
  if (!factorise()) return false;
  Eigen::VectorXd mu = solve_transposed(by_z);
  if (!mu.allFinite()) return false;
  for (std::size_t e = 0; e < residual_.value.size(); ++e) {
    std::ptrdiff_t c = column_of(static_cast<std::size_t>(residual_.col[e]));
    if (c >= 0 && residual_.row[e] < static_cast<std::int32_t>(m.n_z))
      gradient[static_cast<std::size_t>(c)] -= mu[residual_.row[e]] * residual_.value[e];
  }
  return true;
}

bool ReducedModel::rate_entries(std::span<double> rows, std::vector<double>& entries) {
  rate_places();
  if (!at_.jacobian(Part::rates, point(), rows, derivative_) || !factorise()) return false;
  return totals_->fill(derivative_.value, residual_.value, algebraic_.get(), entries);
}

bool ReducedModel::rate_jacobian(Eigen::MatrixXd& jacobian) {
  const bolza_model& m = model();
  Eigen::Index rows = static_cast<Eigen::Index>(rate_rows()), n_z = static_cast<Eigen::Index>(m.n_z);
  jacobian.setZero(rows, static_cast<Eigen::Index>(columns()));
  Eigen::MatrixXd by_z = Eigen::MatrixXd::Zero(rows, n_z);
  if (!at_.jacobian(Part::rates, point(), {}, derivative_)) return false;
  for (std::size_t e = 0; e < derivative_.value.size(); ++e) {
    std::ptrdiff_t c = column_of(static_cast<std::size_t>(derivative_.col[e]));
    if (c >= jacobian.cols()) continue;  // shared values that are not free
    if (c < 0) by_z(derivative_.row[e], -c - 1) += derivative_.value[e];
    else jacobian(derivative_.row[e], c) += derivative_.value[e];
  }
  if (!m.n_z) return true;
  if (!factorise()) return false;
  Eigen::MatrixXd adjoint(n_z, rows);  // h_z^-T f_z^T
  for (Eigen::Index r = 0; r < rows; ++r) adjoint.col(r) = solve_transposed(by_z.row(r).transpose());
  if (!adjoint.allFinite()) return false;
  for (std::size_t e = 0; e < residual_.value.size(); ++e) {
    std::ptrdiff_t c = column_of(static_cast<std::size_t>(residual_.col[e]));
    if (c < 0 || c >= jacobian.cols() || residual_.row[e] >= static_cast<std::int32_t>(m.n_z)) continue;
    for (Eigen::Index r = 0; r < rows; ++r) jacobian(r, c) -= adjoint(residual_.row[e], r) * residual_.value[e];
  }
  return true;
}

bool ReducedModel::rate_jacobian(RateJacobian& jacobian) {
  const bolza_model& m = model();
  if (!derivatives_) derivatives_.emplace(m);
  if (!at_.jacobian(Part::rates, point(), {}, derivative_)) return false;
  if (m.n_z && !factorise()) return false;
  derivatives_->put(derivative_.value, residual_.value, jacobian.S);
  jacobian.n_x = static_cast<Eigen::Index>(m.n_x);
  jacobian.n_z = static_cast<Eigen::Index>(m.n_z);
  jacobian.algebraic = m.n_z ? algebraic_ : nullptr;
  return true;
}

std::shared_ptr<const linalg::Factors<double>> ReducedModel::residual_by_z() {
  factorised_ = false;
  return factorise() ? algebraic_ : nullptr;
}

}  // namespace bolza::integrate
