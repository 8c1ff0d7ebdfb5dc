// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/model/series_model.h"

#include "runtime/integrate/index.h"

namespace bolza::integrate {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

}  // namespace

void SeriesModel::set(std::size_t row, std::size_t k, double value) {
  for (nonlinear::SeriesAt* s : {&rates_, &residuals_, &rates_by_, &residuals_by_, &rates_bend_, &residuals_bend_})
    if (s->available()) s->set(row, k, value);
}

bool SeriesModel::prepare(std::size_t K, Derivatives derivatives) {
  const bolza_model& m = model_.model();
  const bolza_problem& problem = model_.at().problem();
  auto have = [&](nonlinear::SeriesAt& series, bolza_function* f, bolza_kind kind) {
    if (!series.available() || series.order() != K) series = nonlinear::SeriesAt(problem, f, kind, K);
    return series.available();
  };
  K_ = K;
  if (!have(rates_, m.rates, BOLZA_TAYLOR) || (m.n_z && !have(residuals_, m.residuals, BOLZA_TAYLOR))) return false;
  if (derivatives == Derivatives::none) return true;
  if (!have(rates_by_, m.rates, BOLZA_TAYLOR_JACOBIAN) ||
      (m.n_z && !have(residuals_by_, m.residuals, BOLZA_TAYLOR_JACOBIAN)))
    return false;
  return derivatives == Derivatives::first || (have(rates_bend_, m.rates, BOLZA_TAYLOR_HESSIAN) &&
                                               (m.n_z == 0 || have(residuals_bend_, m.residuals, BOLZA_TAYLOR_HESSIAN)));
}

bool SeriesModel::expand(double t, const VectorXd& y, const MatrixXd& u, std::size_t K, Derivatives derivatives,
                         std::vector<VectorXd>& c) {
  const bolza_model& m = model_.model();
  const double* shared = model_.at().shared.data();
  if (!prepare(K, derivatives)) return false;
  differentiated_ = false;
  VectorXd u0 = u.col(0);
  if (!model_.move_to(t, {y.data(), m.n_x}, {u0.data(), m.n_u})) return false;
  if (m.n_z && !(by_z_ = model_.residual_by_z())) return false;
  c.assign(K, VectorXd(at(m.n_x + m.n_q)));
  for (std::size_t k = 0; k < K; ++k) {
    set(0, k, k == 0 ? t : k == 1 ? 1 : 0);
    for (std::size_t i = 0; i < m.n_x; ++i) set(1 + i, k, k == 0 ? y[at(i)] : c[k - 1][at(i)]);
    for (std::size_t i = 0; i < m.n_u; ++i) set(1 + m.n_x + m.n_z + i, k, u(at(i), at(k)));
    for (std::size_t i = 0; i < m.n_z; ++i) set(1 + m.n_x + i, k, k == 0 ? model_.z()[i] : 0);
    if (m.n_z && k > 0) {  // what is left with z_k = 0 is taken away by h_z z_k
      if (residuals_.run(k, shared) != 0) return false;
      VectorXd left(at(m.n_z));
      for (std::size_t i = 0; i < m.n_z; ++i) left[at(i)] = residuals_.out(i, k);
      left = by_z_->solve(left);
      for (std::size_t i = 0; i < m.n_z; ++i) set(1 + m.n_x + i, k, -left[at(i)]);
    }
    if (m.n_z && residuals_.run(k, shared) != 0) return false;
    if (rates_.run(k, shared) != 0) return false;
    for (std::size_t i = 0; i < m.n_x + m.n_q; ++i) c[k][at(i)] = rates_.out(i, k) / static_cast<double>(k + 1);
    if (!c[k].allFinite()) return false;
  }
  return true;
}

/// Coefficients of all Jacobians along the solution of the last `expand`.
bool SeriesModel::differentiate() {
  if (differentiated_) return true;
  const bolza_model& m = model_.model();
  const double* shared = model_.at().shared.data();
  if (!derivatives_) derivatives_.emplace(m);
  D_.resize(K_);
  std::vector<double> of_rates, of_residuals;
  auto take = [&](nonlinear::SeriesAt& series, std::size_t k, std::vector<double>& entries) {
    const bolza_function& f = *series.function();
    if (series.run(k, shared) != 0) return false;
    entries.resize(f.jac_nnz);
    for (std::size_t e = 0; e < f.jac_nnz; ++e) entries[e] = series.out(f.n_rows + e, k);
    return true;
  };
  for (std::size_t k = 0; k < K_; ++k) {
    if (!take(rates_by_, k, of_rates) || (m.n_z && !take(residuals_by_, k, of_residuals))) return false;
    derivatives_->put(of_rates, of_residuals, D_[k]);
  }
  return differentiated_ = true;
}

bool SeriesModel::adjoint(const std::vector<VectorXd>& weight, VectorXd& by, VectorXd& by_slope) {
  const bolza_model& m = model_.model();
  if (!differentiate()) return false;
  Index nx = at(m.n_x), nz = at(m.n_z), nu = at(m.n_u), np = at(m.n_global), n = at(m.n_x + m.n_q);
  std::vector<VectorXd> bar(K_ + 1, VectorXd::Zero(at(1 + m.n_x + m.n_z + m.n_u + m.n_global)));  // of (t, x, z, u, p)_k
  phi_.resize(K_);
  mu_.resize(K_);
  for (std::size_t k = K_; k-- > 0;) {
    VectorXd& phi = phi_[k];
    phi = weight[k];
    phi.head(nx) += bar[k + 1].segment(1, nx);
    phi /= static_cast<double>(k + 1);
    VectorXd multiplier = VectorXd::Zero(n + nz);
    multiplier.head(n) = phi;
    for (std::size_t j = 0; j <= k; ++j) bar[j] += D_[k - j].transpose() * multiplier;
    if (nz == 0) continue;
    mu_[k] = by_z_->solve(bar[k].segment(1 + nx, nz), true);
    multiplier.head(n).setZero();
    multiplier.tail(nz) = mu_[k];
    for (std::size_t j = 0; j <= k; ++j) bar[j] -= D_[k - j].transpose() * multiplier;
  }
  by.resize(1 + nx + nu + np);
  by << bar[0].head(1 + nx), bar[0].segment(1 + nx + nz, nu), bar[0].tail(np);
  by_slope = K_ > 1 ? VectorXd(bar[1].segment(1 + nx + nz, nu)) : VectorXd::Zero(nu);
  return by.allFinite();
}

