#include "runtime/integrate/sundials/step_matrix.h"

#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>

namespace bolza::integrate {

using Eigen::Index;

StepMatrix::StepMatrix(std::size_t n, std::vector<std::pair<std::int32_t, std::int32_t>> places, SUNContext context,
                       const MethodOptions& options)
    : n_(n),
      x_(make_vector(n, context)),
      b_(make_vector(n, context)),
      system_(n, std::move(places), x_.get(), context, direct_only(options)) {
  if (!is_dense()) SUNLinSolInitialize(system_.solver());
}

bool StepMatrix::is_dense() const { return SUNMatGetID(system_.matrix()) == SUNMATRIX_DENSE; }

bool StepMatrix::factorise() {
  if (!is_dense()) return SUNLinSolSetup(system_.solver(), system_.matrix()) == 0;
  dense_.compute(Eigen::Map<const Eigen::MatrixXd>(SUNDenseMatrix_Data(system_.matrix()), static_cast<Index>(n_),
                                                   static_cast<Index>(n_)));
  return dense_.matrixLU().diagonal().cwiseAbs().minCoeff() > 0;
}

// With whole columns of the factors.
bool StepMatrix::solve_one(double* data) {
  const Eigen::MatrixXd& LU = dense_.matrixLU();
  Index n = LU.rows();
  x_of_one_.resize(n);
  Eigen::VectorXd& x = x_of_one_;
  for (Index i = 0; i < n; ++i) x[dense_.permutationP().indices()[i]] = data[i];
  for (Index j = 0; j < n; ++j)
    if (x[j] != 0) x.tail(n - j - 1) -= x[j] * LU.col(j).tail(n - j - 1);
  for (Index j = n; j-- > 0;) {
    x[j] /= LU(j, j);
    if (x[j] != 0) x.head(j) -= x[j] * LU.col(j).head(j);
  }
  std::copy_n(x.data(), n, data);
  return x.allFinite();
}

bool StepMatrix::solve(double* data, std::size_t columns) {
  if (is_dense() && columns == 1) return solve_one(data);
  Eigen::Map<Rows> B(data, static_cast<Index>(n_), static_cast<Index>(columns));
  if (is_dense()) {  // whole rows at once, and structural zeros are skipped
    const Eigen::MatrixXd& LU = dense_.matrixLU();
    work_.resize(B.rows(), B.cols());
    for (Index i = 0; i < B.rows(); ++i) work_.row(dense_.permutationP().indices()[i]) = B.row(i);
    for (Index j = 0; j < B.rows(); ++j)
      for (Index i = j + 1; i < B.rows(); ++i)
        if (LU(i, j) != 0) work_.row(i) -= LU(i, j) * work_.row(j);
    for (Index j = B.rows(); j-- > 0;) {
      work_.row(j) /= LU(j, j);
      for (Index i = 0; i < j; ++i)
        if (LU(i, j) != 0) work_.row(i) -= LU(i, j) * work_.row(j);
    }
    B = work_;
  } else {
    for (Index k = 0; k < B.cols(); ++k) {
      Eigen::Map<Eigen::VectorXd> b(N_VGetArrayPointer(b_.get()), B.rows()), x(N_VGetArrayPointer(x_.get()), B.rows());
      b = B.col(k);
      if (SUNLinSolSolve(system_.solver(), system_.matrix(), x_.get(), b_.get(), 0) != 0) return false;
      B.col(k) = x;
    }
  }
  return B.allFinite();
}

}  // namespace bolza::integrate
