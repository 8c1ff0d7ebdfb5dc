// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Dense>

#include "runtime/linalg/sparse_factors.h"

namespace bolza::linalg {

/// LU factors of a square matrix that is given sparse: dense where it is small or filled, else sparse.
template <class Scalar>
class Factors {
 public:
  using Sparse = Eigen::SparseMatrix<Scalar>;
  using Dense = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

  /// False: singular, or a value is not finite.     @param A  compressed columns
  /// Cost: O(n³) up to `dense_limit` unknowns and where more than a quarter is filled, else that of KLU.
  bool compute(const Sparse& A);
  /// A⁻¹ B, or A⁻ᵀ B (no conjugates).     Requires  the last `compute` succeeded.
  Dense solve(const Dense& B, bool transposed = false) const;

  static constexpr Eigen::Index dense_limit = 60;

 private:
  bool is_dense_ = true;
  Eigen::PartialPivLU<Dense> dense_;
  SparseFactors<Scalar> sparse_;
};

extern template class Factors<double>;
extern template class Factors<std::complex<double>>;

}  // namespace bolza::linalg
