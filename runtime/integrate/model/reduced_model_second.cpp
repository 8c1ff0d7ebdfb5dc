// SPDX-License-Identifier: Apache-2.0
// Second derivatives of a model with its algebraics eliminated.
#include <algorithm>

#include "runtime/abi/evaluate.h"
#include "runtime/integrate/model/reduced_model.h"

namespace bolza::integrate {

using Part = nonlinear::ModelAt::Part;

bool ReducedModel::has_second() const {
  const bolza_model& m = model();
  auto has = [&](bolza_function* f) { return abi::ensure(problem(), *f, BOLZA_HESSIAN); };
  return m.rates && has(m.rates) && (!m.n_z || has(m.residuals));
}

// Directions with z' = −h_z⁻¹ h_c c' among them, as kernels have the columns. Requires  h_z is factorised.
Eigen::MatrixXd ReducedModel::with_algebraics(const Eigen::MatrixXd& direction) const {
  using Eigen::Index;
  Index n_z = static_cast<Index>(model().n_z), first_z = 1 + static_cast<Index>(model().n_x),
        behind = direction.rows() - first_z;
  Eigen::MatrixXd y = Eigen::MatrixXd::Zero(direction.rows() + n_z, direction.cols());
  y.topRows(first_z) = direction.topRows(first_z);
  y.bottomRows(behind) = direction.bottomRows(behind);
  if (!n_z) return y;
  Eigen::MatrixXd moved = Eigen::MatrixXd::Zero(n_z, direction.cols());
  for (std::size_t e = 0; e < residual_.value.size(); ++e) {
    Index r = residual_.row[e], c = residual_.col[e];
    if (r < n_z && (c < first_z || c >= first_z + n_z)) moved.row(r) -= residual_.value[e] * y.row(c);
  }
  for (Index k = 0; k < y.cols(); ++k) y.col(k).segment(first_z, n_z) = solve(moved.col(k));
  return y;
}

// ∇²row[y_i, y_j] of rows first … first + count, algebraics as columns of their own. [count × pairs]
bool ReducedModel::bend(Part part, std::size_t first, std::size_t count, const Eigen::MatrixXd& y,
                        const std::vector<Pair>& pairs, Eigen::MatrixXd& out) {
  using Eigen::Index;
  using nonlinear::RowHessians;
  bool of_rates = part == Part::rates;
  RowHessians& rows = of_rates ? rate_rows_ : residual_rows_;
  if (!rows.available()) rows = RowHessians(problem(), of_rates ? model().rates : model().residuals);
  if (!rows.available()) return false;
  out.resize(static_cast<Index>(count), static_cast<Index>(pairs.size()));
  const bolza_function& f = rows.function();
  for (std::size_t done = 0; done < count; done += RowHessians::most) {
    std::size_t batch = std::min(count - done, RowHessians::most);
    if (rows.run(model(), point(), at_.shared.data(), first + done, batch) != 0) {
      std::vector<double> all(first + count, 1.0);
      at_.hessian(part, point(), all, second_);  // which tells what is wrong
      return false;
    }
    for (std::size_t r = 0; r < batch; ++r) {
      Eigen::MatrixXd change = Eigen::MatrixXd::Zero(y.rows(), y.cols());
      for (std::size_t e = 0; e < f.hess_nnz; ++e) {
        double v = rows.entry(e, r);
        if (v == 0) continue;
        change.row(f.hess_row[e]) += v * y.row(f.hess_col[e]);
        if (f.hess_row[e] != f.hess_col[e]) change.row(f.hess_col[e]) += v * y.row(f.hess_row[e]);
      }
      for (std::size_t k = 0; k < pairs.size(); ++k)
        out(static_cast<Index>(done + r), static_cast<Index>(k)) = y.col(pairs[k].first).dot(change.col(pairs[k].second));
    }
  }
  return out.allFinite();
}

// z moves in second order by −h_z⁻¹ ∇²h[(c, z)_i, (c, z)_j].
bool ReducedModel::second_along(const Eigen::MatrixXd& direction, const std::vector<Pair>& pairs, std::size_t first,
                                std::size_t count, Eigen::MatrixXd& out) {
  using Eigen::Index;
  std::size_t n_z = model().n_z;
  Index n_pairs = static_cast<Index>(pairs.size());
  if (n_z && !factorise()) return false;
  const Eigen::MatrixXd y = with_algebraics(direction);
  Eigen::MatrixXd z;
  if (!bend(Part::rates, first, count, y, pairs, out)) return false;
  if (!n_z) return true;
  if (!bend(Part::residuals, 0, n_z, y, pairs, z)) return false;
  for (Index k = 0; k < n_pairs; ++k) z.col(k) = -solve(z.col(k));
  if (!at_.jacobian(Part::rates, point(), {}, derivative_)) return false;
  for (std::size_t e = 0; e < derivative_.value.size(); ++e) {
    std::ptrdiff_t c = column_of(static_cast<std::size_t>(derivative_.col[e]));
    std::size_t row = static_cast<std::size_t>(derivative_.row[e]) - first;
    if (c < 0 && row < count) out.row(static_cast<Index>(row)) += derivative_.value[e] * z.row(-c - 1);
  }
  return out.allFinite();
}

// With L = weight' row + z_weight' z − μ' h, μ from L_z = 0, g = L_c for a column c; along a direction z' = −h_z⁻¹ h_c c',
// μ' from d(L_z) = 0, and dg = L_c· (c', z') + row_c' weight' − h_c' μ'.
bool ReducedModel::second_adjoint(Part part, std::span<const double> weight, std::span<const double> z_weight,
                                  const Eigen::MatrixXd& weight_dot, const Eigen::MatrixXd& direction,
                                  Eigen::MatrixXd& out) {
  using Eigen::Index;
  const bolza_model& m = model();
  Index n_z = static_cast<Index>(m.n_z), first_z = 1 + static_cast<Index>(m.n_x), m_d = direction.cols(),
        behind = static_cast<Index>(columns()) - first_z;
  if (n_z && !factorise()) return false;
  const Eigen::MatrixXd y = with_algebraics(direction);
  Eigen::MatrixXd change = Eigen::MatrixXd::Zero(y.rows(), m_d);
  auto each_residual = [&](auto&& take) {  // entries of h
    for (std::size_t e = 0; e < residual_.value.size(); ++e)
      if (residual_.row[e] < static_cast<std::int32_t>(n_z)) take(residual_.row[e], residual_.col[e], residual_.value[e]);
  };
  std::vector<double> minus_mu(m.n_z);
  if (n_z) {
    std::fill(by_y_.begin(), by_y_.end(), 0.0);
    if (!weight.empty() && !at_.vjp(part, point(), weight, by_y_)) return false;
    Eigen::VectorXd by_z = Eigen::Map<const Eigen::VectorXd>(by_y_.data() + first_z, n_z);
    for (std::size_t i = 0; i < z_weight.size(); ++i) by_z[static_cast<Index>(i)] += z_weight[i];
    Eigen::Map<Eigen::VectorXd>(minus_mu.data(), n_z) = -solve_transposed(by_z);
  }
  auto add_curvature = [&](Part of, std::span<const double> weights) {
    if (!at_.hessian(of, point(), weights, second_)) return false;
    for (std::size_t e = 0; e < second_.value.size(); ++e) {
      Index r = second_.row[e], c = second_.col[e];
      change.row(r) += second_.value[e] * y.row(c);
      if (r != c) change.row(c) += second_.value[e] * y.row(r);
    }
    return true;
  };
  if (!weight.empty() && !add_curvature(part, weight)) return false;
  if (weight_dot.size()) {
    if (!at_.jacobian(part, point(), {}, derivative_)) return false;
    for (std::size_t e = 0; e < derivative_.value.size(); ++e)
      if (derivative_.row[e] < weight_dot.rows() && derivative_.col[e] < change.rows())
        change.row(derivative_.col[e]) += derivative_.value[e] * weight_dot.row(derivative_.row[e]);
  }
  if (n_z) {
    if (!add_curvature(Part::residuals, minus_mu)) return false;
    Eigen::MatrixXd mu_dot(n_z, m_d);
    for (Index k = 0; k < m_d; ++k) mu_dot.col(k) = solve_transposed(change.col(k).segment(first_z, n_z));
    if (!mu_dot.allFinite()) return false;
    each_residual([&](Index r, Index c, double v) { change.row(c) -= v * mu_dot.row(r); });
  }
  out.topRows(first_z) += change.topRows(first_z);
  out.bottomRows(behind) += change.bottomRows(behind);
  return true;
}

}  // namespace bolza::integrate
