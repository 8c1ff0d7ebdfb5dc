// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/steps/stage_jacobian.h"

#include <cmath>

#include "runtime/integrate/index.h"

namespace bolza::integrate {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;

namespace {

constexpr double slowest_contraction = 0.3;  ///< contraction of an iteration that goes on with its factors
constexpr double settled = 1e-15;            ///< of a correction, relative to what it corrects
constexpr int most_krylov_iterations = 40;
constexpr Index most_dense = 24;  ///< unknowns of a step up to which dense factors of S itself cost less than any iteration

}  // namespace

StageJacobian::StageJacobian(std::size_t stages, const std::vector<double>& a, std::size_t n_x, std::size_t n_z)
    : s_(at(stages)),
      nx_(at(n_x)),
      nz_(at(n_z)),
      n_(at(n_x + n_z)),
      own_(std::make_shared<StageFactors>(stages, a, n_x, n_x + n_z)),
      factors_(own_) {
  A_ = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(a.data(), s_, s_);
}

bool StageJacobian::set(std::vector<Sparse> parts, double h) {
  parts_ = std::move(parts);
  h_ = h;
  fresh_ = whole_ = false;
  double sum = 0;
  for (const Sparse& part : parts_) sum += 0.0 * part.sum();
  return std::isfinite(sum);
}

bool StageJacobian::factorise() {
  Sparse mean = parts_[0];
  for (std::size_t i = 1; i < parts_.size(); ++i) mean = Sparse(mean + parts_[i]);
  mean /= static_cast<double>(s_);
  ++factorisations_;
  factors_ = own_;
  fresh_ = true;
  return own_->factorise(mean, h_);
}

/// Entries of S by row and column, those of one place to be added up: what the parts say, the identity of K apart.
template <class Put>
void StageJacobian::put_parts(const Put& put) const {
  Index offset = s_ * nx_;
  for (Index i = 0; i < s_; ++i) {
    const Sparse& J = parts_[static_cast<std::size_t>(i)];
    for (Index c = 0; c < n_; ++c)
      for (Sparse::InnerIterator e(J, c); e; ++e) {
        bool of_f = e.row() < nx_;
        Index row = of_f ? i * nx_ + e.row() : offset + i * nz_ + e.row() - nx_;
        double v = of_f ? -e.value() : e.value();
        for (Index j = 0; c < nx_ && j < s_; ++j) put(row, j * nx_ + c, h_ * A_(i, j) * v);
        if (c >= nx_) put(row, offset + i * nz_ + c - nx_, v);
      }
  }
}

bool StageJacobian::factorise_whole() {
  std::vector<Eigen::Triplet<double>> entries;
  auto put = [&](Index r, Index c, double v) { entries.emplace_back(static_cast<int>(r), static_cast<int>(c), v); };
  put_parts(put);
  for (Index k = 0; k < s_ * nx_; ++k) put(k, k, 1);
  Sparse S(s_ * n_, s_ * n_);
  S.setFromTriplets(entries.begin(), entries.end());
  ++factorisations_;
  return whole_ = all_.compute(S);
}

/// Small systems: S itself, dense, for each step.
void StageJacobian::factorise_dense() {
  dense_.setIdentity(s_ * n_, s_ * n_);
  dense_.bottomRightCorner(s_ * nz_, s_ * nz_).setZero();
  put_parts([this](Index r, Index c, double v) { dense_(r, c) += v; });
  ++factorisations_;
  dense_factors_.compute(dense_);
  whole_ = true;
}

/// Σ_j a_ij of the parts by K, stage by stage, and each stage's own by Z.
Matrix StageJacobian::product(const Matrix& X, bool transposed) const {
  Index offset = s_ * nx_, m = X.cols();
  Matrix out(X.rows(), m), by_x = Matrix::Zero(s_ * nx_, m);
  for (Index i = 0; !transposed && i < s_; ++i)  // how the stages move
    for (Index j = 0; j < s_; ++j) by_x.middleRows(i * nx_, nx_) += h_ * A_(i, j) * X.middleRows(j * nx_, nx_);
  for (Index i = 0; i < s_; ++i) {
    const Sparse& J = parts_[static_cast<std::size_t>(i)];
    auto k = X.middleRows(i * nx_, nx_);
    auto z = X.middleRows(offset + i * nz_, nz_);
    Matrix own(n_, m);
    if (transposed) {
      own << -k, z;
      Matrix by = J.transpose() * own;
      by_x.middleRows(i * nx_, nx_) = by.topRows(nx_);
      out.middleRows(offset + i * nz_, nz_) = by.bottomRows(nz_);
    } else {
      own << by_x.middleRows(i * nx_, nx_), z;
      Matrix moved = J * own;
      out.middleRows(i * nx_, nx_) = k - moved.topRows(nx_);
      out.middleRows(offset + i * nz_, nz_) = moved.bottomRows(nz_);
    }
  }
  for (Index j = 0; transposed && j < s_; ++j) {
    auto k = out.middleRows(j * nx_, nx_);
    k = X.middleRows(j * nx_, nx_);
    for (Index i = 0; i < s_; ++i) k += h_ * A_(i, j) * by_x.middleRows(i * nx_, nx_);
  }
  return out;
}

/// (T⊗I) diag(systems)⁻¹ (T⁻¹⊗I), or its transpose.
Matrix StageJacobian::precondition(const Matrix& R, bool transposed) const {
  const Matrix &T = factors_->transform(), &T_inverse = factors_->inverse();
  Index offset = s_ * nx_, m = R.cols();
  std::vector<Matrix> rows(static_cast<std::size_t>(s_), Matrix::Zero(n_, m));
  for (Index i = 0; i < s_; ++i)
    for (Index j = 0; j < s_; ++j) {
      Matrix& row = rows[static_cast<std::size_t>(i)];
      double by = transposed ? T(j, i) : T_inverse(i, j);
      row.topRows(nx_) += by * R.middleRows(j * nx_, nx_);
      row.bottomRows(nz_) += by * R.middleRows(offset + j * nz_, nz_);
    }
  factors_->solve_rates(rows, transposed);
  Matrix out = Matrix::Zero(R.rows(), m);
  for (Index i = 0; i < s_; ++i)
    for (Index j = 0; j < s_; ++j) {
      const Matrix& row = rows[static_cast<std::size_t>(j)];
      double by = transposed ? T_inverse(j, i) : T(i, j);
      out.middleRows(i * nx_, nx_) += by * row.topRows(nx_);
      out.middleRows(offset + i * nz_, nz_) += by * row.bottomRows(nz_);
    }
  return out;
}

/// Nothing when the corrections do not shrink quickly.
std::optional<Matrix> StageJacobian::iterate(const Matrix& R, bool transposed) const {
  Matrix X = precondition(R, transposed);
  double before = INFINITY;
  auto size_of = [&](const Matrix& change, Index first, Index rows) {
    double of = rows ? X.middleRows(first, rows).cwiseAbs().maxCoeff() : 0;
    return of > 0 ? change.middleRows(first, rows).cwiseAbs().maxCoeff() / of : 0;
  };
  if (X.size() == 0) return X;
  for (int iteration = 0, more = 2; iteration < most_krylov_iterations; ++iteration) {
    if (!X.allFinite()) return {};
    Matrix change = precondition(R - product(X, transposed), transposed);
    X += change;
    double size = std::max(size_of(change, 0, s_ * nx_), size_of(change, s_ * nx_, s_ * nz_));
    bool is_rounding = size <= settled || (size < 1e-12 && size > slowest_contraction * before);
    if (is_rounding && --more == 0) return X;
    if (!is_rounding && !(size <= slowest_contraction * before)) return {};
    before = size;
  }
  return {};
}

std::optional<Matrix> StageJacobian::solve(const Matrix& R, bool transposed) {
  if (s_ * n_ <= most_dense) {
    if (!whole_) factorise_dense();
    Matrix X(R.rows(), R.cols());
    if (transposed) X = dense_factors_.transpose().solve(R);
    else X = dense_factors_.solve(R);
    if (!X.allFinite()) return {};
    return X;
  }
  if (!whole_) {
    if (factors_->are_factorised())
      if (std::optional<Matrix> found = iterate(R, transposed)) return found;
    if (!fresh_ && factorise())
      if (std::optional<Matrix> found = iterate(R, transposed)) return found;
    if (!factorise_whole()) return {};
  }
  Matrix X = all_.solve(R, transposed);
  if (!X.allFinite()) return {};
  return X;
}

}  // namespace bolza::integrate
