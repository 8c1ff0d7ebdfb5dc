// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/sundials/block_solver.h"

#include <gtest/gtest.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "runtime/integrate/sundials/sundials_internal.h"

namespace bolza::integrate {
namespace {

TEST(BlockSolver, solves_each_block_with_one_matrix_and_asks_for_the_others_behind_the_first) {
  Context context = make_context();
  MatrixHandle A(SUNDenseMatrix(2, 2, context.get()));
  SM_ELEMENT_D(A.get(), 0, 0) = 2, SM_ELEMENT_D(A.get(), 0, 1) = 1;
  SM_ELEMENT_D(A.get(), 1, 0) = 0, SM_ELEMENT_D(A.get(), 1, 1) = 4;
  Vector like = make_vector(2, context.get()), x = make_vector(6, context.get()), b = make_vector(6, context.get());
  Solver inner(SUNLinSol_Dense(like.get(), A.get(), context.get()));
  bool can = true;
  auto behind = [&](const double* first, double* right) {
    for (int k = 0; k < 4; ++k) right[k] = 4 * first[1] * (k + 1);
    return can;
  };
  Solver solver(make_block_solver(inner.get(), 2, 3, behind, context.get()));
  N_VGetArrayPointer(b.get())[0] = 3, N_VGetArrayPointer(b.get())[1] = 4;
  ASSERT_EQ(SUNLinSolInitialize(solver.get()), 0);
  ASSERT_EQ(SUNLinSolSetup(solver.get(), A.get()), 0);
  ASSERT_EQ(SUNLinSolSolve(solver.get(), A.get(), x.get(), b.get(), 0), 0);
  const double expected[]{1, 1, 1, 2, 4, 4};
  for (int k = 0; k < 6; ++k) EXPECT_DOUBLE_EQ(N_VGetArrayPointer(x.get())[k], expected[k]) << k;
  can = false;
  EXPECT_NE(SUNLinSolSolve(solver.get(), A.get(), x.get(), b.get(), 0), 0);
}

}  // namespace
}  // namespace bolza::integrate
