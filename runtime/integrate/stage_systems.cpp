#include "runtime/integrate/stage_systems.h"

#include <Eigen/Eigenvalues>
#include <cmath>

namespace bolza::integrate {
namespace {

using Complex = std::complex<double>;
constexpr std::size_t dense_limit = 60;

}  // namespace

StageSystems::StageSystems(std::size_t stages, std::span<const double> a, std::size_t n_x, std::size_t n)
    : n_x_(n_x),
      n_(n) {
  Eigen::Index s = static_cast<Eigen::Index>(stages);
  Eigen::MatrixXd A(s, s);
  for (Eigen::Index i = 0; i < s; ++i)
    for (Eigen::Index j = 0; j < s; ++j) A(i, j) = a[static_cast<std::size_t>(i * s + j)];
  Eigen::EigenSolver<Eigen::MatrixXd> eigen(A.inverse());
  T_.resize(s, s);
  std::size_t column = 0;
  // A⁻¹ (v' + i v'') = (α + iβ)(v' + i v''): columns v', −v'' give the block [α −β; β α].
  for (Eigen::Index k = 0; k < s; ++k) {
    Complex value = eigen.eigenvalues()[k];
    Eigen::Index c = static_cast<Eigen::Index>(column);
    if (std::fabs(value.imag()) < 1e-12 * std::abs(value)) {
      T_.col(c) = eigen.eigenvectors().col(k).real();
      real_.push_back({value.real(), column, {}, nullptr});
      column += 1;
    } else if (value.imag() > 0) {
      T_.col(c) = eigen.eigenvectors().col(k).real();
      T_.col(c + 1) = -eigen.eigenvectors().col(k).imag();
      pairs_.push_back({value, column, {}, nullptr});
      column += 2;
    }
  }
  T_inverse_ = T_.inverse();
}

template <class Scalar>
bool StageSystems::factorise(Factor<Scalar>& factor, double h) {
  Eigen::Index n = static_cast<Eigen::Index>(n_);
  Scalar diagonal = factor.eigenvalue / h;
  if (n_ <= dense_limit) {
    Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic> matrix =
        Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>::Zero(n, n);
    for (const auto& e : entries_) matrix(e.row, e.col) -= e.value;
    for (std::size_t i = 0; i < n_x_; ++i) matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(i)) += diagonal;
    factor.dense.compute(matrix);
    auto pivots = factor.dense.matrixLU().diagonal().cwiseAbs();
    return n == 0 || (pivots.minCoeff() > 0 && std::isfinite(pivots.maxCoeff()));
  }
  std::vector<Eigen::Triplet<Scalar>> triplets;
  for (const auto& e : entries_) triplets.emplace_back(e.row, e.col, Scalar(-e.value));
  for (std::size_t i = 0; i < n_x_; ++i) triplets.emplace_back(static_cast<int>(i), static_cast<int>(i), diagonal);
  Eigen::SparseMatrix<Scalar> matrix(n, n);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  if (!factor.sparse) {
    factor.sparse = std::make_unique<Eigen::SparseLU<Eigen::SparseMatrix<Scalar>>>();
    factor.sparse->analyzePattern(matrix);
  }
  factor.sparse->factorize(matrix);
  return factor.sparse->info() == Eigen::Success;
}

bool StageSystems::factorise(double h) {
  h_ = h;
  for (auto& factor : real_)
    if (!factorise(factor, h)) return false;
  for (auto& factor : pairs_)
    if (!factorise(factor, h)) return false;
  return true;
}

void StageSystems::solve(const Eigen::MatrixXd& W, Eigen::MatrixXd& F) const {
  Eigen::Index nx = static_cast<Eigen::Index>(n_x_), n = static_cast<Eigen::Index>(n_);
  for (const auto& factor : real_) {
    Eigen::Index r = static_cast<Eigen::Index>(factor.first);
    Eigen::VectorXd rhs = F.row(r).transpose();
    rhs.head(nx) -= factor.eigenvalue / h_ * W.row(r).head(nx).transpose();
    F.row(r) = factor.solve(rhs).transpose();
  }
  for (const auto& factor : pairs_) {
    Eigen::Index r = static_cast<Eigen::Index>(factor.first);
    Eigen::VectorXcd rhs(n);
    rhs.real() = F.row(r).transpose(), rhs.imag() = F.row(r + 1).transpose();
    for (Eigen::Index k = 0; k < nx; ++k) rhs[k] -= factor.eigenvalue / h_ * Complex(W(r, k), W(r + 1, k));
    Eigen::VectorXcd change = factor.solve(rhs);
    F.row(r) = change.real().transpose(), F.row(r + 1) = change.imag().transpose();
  }
}

}  // namespace bolza::integrate
