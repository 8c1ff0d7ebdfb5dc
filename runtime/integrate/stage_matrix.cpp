#include "runtime/integrate/stage_matrix.h"

#include <Eigen/Eigenvalues>
#include <cmath>

namespace bolza::integrate {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Complex = std::complex<double>;

namespace {

constexpr Index dense_limit = 60;
constexpr double slowest = 0.3;    ///< contraction of an iteration that goes on with its factors
constexpr double settled = 1e-15;  ///< of a correction, relative to what it corrects
constexpr int most_iterations = 40;

Index at(std::size_t k) { return static_cast<Index>(k); }

template <class Scalar>
bool lu(const Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>& matrix,
        Eigen::PartialPivLU<Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>>& dense,
        std::shared_ptr<Eigen::SparseLU<Eigen::SparseMatrix<Scalar>>>& sparse, Index limit) {
  if (matrix.rows() <= limit) {
    dense.compute(matrix);
    auto pivots = dense.matrixLU().diagonal().cwiseAbs();
    return matrix.rows() == 0 || (pivots.minCoeff() > 0 && std::isfinite(pivots.maxCoeff()));
  }
  Eigen::SparseMatrix<Scalar> entries = matrix.sparseView();
  entries.makeCompressed();
  if (!sparse) sparse = std::make_shared<Eigen::SparseLU<Eigen::SparseMatrix<Scalar>>>();
  sparse->compute(entries);  // what is zero at one step need not be at the next
  return sparse->info() == Eigen::Success;
}

}  // namespace

StageMatrix::StageMatrix(std::size_t stages, const std::vector<double>& a, std::size_t n_x, std::size_t n_z)
    : s_(at(stages)),
      nx_(at(n_x)),
      nz_(at(n_z)),
      n_(at(n_x + n_z)) {
  A_ = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(a.data(), s_, s_);
  Eigen::EigenSolver<Matrix> eigen(A_);
  T_.resize(s_, s_);
  Index column = 0;
  // A (v' + i v'') = (α + iβ)(v' + i v''): columns v', −v'' give the block [α −β; β α].
  for (Index k = 0; k < s_; ++k) {
    Complex value = eigen.eigenvalues()[k];
    if (std::fabs(value.imag()) < 1e-12 * std::abs(value)) {
      T_.col(column) = eigen.eigenvectors().col(k).real();
      real_.push_back({value.real(), column++, {}, nullptr});
    } else if (value.imag() > 0) {
      T_.col(column) = eigen.eigenvectors().col(k).real();
      T_.col(column + 1) = -eigen.eigenvectors().col(k).imag();
      pairs_.push_back({value, column, {}, nullptr});
      column += 2;
    }
  }
  T_inverse_ = T_.inverse();
}

bool StageMatrix::set(std::vector<Matrix> parts, double h) {
  parts_ = std::move(parts), h_ = h, fresh_ = whole_ = false;
  for (const Matrix& part : parts_)
    if (!part.allFinite()) return false;
  return true;
}

template <class Scalar>
bool StageMatrix::Factor<Scalar>::compute(const Matrix& J, Index n_x, double h) {
  Dense matrix = J.cast<Scalar>();
  matrix.leftCols(n_x) *= h * alpha;
  matrix.topRows(n_x) *= Scalar(-1);
  for (Index k = 0; k < n_x; ++k) matrix(k, k) += Scalar(1);
  return lu(matrix, dense, sparse, dense_limit);
}

template <class Scalar>
typename StageMatrix::Factor<Scalar>::Dense StageMatrix::Factor<Scalar>::solve(const Dense& R, bool transposed) const {
  if (sparse) return transposed ? Dense(sparse->transpose().solve(R)) : Dense(sparse->solve(R));
  return transposed ? Dense(dense.transpose().solve(R)) : Dense(dense.solve(R));
}

bool StageMatrix::factorise() {
  Matrix mean = Matrix::Zero(n_, n_);
  for (const Matrix& part : parts_) mean += part / static_cast<double>(s_);
  ++factorisations_;
  factorised_ = true, fresh_ = true;
  for (auto& factor : real_) factorised_ = factorised_ && factor.compute(mean, nx_, h_);
  for (auto& factor : pairs_) factorised_ = factorised_ && factor.compute(mean, nx_, h_);
  return factorised_;
}

bool StageMatrix::factorise_whole() {
  Matrix S = Matrix::Zero(s_ * n_, s_ * n_);
  Index offset = s_ * nx_;
  for (Index i = 0; i < s_; ++i) {
    const Matrix& J = parts_[static_cast<std::size_t>(i)];
    for (Index j = 0; j < s_; ++j) {
      S.block(i * nx_, j * nx_, nx_, nx_) = -h_ * A_(i, j) * J.topLeftCorner(nx_, nx_);
      S.block(offset + i * nz_, j * nx_, nz_, nx_) = h_ * A_(i, j) * J.bottomLeftCorner(nz_, nx_);
    }
    S.block(i * nx_, i * nx_, nx_, nx_) += Matrix::Identity(nx_, nx_);
    S.block(i * nx_, offset + i * nz_, nx_, nz_) = -J.topRightCorner(nx_, nz_);
    S.block(offset + i * nz_, offset + i * nz_, nz_, nz_) = J.bottomRightCorner(nz_, nz_);
  }
  ++factorisations_;
  return whole_ = lu(S, all_.dense, all_.sparse, 3 * dense_limit);
}

/// K = Σ_j by_ij K_j, and the same for Z.
Matrix StageMatrix::mix(const Matrix& by, const Matrix& R) const {
  Matrix out = Matrix::Zero(R.rows(), R.cols());
  Index offset = s_ * nx_;
  for (Index i = 0; i < s_; ++i)
    for (Index j = 0; j < s_; ++j) {
      out.middleRows(i * nx_, nx_) += by(i, j) * R.middleRows(j * nx_, nx_);
      out.middleRows(offset + i * nz_, nz_) += by(i, j) * R.middleRows(offset + j * nz_, nz_);
    }
  return out;
}

Matrix StageMatrix::product(const Matrix& X, bool transposed) const {
  Index offset = s_ * nx_;
  Matrix out(X.rows(), X.cols()), by_x(s_ * nx_, X.cols());
  if (!transposed) {
    by_x.setZero();  // how the stages move
    for (Index i = 0; i < s_; ++i)
      for (Index j = 0; j < s_; ++j) by_x.middleRows(i * nx_, nx_) += h_ * A_(i, j) * X.middleRows(j * nx_, nx_);
  }
  for (Index i = 0; i < s_; ++i) {
    const Matrix& J = parts_[static_cast<std::size_t>(i)];
    auto k = X.middleRows(i * nx_, nx_);
    auto z = X.middleRows(offset + i * nz_, nz_);
    auto fx = J.topLeftCorner(nx_, nx_), fz = J.topRightCorner(nx_, nz_), hx = J.bottomLeftCorner(nz_, nx_),
         hz = J.bottomRightCorner(nz_, nz_);
    if (transposed) {
      by_x.middleRows(i * nx_, nx_) = hx.transpose() * z - fx.transpose() * k;
      out.middleRows(offset + i * nz_, nz_) = hz.transpose() * z - fz.transpose() * k;
    } else {
      auto moved = by_x.middleRows(i * nx_, nx_);
      out.middleRows(i * nx_, nx_) = k - fx * moved - fz * z;
      out.middleRows(offset + i * nz_, nz_) = hx * moved + hz * z;
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
Matrix StageMatrix::precondition(const Matrix& R, bool transposed) const {
  Matrix F = mix(transposed ? Matrix(T_.transpose()) : T_inverse_, R);
  Index offset = s_ * nx_, m = R.cols();
  auto of = [&](Index r) {
    Matrix rows(n_, m);
    rows << F.middleRows(r * nx_, nx_), F.middleRows(offset + r * nz_, nz_);
    return rows;
  };
  auto put = [&](Index r, const Matrix& rows) {
    F.middleRows(r * nx_, nx_) = rows.topRows(nx_), F.middleRows(offset + r * nz_, nz_) = rows.bottomRows(nz_);
  };
  for (const auto& factor : real_) put(factor.first, factor.solve(of(factor.first), transposed));
  for (const auto& factor : pairs_) {
    // [α −β; β α] acts on (u, v) as α + iβ on u + iv; its transpose as α − iβ, which is α + iβ on u − iv.
    Eigen::MatrixXcd rows(n_, m);
    rows.real() = of(factor.first), rows.imag() = (transposed ? -1 : 1) * of(factor.first + 1);
    Eigen::MatrixXcd found = factor.solve(rows, transposed);
    put(factor.first, found.real()), put(factor.first + 1, (transposed ? -1 : 1) * found.imag());
  }
  return mix(transposed ? Matrix(T_inverse_.transpose()) : T_, F);
}

/// Nothing when the corrections do not shrink quickly.
std::optional<Matrix> StageMatrix::iterate(const Matrix& R, bool transposed) const {
  Matrix X = precondition(R, transposed);
  double before = INFINITY;
  auto size_of = [&](const Matrix& change, Index first, Index rows) {
    double of = rows ? X.middleRows(first, rows).cwiseAbs().maxCoeff() : 0;
    return of > 0 ? change.middleRows(first, rows).cwiseAbs().maxCoeff() / of : 0;
  };
  if (X.size() == 0) return X;
  for (int iteration = 0, more = 2; iteration < most_iterations; ++iteration) {
    if (!X.allFinite()) return {};
    Matrix change = precondition(R - product(X, transposed), transposed);
    X += change;
    double size = std::max(size_of(change, 0, s_ * nx_), size_of(change, s_ * nx_, s_ * nz_));
    bool is_rounding = size <= settled || (size < 1e-12 && size > slowest * before);
    if (is_rounding && --more == 0) return X;
    if (!is_rounding && !(size <= slowest * before)) return {};
    before = size;
  }
  return {};
}

std::optional<Matrix> StageMatrix::solve(const Matrix& R, bool transposed) {
  if (!whole_) {
    if (factorised_)
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
