#include "runtime/integrate/reduced_model.h"

#include <algorithm>
#include <cmath>

#include "runtime/nonlinear/initialise.h"

namespace bolza::integrate {
namespace {

using Part = nonlinear::ModelAt::Part;
constexpr std::size_t dense_limit = 80;

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

void ReducedModel::make_places() {
  const bolza_model& m = model();
  by_y_.resize(columns() + m.n_z);
  if (!m.rates) return;
  for (std::size_t e = 0; m.n_z == 0 && e < m.rates->jac_nnz; ++e)
    if (static_cast<std::size_t>(m.rates->jac_col[e]) < columns())  // the others are shared values that are not free
      places_.push_back({m.rates->jac_row[e], m.rates->jac_col[e]}), entry_.push_back(e);
  if (m.n_z)
    for (std::size_t c = 0; c < columns(); ++c)
      for (std::size_t r = 0; r < rate_rows(); ++r)
        places_.push_back({static_cast<std::int32_t>(r), static_cast<std::int32_t>(c)});
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
  double last = INFINITY;
  for (int k = 0; k < 8; ++k) {
    if (!factorise()) break;
    Eigen::VectorXd step = solve(Eigen::Map<const Eigen::VectorXd>(h_.data(), static_cast<Eigen::Index>(m.n_z)));
    double size = 0;
    for (std::size_t i = 0; i < m.n_z; ++i) {
      double change = step[static_cast<Eigen::Index>(i)];
      z_[i] -= change;
      size = std::max(size, std::fabs(change) / std::max(nonlinear::size_of(m.z[i]), std::fabs(z_[i])));
    }
    if (!std::isfinite(size) || size > 2 * last) break;
    if (size <= 1e-12) return factorised_ = size == 0, true;
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
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t e = 0; e < residual_.value.size(); ++e) {
    std::ptrdiff_t c = column_of(static_cast<std::size_t>(residual_.col[e]));
    if (c < 0 && residual_.row[e] < static_cast<std::int32_t>(m.n_z))
      entries.emplace_back(residual_.row[e], -c - 1, residual_.value[e]);
  }
  Eigen::Index n = static_cast<Eigen::Index>(m.n_z);
  if (m.n_z <= dense_limit) {
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n, n);
    for (const auto& e : entries) matrix(e.row(), e.col()) += e.value();
    dense_.compute(matrix);
  } else {
    Eigen::SparseMatrix<double> matrix(n, n);
    matrix.setFromTriplets(entries.begin(), entries.end());
    sparse_ = std::make_unique<Eigen::SparseLU<Eigen::SparseMatrix<double>>>(matrix);
    if (sparse_->info() != Eigen::Success) return false;
  }
  return factorised_ = true;
}

Eigen::VectorXd ReducedModel::solve(const Eigen::VectorXd& b) const {
  return model().n_z <= dense_limit ? Eigen::VectorXd(dense_.solve(b)) : Eigen::VectorXd(sparse_->solve(b));
}

Eigen::VectorXd ReducedModel::solve_transposed(const Eigen::VectorXd& b) const {
  return model().n_z <= dense_limit ? Eigen::VectorXd(dense_.transpose().solve(b))
                                    : Eigen::VectorXd(sparse_->transpose().solve(b));
}

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
    if (!at_.jacobian(part, point(), {}, derivative_)) return false;
    for (std::size_t e = 0; e < derivative_.value.size(); ++e) {
      std::size_t row = static_cast<std::size_t>(derivative_.row[e]);
      if (row >= weight.size()) continue;
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
  if (model().n_z == 0) {
    if (!at_.jacobian(Part::rates, point(), rows, derivative_)) return false;
    entries.resize(entry_.size());
    for (std::size_t k = 0; k < entry_.size(); ++k) entries[k] = derivative_.value[entry_[k]];
    return true;
  }
  if (!rates(rows) || !rate_jacobian(dense_jacobian_)) return false;
  entries.assign(dense_jacobian_.data(), dense_jacobian_.data() + dense_jacobian_.size());
  return true;
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

bool ReducedModel::residual_by_z(Eigen::MatrixXd& matrix) {
  Eigen::Index n = static_cast<Eigen::Index>(model().n_z);
  matrix.setZero(n, n);
  factorised_ = false;
  if (!factorise()) return false;
  for (std::size_t e = 0; e < residual_.value.size(); ++e) {
    std::ptrdiff_t c = column_of(static_cast<std::size_t>(residual_.col[e]));
    if (c < 0 && residual_.row[e] < n) matrix(residual_.row[e], -c - 1) += residual_.value[e];
  }
  return matrix.allFinite();
}

}  // namespace bolza::integrate
