// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/sundials/block_solver.h"

#include <nvector/nvector_serial.h>

#include <utility>

#include "runtime/integrate/sundials/sundials_internal.h"

namespace bolza::integrate {
namespace {

struct BlockContent {
  SUNLinearSolver inner;
  std::size_t n, blocks;
  BehindFirst behind;
  Vector x, b;  // of one block; their data are places in those of all
};

BlockContent& content(SUNLinearSolver solver) { return *static_cast<BlockContent*>(solver->content); }

int solve(SUNLinearSolver solver, SUNMatrix A, N_Vector x, N_Vector b, sunrealtype tolerance) {
  BlockContent& c = content(solver);
  for (std::size_t k = 0; k < c.blocks; ++k) {
    N_VSetArrayPointer(N_VGetArrayPointer(x) + k * c.n, c.x.get());
    N_VSetArrayPointer(N_VGetArrayPointer(b) + k * c.n, c.b.get());
    if (int flag = SUNLinSolSolve(c.inner, A, c.x.get(), c.b.get(), tolerance)) return flag;
    if (!k && !c.behind(N_VGetArrayPointer(x), N_VGetArrayPointer(b) + c.n)) return 1;
  }
  return 0;
}

int release(SUNLinearSolver solver) {
  delete &content(solver);
  solver->content = nullptr;
  SUNLinSolFreeEmpty(solver);
  return 0;
}

}  // namespace

SUNLinearSolver make_block_solver(SUNLinearSolver inner, std::size_t n, std::size_t blocks, BehindFirst behind,
                                  SUNContext context) {
  SUNLinearSolver solver = SUNLinSolNewEmpty(context);
  if (!solver) return nullptr;
  auto window = [&] { return Vector(N_VNewEmpty_Serial(static_cast<sunindextype>(n), context)); };
  solver->content = new BlockContent{inner, n, blocks, std::move(behind), window(), window()};
  solver->ops->gettype = [](SUNLinearSolver) { return SUNLINEARSOLVER_DIRECT; };
  solver->ops->initialize = [](SUNLinearSolver s) { return SUNLinSolInitialize(content(s).inner); };
  solver->ops->setup = [](SUNLinearSolver s, SUNMatrix A) { return SUNLinSolSetup(content(s).inner, A); };
  solver->ops->solve = solve;
  solver->ops->lastflag = [](SUNLinearSolver s) { return SUNLinSolLastFlag(content(s).inner); };
  solver->ops->free = release;
  return solver;
}

}  // namespace bolza::integrate
