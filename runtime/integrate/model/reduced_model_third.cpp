// SPDX-License-Identifier: Apache-2.0
// Third derivatives of a model with its algebraics eliminated, and Jacobians along directions: coefficients along a line.
#include "base/expects.h"
#include "runtime/integrate/model/reduced_model.h"

namespace bolza::integrate {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Part = nonlinear::ModelAt::Part;

/// Jacobian and weighted Hessian at the point + s y, to first order in s, columns as kernels have them.
struct ReducedModel::Line {
  nonlinear::SeriesAt jacobian, hessian;
  MatrixXd J[2], H[2];
};

bool ReducedModel::make_lines(bool jacobians, bool hessians) {
  auto made = [&](std::shared_ptr<Line>& line, bolza_function* f) {
    if (!line) line = std::make_shared<Line>();
    auto has = [&](nonlinear::SeriesAt& series, bolza_kind kind) {
      if (!series.available()) series = nonlinear::SeriesAt(problem(), f, kind, 1);
      return series.available();
    };
    return (!jacobians || has(line->jacobian, BOLZA_TAYLOR_JACOBIAN)) &&
           (!hessians || has(line->hessian, BOLZA_TAYLOR_HESSIAN));
  };
  return made(rates_line_, model().rates) && (!model().n_z || made(residuals_line_, model().residuals));
}

bool ReducedModel::has_third() { return make_lines(model().n_z > 0, true); }

/// The point + s y.
void ReducedModel::set_line(nonlinear::SeriesAt& series, const VectorXd& y) const {
  const bolza_model& m = model();
  auto set = [&](std::size_t row, double value) {
    series.set(row, 0, value);
    series.set(row, 1, y[static_cast<Index>(row)]);
  };
  set(0, t_);
  for (std::size_t i = 0; i < m.n_x; ++i) set(1 + i, x_[i]);
  for (std::size_t i = 0; i < m.n_z; ++i) set(1 + m.n_x + i, z_[i]);
  for (std::size_t i = 0; i < m.n_u; ++i) set(1 + m.n_x + m.n_z + i, u_[i]);
}

bool ReducedModel::along_line(Line& line, const VectorXd& y, std::span<const double> weight,
                              std::span<const double> weight_dot) {
  const double* shared = at_.shared.data();
  Index all = y.size();
  bool jacobians = line.jacobian.available() && weight.empty();
  nonlinear::SeriesAt& series = jacobians ? line.jacobian : line.hessian;
  const bolza_function& f = *series.function();
  set_line(series, y);
  for (std::size_t r = 0; r < weight.size(); ++r) {
    series.set_weight(r, 0, weight[r]);
    series.set_weight(r, 1, weight_dot.empty() ? 0 : weight_dot[r]);
  }
  for (std::size_t k = 0; k < 2; ++k) {
    if (series.run(k, shared) != 0) return false;
    if (jacobians) {
      line.J[k].setZero(static_cast<Index>(f.n_rows), all);
      for (std::size_t e = 0; e < f.jac_nnz; ++e)
        if (f.jac_col[e] < all) line.J[k](f.jac_row[e], f.jac_col[e]) += series.out(f.n_rows + e, k);
    } else {
      line.H[k].setZero(all, all);
      for (std::size_t e = 0; e < f.hess_nnz; ++e)
        line.H[k](f.hess_row[e], f.hess_col[e]) = line.H[k](f.hess_col[e], f.hess_row[e]) = series.out(e, k);
    }
  }
  return true;
}

// What `second_adjoint` computes, to first order in s (a dot): with −μ the multipliers of h, h_zᵀ μ = F_zᵀ w, of directions
// y = (moves, z') with h_y y = 0, change = (∇²w'F − ∇²μ'h) y and h_zᵀ μ' = change_z, it is change − h_yᵀ μ'.
bool ReducedModel::third(std::span<const double> weight, const VectorXd& d, const MatrixXd& moves, MatrixXd& out) {
  const bolza_model& m = model();
  Index n_z = static_cast<Index>(m.n_z), first_z = 1 + static_cast<Index>(m.n_x), behind = d.size() - first_z;
  expects(d.tail(static_cast<Index>(m.n_global)).isZero(0), "parameters do not move along the line");
  if (n_z && !factorise()) return false;
  const VectorXd line = with_algebraics(d);
  const MatrixXd y = with_algebraics(moves);
  if (!along_line(*rates_line_, line, weight, {})) return false;
  MatrixXd change = rates_line_->H[1] * y;
  if (n_z) {
    auto solved = [&](const MatrixXd& b, bool transposed) {
      MatrixXd x(b.rows(), b.cols());
      for (Index k = 0; k < b.cols(); ++k) x.col(k) = transposed ? solve_transposed(b.col(k)) : solve(b.col(k));
      return x;
    };
    Line &F = *rates_line_, &h = *residuals_line_;
    Eigen::Map<const VectorXd> w(weight.data(), static_cast<Index>(weight.size()));
    if (!along_line(F, line, {}, {}) || !along_line(h, line, {}, {})) return false;
    const MatrixXd h_y = h.J[0].topRows(n_z), h_dot = h.J[1].topRows(n_z);
    auto of_z = [&](const MatrixXd& rows) { return rows.middleRows(first_z, n_z); };
    VectorXd mu = solved(of_z(F.J[0].topRows(w.size()).transpose() * w), true);
    VectorXd mu_dot = solved(of_z(F.J[1].topRows(w.size()).transpose() * w) - of_z(h_dot.transpose() * mu), true);
    std::vector<double> minus_mu(m.n_z), minus_mu_dot(m.n_z);
    Eigen::Map<VectorXd>(minus_mu.data(), n_z) = -mu;
    Eigen::Map<VectorXd>(minus_mu_dot.data(), n_z) = -mu_dot;
    if (!along_line(h, line, minus_mu, minus_mu_dot)) return false;
    MatrixXd y_dot = MatrixXd::Zero(y.rows(), y.cols()), H = F.H[0] + h.H[0];
    y_dot.middleRows(first_z, n_z) = -solved(h_dot * y, false);
    MatrixXd turned = solved(of_z(H * y), true);
    change += h.H[1] * y + H * y_dot - h_dot.transpose() * turned;
    change -= (h_y.transpose() * solved(of_z(change), true)).eval();
  }
  out.resize(d.size(), moves.cols());
  out << change.topRows(first_z), change.bottomRows(behind);
  return out.allFinite();
}

// Parameters have no coefficients, so directions by them are rows of second derivatives, too.
bool ReducedModel::jacobian_along(const RateJacobian& jacobian, const VectorXd& direction, RateJacobian::Sparse& S_dot,
                                  Index few) {
  Index n_p = static_cast<Index>(model().n_global);
  if (jacobian.n() <= few || !direction.tail(n_p).isZero(0) || !make_lines(true, false))
    return jacobian_along_by_rows(jacobian, direction, S_dot);
  const VectorXd line = jacobian.with_algebraics(direction);
  std::vector<double> entries[2];
  auto take = [&](nonlinear::SeriesAt& series, std::vector<double>& slope) {
    const bolza_function& f = *series.function();
    set_line(series, line);
    for (std::size_t k = 0; k < 2; ++k)
      if (series.run(k, at_.shared.data()) != 0) return false;
    slope.resize(f.jac_nnz);
    for (std::size_t e = 0; e < f.jac_nnz; ++e) slope[e] = series.out(f.n_rows + e, 1);
    return true;
  };
  if (!take(rates_line_->jacobian, entries[0])) return false;
  if (model().n_z && !take(residuals_line_->jacobian, entries[1])) return false;
  derivatives_->put(entries[0], entries[1], S_dot);
  return true;
}

bool ReducedModel::jacobian_along_by_rows(const RateJacobian& jacobian, const VectorXd& direction,
                                          RateJacobian::Sparse& S_dot) {
  Index n = jacobian.n(), n_z = jacobian.n_z, behind_x = 1 + jacobian.n_x;
  VectorXd weight = VectorXd::Zero(n);
  MatrixXd row;
  std::vector<Eigen::Triplet<double>> entries;
  for (Index r = 0; r < n; ++r) {
    weight[r] = 1;
    row.setZero(jacobian.columns(), 1);
    if (!second_adjoint(Part::rates, {weight.data(), static_cast<std::size_t>(n)}, {}, {}, direction, row)) return false;
    weight[r] = 0;
    for (Index c = 0; c < row.rows(); ++c)
      if (row(c, 0) != 0) entries.emplace_back(static_cast<int>(r), static_cast<int>(c < behind_x ? c : c + n_z), row(c, 0));
  }
  S_dot.resize(jacobian.S.rows(), jacobian.S.cols());
  S_dot.setFromTriplets(entries.begin(), entries.end());
  return row.allFinite();
}

}  // namespace bolza::integrate
