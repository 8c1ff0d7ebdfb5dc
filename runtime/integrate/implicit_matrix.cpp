#include "runtime/integrate/implicit_matrix.h"

#include <cmath>

namespace bolza::integrate {

using Eigen::Index;
using Eigen::MatrixXd;

void ImplicitMatrix::compute(const MatrixXd& J, const MatrixXd& G, double w1, double w2, Index n) {
  J_ = J, G_ = G, w1_ = w1, w2_ = w2, s_ = std::sqrt(std::fabs(w2)), n_x_ = n;
  MatrixXd slow = MatrixXd::Identity(n, n) - w1 * J.block(0, 1, n, n);
  if (w2 == 0) return lu_.compute(slow), void();
  MatrixXd both(2 * n, 2 * n);
  both << slow - w2 * G.block(0, 1, n, n), -(w2 / s_) * J.block(0, 1, n, n), -s_ * J.block(0, 1, n, n),
      MatrixXd::Identity(n, n);
  lu_.compute(both);
}

MatrixXd ImplicitMatrix::solve(const MatrixXd& b) const {
  if (w2_ == 0) return lu_.solve(b);
  MatrixXd both = MatrixXd::Zero(2 * n_x_, b.cols());
  both.topRows(n_x_) = b;
  return lu_.solve(both).topRows(n_x_);
}

void ImplicitMatrix::tangent(const MatrixXd& held, MatrixXd& out) const {
  Index n = n_x_, integrals = J_.rows() - n;
  MatrixXd moved = J_ * held;
  out += w1_ * moved;
  if (w2_ == 0) {
    out.topRows(n) = lu_.solve(out.topRows(n)).eval();
    out.bottomRows(integrals) += w1_ * J_.block(n, 1, integrals, n) * out.topRows(n);
    return;
  }
  out += w2_ * (G_ * held);
  MatrixXd both(2 * n, out.cols());
  both << out.topRows(n), s_ * moved.topRows(n);
  both = lu_.solve(both).eval();
  out.topRows(n) = both.topRows(n);
  out.bottomRows(integrals) += (w1_ * J_.block(n, 1, integrals, n) + w2_ * G_.block(n, 1, integrals, n)) * both.topRows(n) +
                               (w2_ / s_) * (J_.block(n, 1, integrals, n) * both.bottomRows(n));
}

void ImplicitMatrix::adjoint(MatrixXd& psi, MatrixXd& back) const {
  Index n = n_x_, integrals = J_.rows() - n;
  MatrixXd by_integrals = J_.block(n, 1, integrals, n).transpose() * psi.bottomRows(integrals);
  MatrixXd b = psi.topRows(n) + w1_ * by_integrals, x;
  if (w2_ == 0) {
    x = lu_.transpose().solve(b);
    psi.topRows(n) = x;
    back = J_.middleCols(1, n).transpose() * psi;
    return;
  }
  MatrixXd both(2 * n, psi.cols());
  both << b + w2_ * (G_.block(n, 1, integrals, n).transpose() * psi.bottomRows(integrals)), (w2_ / s_) * by_integrals;
  x = lu_.transpose().solve(both);
  psi.topRows(n) = x.topRows(n);
  back = (s_ / w2_) * x.bottomRows(n);
}

MatrixXd ImplicitMatrix::transposed_times(const MatrixXd& psi, const MatrixXd& back) const {
  MatrixXd out = w1_ * (J_.transpose() * psi);
  if (w2_ != 0) out += w2_ * (G_.transpose() * psi + J_.topRows(n_x_).transpose() * back);
  return out;
}

}  // namespace bolza::integrate