bool SeriesModel::tangent(const MatrixXd& by, const MatrixXd& slope, std::vector<MatrixXd>& c) {
  const bolza_model& m = model_.model();
  if (!differentiate()) return false;
  Index nx = at(m.n_x), nz = at(m.n_z), nu = at(m.n_u), np = at(m.n_global), n = at(m.n_x + m.n_q);
  std::vector<MatrixXd>& dot = dot_;
  dot.assign(K_, MatrixXd::Zero(1 + nx + nz + nu + np, by.cols()));
  c.assign(K_, MatrixXd());
  for (std::size_t k = 0; k < K_; ++k) {
    MatrixXd& own = dot[k];
    if (k == 0) {
      own.topRows(1 + nx) = by.topRows(1 + nx);
      own.bottomRows(nu + np) = by.bottomRows(nu + np);
    } else {
      own.middleRows(1, nx) = c[k - 1].topRows(nx);
      if (k == 1) own.middleRows(1 + nx + nz, nu) = slope;
    }
    MatrixXd sum = MatrixXd::Zero(n + nz, by.cols());
    for (std::size_t j = 0; j <= k; ++j) sum += D_[k - j] * dot[j];
    if (nz) {
      MatrixXd moved = MatrixXd::Zero(own.rows(), by.cols());
      moved.middleRows(1 + nx, nz) = -by_z_->solve(sum.bottomRows(nz));
      own += moved;
      sum += D_[0] * moved;
    }
    c[k] = sum.topRows(n) / static_cast<double>(k + 1);
  }
  return true;
}

bool SeriesModel::second(const std::vector<VectorXd>& weight, const MatrixXd& by, const MatrixXd& slope, MatrixXd& by_dot,
                         MatrixXd& slope_dot) {
  VectorXd own, own_slope;
  std::vector<MatrixXd> c;
  if (!adjoint(weight, own, own_slope) || !tangent(by, slope, c)) return false;  // φ, μ and ẏ
  const bolza_model& m = model_.model();
  Index nx = at(m.n_x), nz = at(m.n_z), nu = at(m.n_u), np = at(m.n_global), n = at(m.n_x + m.n_q), all = dot_[0].rows();
  std::vector<MatrixXd> bar(K_ + 1, MatrixXd::Zero(all, by.cols()));
  auto add_curvature = [&](nonlinear::SeriesAt& series, const std::vector<VectorXd>& multiplier, double sign) {
    const bolza_function& f = *series.function();
    for (std::size_t k = 0; k < K_; ++k)
      for (Index r = 0; r < multiplier[k].size(); ++r)
        series.set_weight(static_cast<std::size_t>(r), K_ - 1 - k, sign * multiplier[k][r]);
    for (std::size_t l = 0; l < K_; ++l) {
      if (series.run(l, model_.at().shared.data()) != 0) return false;
      for (std::size_t e = 0; e < f.hess_nnz; ++e) {
        Index row = f.hess_row[e], col = f.hess_col[e];
        double v = series.out(e, l);
        if (v == 0) continue;
        for (std::size_t i = 0; i + l < K_; ++i) {  // coefficient l of the Hessian, i of ẏ
          MatrixXd& to = bar[K_ - 1 - l - i];
          to.row(row) += v * dot_[i].row(col);
          if (row != col) to.row(col) += v * dot_[i].row(row);
        }
      }
    }
    return true;
  };
  if (!add_curvature(rates_bend_, phi_, 1) || (nz && !add_curvature(residuals_bend_, mu_, -1))) return false;
  for (std::size_t k = K_; k-- > 0;) {  // as the adjoint, its weights held
    MatrixXd phi = MatrixXd::Zero(n, by.cols());
    phi.topRows(nx) = bar[k + 1].middleRows(1, nx) / static_cast<double>(k + 1);
    MatrixXd multiplier = MatrixXd::Zero(n + nz, by.cols());
    multiplier.topRows(n) = phi;
    for (std::size_t j = 0; j <= k; ++j) bar[j] += D_[k - j].transpose() * multiplier;
    if (nz == 0) continue;
    multiplier.topRows(n).setZero();
    multiplier.bottomRows(nz) = by_z_->solve(bar[k].middleRows(1 + nx, nz), true);
    for (std::size_t j = 0; j <= k; ++j) bar[j] -= D_[k - j].transpose() * multiplier;
  }
  by_dot.resize(1 + nx + nu + np, by.cols());
  by_dot << bar[0].topRows(1 + nx), bar[0].middleRows(1 + nx + nz, nu), bar[0].bottomRows(np);
  slope_dot = K_ > 1 ? MatrixXd(bar[1].middleRows(1 + nx + nz, nu)) : MatrixXd::Zero(nu, by.cols());
  return by_dot.allFinite() && slope_dot.allFinite();
}

}  // namespace bolza::integrate
