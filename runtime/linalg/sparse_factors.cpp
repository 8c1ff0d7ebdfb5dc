// SPDX-License-Identifier: Apache-2.0
// KLU: the only file of this room that sees it.
#include "runtime/linalg/sparse_factors.h"

#include <klu.h>

#include <cmath>
#include <type_traits>
#include <vector>

namespace bolza::linalg {
namespace {

constexpr double preferred_diagonal = 0.1;  // a diagonal pivot may be this share of the largest of its column

klu_common defaults() {
  klu_common common;
  klu_defaults(&common);
  common.tol = preferred_diagonal;
  return common;
}

}  // namespace

template <class Scalar>
struct SparseFactors<Scalar>::Symbolic {
  std::vector<int> column, row;  // the places
  klu_symbolic* data = nullptr;
  Symbolic() = default;
  Symbolic(const Symbolic&) = delete;
  ~Symbolic() {
    klu_common common = defaults();
    klu_free_symbolic(&data, &common);
  }
};

template <class Scalar>
struct SparseFactors<Scalar>::Numeric {
  klu_numeric* data = nullptr;
  Numeric() = default;
  Numeric(const Numeric&) = delete;
  ~Numeric() {
    klu_common common = defaults();
    if constexpr (std::is_same_v<Scalar, double>) klu_free_numeric(&data, &common);
    else klu_z_free_numeric(&data, &common);
  }
};

template <class Scalar>
bool SparseFactors<Scalar>::analyse(const Matrix& A) {
  std::size_t columns = static_cast<std::size_t>(A.cols()) + 1, entries = static_cast<std::size_t>(A.nonZeros());
  const int *column = A.outerIndexPtr(), *row = A.innerIndexPtr();
  if (symbolic_ && symbolic_->column.size() == columns && symbolic_->row.size() == entries &&
      std::equal(column, column + columns, symbolic_->column.begin()) &&
      std::equal(row, row + entries, symbolic_->row.begin()))
    return true;
  auto made = std::make_shared<Symbolic>();
  made->column.assign(column, column + columns);
  made->row.assign(row, row + entries);
  klu_common common = defaults();
  made->data = klu_analyze(static_cast<int>(A.cols()), made->column.data(), made->row.data(), &common);
  symbolic_ = made->data ? std::move(made) : nullptr;
  return symbolic_ != nullptr;
}

template <class Scalar>
bool SparseFactors<Scalar>::compute(const Matrix& A) {
  numeric_ = nullptr;
  double sum = 0;
  for (Eigen::Index e = 0; e < A.nonZeros(); ++e) sum += std::abs(Scalar(0.0) * A.valuePtr()[e]);
  if (!std::isfinite(sum) || A.rows() != A.cols() || A.cols() == 0 || !analyse(A)) return false;
  auto made = std::make_shared<Numeric>();
  klu_common common = defaults();
  int *column = const_cast<int*>(A.outerIndexPtr()), *row = const_cast<int*>(A.innerIndexPtr());
  auto* values = reinterpret_cast<double*>(const_cast<Scalar*>(A.valuePtr()));
  if constexpr (std::is_same_v<Scalar, double>) made->data = klu_factor(column, row, values, symbolic_->data, &common);
  else made->data = klu_z_factor(column, row, values, symbolic_->data, &common);
  if (!made->data || common.status != KLU_OK) return false;
  numeric_ = std::move(made);
  return true;
}

template <class Scalar>
void SparseFactors<Scalar>::solve(Dense& B, bool transposed) const {
  klu_common common = defaults();
  int n = static_cast<int>(B.rows()), columns = static_cast<int>(B.cols());
  auto* values = reinterpret_cast<double*>(B.data());
  if constexpr (std::is_same_v<Scalar, double>) {
    if (transposed) klu_tsolve(symbolic_->data, numeric_->data, n, columns, values, &common);
    else klu_solve(symbolic_->data, numeric_->data, n, columns, values, &common);
  } else {
    if (transposed) klu_z_tsolve(symbolic_->data, numeric_->data, n, columns, values, 0, &common);
    else klu_z_solve(symbolic_->data, numeric_->data, n, columns, values, &common);
  }
}

template class SparseFactors<double>;
template class SparseFactors<std::complex<double>>;

}  // namespace bolza::linalg
