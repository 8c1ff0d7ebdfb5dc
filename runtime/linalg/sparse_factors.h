// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/SparseCore>
#include <complex>
#include <memory>

namespace bolza::linalg {

/// LU factors of a square sparse matrix by KLU, real or complex. The order of elimination is found once and kept while the
/// places stay the same. Copies share what nobody changes.
template <class Scalar>
class SparseFactors {
 public:
  using Matrix = Eigen::SparseMatrix<Scalar>;  ///< compressed columns
  using Dense = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

  /// False: singular, or a value is not finite; there are no factors then.
  bool compute(const Matrix& A);
  /// B := A⁻¹ B, or A⁻ᵀ B (no conjugates).     Requires  `compute` succeeded.
  void solve(Dense& B, bool transposed) const;
  explicit operator bool() const { return numeric_ != nullptr; }

 private:
  struct Symbolic;
  struct Numeric;
  bool analyse(const Matrix& A);

  std::shared_ptr<const Symbolic> symbolic_;
  std::shared_ptr<const Numeric> numeric_;
};

extern template class SparseFactors<double>;
extern template class SparseFactors<std::complex<double>>;

}  // namespace bolza::linalg
