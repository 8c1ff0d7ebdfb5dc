// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/steps/stage_factors.h"

#include <Eigen/Eigenvalues>
#include <cmath>

#include "runtime/linalg/dense_decompositions.h"

namespace bolza::integrate {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;

}  // namespace

StageFactors::StageFactors(std::size_t stages, std::span<const double> a, std::size_t n_x, std::size_t n)
    : n_x_(static_cast<Index>(n_x)),
      n_(static_cast<Index>(n)) {
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Index s = static_cast<Index>(stages);
  Matrix A = Eigen::Map<const Rows>(a.data(), s, s);
  linalg::Eigenvectors eigen = linalg::eigenvectors(linalg::inverse(A));
  T_.resize(s, s);
  std::size_t column = 0;
  // A⁻¹ (v' + i v'') = (α + iβ)(v' + i v''): columns v', −v'' give the block [α −β; β α].
  for (Index k = 0; k < s; ++k) {
    Complex value = eigen.values[k];
    Index c = static_cast<Index>(column);
    if (std::fabs(value.imag()) < 1e-12 * std::abs(value)) {
      T_.col(c) = eigen.vectors.col(k).real();
      real_.push_back({value.real(), column, {}});
      column += 1;
    } else if (value.imag() > 0) {
      T_.col(c) = eigen.vectors.col(k).real();
      T_.col(c + 1) = -eigen.vectors.col(k).imag();
      pairs_.push_back({value, column, {}});
      column += 2;
    }
  }
  T_inverse_ = linalg::inverse(T_);
}

template <class Scalar>
bool StageFactors::factorise(System<Scalar>& system, const Sparse& J) {
  Eigen::SparseMatrix<Scalar> diagonal(n_, n_);
  diagonal.reserve(n_x_);
  for (Index k = 0; k < n_; ++k) {
    diagonal.startVec(k);
    if (k < n_x_) diagonal.insertBack(k, k) = system.eigenvalue / h_;
  }
  diagonal.finalize();
  return system.factors.compute(diagonal - J.cast<Scalar>());
}

bool StageFactors::factorise(const Sparse& J, double h) {
  h_ = h;
  factorised_ = true;
  for (auto& system : real_) factorised_ = factorised_ && factorise(system, J);
  for (auto& system : pairs_) factorised_ = factorised_ && factorise(system, J);
  return factorised_;
}

void StageFactors::solve(const Matrix& W, Matrix& F) const {
  for (const auto& system : real_) {
    Index r = static_cast<Index>(system.first);
    Eigen::VectorXd rhs = F.row(r).transpose();
    rhs.head(n_x_) -= system.eigenvalue / h_ * W.row(r).head(n_x_).transpose();
    F.row(r) = system.factors.solve(rhs).transpose();
  }
  for (const auto& system : pairs_) {
    Index r = static_cast<Index>(system.first);
    Eigen::VectorXcd rhs(n_);
    rhs.real() = F.row(r).transpose();
    rhs.imag() = F.row(r + 1).transpose();
    for (Index k = 0; k < n_x_; ++k) rhs[k] -= system.eigenvalue / h_ * Complex(W(r, k), W(r + 1, k));
    Eigen::VectorXcd change = system.factors.solve(rhs);
    F.row(r) = change.real().transpose();
    F.row(r + 1) = change.imag().transpose();
  }
}

// With P = μ/h M − J the matrix is diag(1, −1) P diag(h/μ, 1).
template <class Scalar>
void StageFactors::solve_rates(const System<Scalar>& system, typename linalg::Factors<Scalar>::Dense& rows,
                               bool transposed) const {
  auto scale = [&] { rows.topRows(n_x_) *= system.eigenvalue / h_; };
  auto turn = [&] { rows.bottomRows(n_ - n_x_) *= Scalar(-1); };
  if (transposed) scale();
  else turn();
  rows = system.factors.solve(rows, transposed);
  if (transposed) turn();
  else scale();
}

void StageFactors::solve_rates(std::vector<Matrix>& rows, bool transposed) const {
  for (const auto& system : real_) solve_rates(system, rows[system.first], transposed);
  for (const auto& system : pairs_) {
    // [α −β; β α] acts on (u, v) as α + iβ on u + iv; its transpose as α − iβ, which is α + iβ on u − iv.
    Matrix &u = rows[system.first], &v = rows[system.first + 1];
    double sign = transposed ? -1 : 1;
    Eigen::MatrixXcd both(n_, u.cols());
    both.real() = u;
    both.imag() = sign * v;
    solve_rates(system, both, transposed);
    u = both.real();
    v = sign * both.imag();
  }
}

}  // namespace bolza::integrate
