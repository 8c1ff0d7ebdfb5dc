// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/sundials/singular_solver.h"

#include <nvector/nvector_serial.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

namespace bolza::integrate {
namespace {

constexpr sunindextype largest = 500;
constexpr double vanishing = 16 * std::numeric_limits<double>::epsilon();

struct SingularContent {
  SUNLinearSolver inner;
  bool is_singular = false;
  Eigen::MatrixXd matrix;  // of the last setup; dense matrices only, else when singular
  Eigen::VectorXd row, column;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
};

SingularContent& singular_content(SUNLinearSolver solver) { return *static_cast<SingularContent*>(solver->content); }

Eigen::MatrixXd copy_of(SUNMatrix A) {
  if (SUNMatGetID(A) == SUNMATRIX_DENSE)
    return Eigen::Map<Eigen::MatrixXd>(SUNDenseMatrix_Data(A), SUNDenseMatrix_Rows(A), SUNDenseMatrix_Columns(A));
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(SUNSparseMatrix_Rows(A), SUNSparseMatrix_Columns(A));
  const sunindextype *begin = SUNSparseMatrix_IndexPointers(A), *row = SUNSparseMatrix_IndexValues(A);
  for (sunindextype c = 0; c < SUNSparseMatrix_Columns(A); ++c)
    for (sunindextype k = begin[c]; k < begin[c + 1]; ++k) out(row[k], c) += SUNSparseMatrix_Data(A)[k];
  return out;
}

// A pivot that is rounding of its column: partial pivoting does not say so itself.
bool has_lost_pivot(SUNMatrix factors, const Eigen::MatrixXd& matrix) {
  if (SUNMatGetID(factors) != SUNMATRIX_DENSE) return false;
  for (sunindextype k = 0; k < matrix.cols(); ++k)
    if (!(std::fabs(SM_ELEMENT_D(factors, k, k)) > vanishing * matrix.col(k).cwiseAbs().maxCoeff())) return true;
  return false;
}

void decompose(SingularContent& c) {
  auto inverse = [](double size) { return size > 0 && std::isfinite(size) ? 1 / size : 1; };
  c.row = c.matrix.cwiseAbs().rowwise().maxCoeff().unaryExpr(inverse);
  Eigen::MatrixXd scaled = c.row.asDiagonal() * c.matrix;
  c.column = scaled.cwiseAbs().colwise().maxCoeff().transpose().unaryExpr(inverse);
  scaled = scaled * c.column.asDiagonal();
  c.decomposition.setThreshold(1e-13);
  c.decomposition.compute(scaled);
}

int setup(SUNLinearSolver solver, SUNMatrix A) {
  SingularContent& c = singular_content(solver);
  bool dense = SUNMatGetID(A) == SUNMATRIX_DENSE;
  if (dense) c.matrix = copy_of(A);
  int flag = c.inner->ops->setup(c.inner, A);
  c.is_singular = flag != 0 || has_lost_pivot(A, c.matrix);
  if (!c.is_singular) return 0;
  if (!dense) {
    if (SUNSparseMatrix_Columns(A) > largest) return flag;
    c.matrix = copy_of(A);
  }
  if (!c.matrix.allFinite()) return flag != 0 ? flag : 1;  // a smaller step, or another start, may give one that is
  if (c.matrix.cols() > largest) {
    c.is_singular = false;
    return flag;
  }
  decompose(c);
  return 0;
}

// An entry thirty decades below the others is rounding: a flow that is exactly zero must not turn its sign, on which what it
// carries may depend.
void forget_rounding(double* x, sunindextype n) {
  constexpr double nothing = std::numeric_limits<double>::epsilon() * std::numeric_limits<double>::epsilon();
  double largest = 0;
  for (sunindextype i = 0; i < n; ++i) largest = std::max(largest, std::fabs(x[i]));
  for (sunindextype i = 0; i < n; ++i)
    if (std::fabs(x[i]) < nothing * largest) x[i] = 0;
}

int solve_least_squares(SUNLinearSolver solver, SUNMatrix A, N_Vector x, N_Vector b, sunrealtype tolerance) {
  SingularContent& c = singular_content(solver);
  if (!c.is_singular) {
    int flag = c.inner->ops->solve(c.inner, A, x, b, tolerance);
    if (flag == 0) forget_rounding(N_VGetArrayPointer(x), N_VGetLength(x));
    return flag;
  }
  Eigen::Map<const Eigen::VectorXd> right(N_VGetArrayPointer(b), c.matrix.rows());
  Eigen::VectorXd step = c.column.cwiseProduct(c.decomposition.solve(c.row.cwiseProduct(right)));
  if (!step.allFinite()) return 1;
  Eigen::Map<Eigen::VectorXd>(N_VGetArrayPointer(x), c.matrix.cols()) = step;
  return 0;
}

int release_singular(SUNLinearSolver solver) {
  SUNLinSolFree(singular_content(solver).inner);
  delete &singular_content(solver);
  solver->content = nullptr;
  SUNLinSolFreeEmpty(solver);
  return 0;
}

}  // namespace

SUNLinearSolver make_singular_solver(SUNLinearSolver inner, SUNContext context) {
  SUNLinearSolver solver = inner ? SUNLinSolNewEmpty(context) : nullptr;
  if (!solver) return nullptr;
  solver->content = new SingularContent{.inner = inner, .matrix = {}, .row = {}, .column = {}, .decomposition = {}};
  solver->ops->gettype = [](SUNLinearSolver) { return SUNLINEARSOLVER_DIRECT; };
  solver->ops->initialize = [](SUNLinearSolver s) { return SUNLinSolInitialize(singular_content(s).inner); };
  solver->ops->setup = setup;
  solver->ops->solve = solve_least_squares;
  solver->ops->lastflag = [](SUNLinearSolver s) { return SUNLinSolLastFlag(singular_content(s).inner); };
  solver->ops->free = release_singular;
  return solver;
}

}  // namespace bolza::integrate
