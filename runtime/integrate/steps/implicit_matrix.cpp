// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/steps/implicit_matrix.h"

#include <cmath>
#include <vector>

namespace bolza::integrate {

using Eigen::Index;
using Eigen::MatrixXd;

bool ImplicitMatrix::compute(RateJacobian J, RateJacobian::Sparse S_dot, double w1, double w2) {
  J_ = std::move(J);
  S_dot_ = std::move(S_dot);
  w1_ = w1;
  w2_ = w2;
  s_ = std::sqrt(std::fabs(w2));
  Index nx = J_.n_x, half = nx + J_.n_z, size = w2 == 0 ? half : 2 * half, rows = J_.n();
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(static_cast<std::size_t>((w2 == 0 ? 1 : 4) * J_.S.nonZeros() + S_dot_.nonZeros() + size));
  auto each = [&](const RateJacobian::Sparse& of, auto&& take) {  // entries by x and z: (equation, unknown, value, of h?)
    for (Index c = 0; c < half; ++c)
      for (RateJacobian::Sparse::InnerIterator e(of, 1 + c); e; ++e)
        if (e.row() < nx) take(static_cast<int>(e.row()), static_cast<int>(c), e.value(), false);
        else if (e.row() >= rows) take(static_cast<int>(e.row() - rows + nx), static_cast<int>(c), e.value(), true);
  };
  int behind = static_cast<int>(half);
  each(J_.S, [&](int r, int c, double v, bool of_h) {
    entries.emplace_back(r, c, of_h ? v : -w1 * v);
    if (w2 == 0) return;
    if (of_h) {
      entries.emplace_back(behind + r, behind + c, v);
      return void();
    }
    entries.emplace_back(r, behind + c, -(w2 / s_) * v);
    entries.emplace_back(behind + r, c, -s_ * v);
  });
  if (w2 != 0 && S_dot_.size() > 0)
    each(S_dot_, [&](int r, int c, double v, bool of_h) {
      if (of_h) entries.emplace_back(behind + r, c, s_ * v);
      else entries.emplace_back(r, c, -w2 * v);
    });
  for (int k = 0; k < static_cast<int>(nx); ++k) {
    entries.emplace_back(k, k, 1);
    if (w2 != 0) entries.emplace_back(behind + k, behind + k, 1);
  }
  RateJacobian::Sparse matrix(size, size);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return factors_.compute(matrix);
}

/// (x, v) of the equations with these right-hand sides; v is not looked at without w₂.
MatrixXd ImplicitMatrix::solve(const MatrixXd& x, const MatrixXd& v, bool transposed) const {
  Index nx = J_.n_x, half = nx + J_.n_z;
  if (w2_ == 0 && half == nx) return factors_.solve(x, transposed);
  MatrixXd all = MatrixXd::Zero(w2_ == 0 ? half : 2 * half, x.cols());
  all.topRows(nx) = x;
  if (w2_ != 0 && v.size()) all.middleRows(half, nx) = v;
  all = factors_.solve(all, transposed);
  if (w2_ == 0) return all.topRows(nx);
  MatrixXd out(2 * nx, x.cols());
  out << all.topRows(nx), all.middleRows(half, nx);
  return out;
}

MatrixXd ImplicitMatrix::G_times(const MatrixXd& c) const {
  return S_dot_.size() ? J_.curved_times(S_dot_, c) : MatrixXd::Zero(J_.n(), c.cols());
}

MatrixXd ImplicitMatrix::G_transposed_times(const MatrixXd& psi) const {
  return S_dot_.size() ? J_.curved_transposed_times(S_dot_, psi) : MatrixXd::Zero(J_.columns(), psi.cols());
}

MatrixXd ImplicitMatrix::solve(const MatrixXd& b) const { return solve(b, {}, false).topRows(J_.n_x); }

void ImplicitMatrix::tangent(const MatrixXd& held, MatrixXd& out) const {
  Index n = J_.n_x, integrals = J_.n() - n;
  MatrixXd moved = J_.times(held);
  out += w1_ * moved;
  if (w2_ != 0) out += w2_ * G_times(held);
  MatrixXd both = solve(out.topRows(n), s_ * moved.topRows(n), false);
  out.topRows(n) = both.topRows(n);
  if (integrals == 0) return;
  MatrixXd x = J_.of_states(both.topRows(n));
  out.bottomRows(integrals) += w1_ * J_.times(x).bottomRows(integrals);
  if (w2_ == 0) return;
  out.bottomRows(integrals) +=
      w2_ * G_times(x).bottomRows(integrals) + (w2_ / s_) * J_.times(J_.of_states(both.bottomRows(n))).bottomRows(integrals);
}

void ImplicitMatrix::adjoint(MatrixXd& psi, MatrixXd& back) const {
  Index n = J_.n_x, integrals = J_.n() - n;
  MatrixXd b = psi.topRows(n), v = MatrixXd::Zero(w2_ == 0 ? 0 : n, psi.cols());
  if (integrals > 0) {
    MatrixXd of_integrals = psi;
    of_integrals.topRows(n).setZero();
    MatrixXd by = J_.transposed_times(of_integrals).middleRows(1, n);
    b += w1_ * by;
    if (w2_ != 0) {
      b += w2_ * G_transposed_times(of_integrals).middleRows(1, n);
      v = (w2_ / s_) * by;
    }
  }
  MatrixXd both = solve(b, v, true);
  psi.topRows(n) = both.topRows(n);
  if (w2_ == 0) back = J_.transposed_times(psi).middleRows(1, n);
  else back = (s_ / w2_) * both.bottomRows(n);
}

MatrixXd ImplicitMatrix::transposed_times(const MatrixXd& psi, const MatrixXd& back) const {
  MatrixXd out = w1_ * J_.transposed_times(psi);
  if (w2_ == 0) return out;
  MatrixXd of_states = MatrixXd::Zero(psi.rows(), psi.cols());
  of_states.topRows(J_.n_x) = back;
  return out + w2_ * (G_transposed_times(psi) + J_.transposed_times(of_states));
}

}  // namespace bolza::integrate
