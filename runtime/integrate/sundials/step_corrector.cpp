// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/sundials/step_corrector.h"

#include <idas/idas.h>

#include <utility>

namespace bolza::integrate {
namespace {

struct CorrectorContent {
  void* ida;
  Correct correct;
};

CorrectorContent& content(SUNNonlinearSolver solver) { return *static_cast<CorrectorContent*>(solver->content); }

// Positive codes: IDAS may try again.
int code(Correction c) { return c == Correction::found ? 0 : c == Correction::not_finite ? 1 : SUN_NLS_CONV_RECVR; }

int solve(SUNNonlinearSolver solver, N_Vector, N_Vector e, N_Vector weights, sunrealtype tolerance, sunbooleantype, void*) {
  CorrectorContent& c = content(solver);
  N_Vector y = nullptr, slope = nullptr, unused[3];
  Prediction at{.weights = N_VGetArrayPointer(weights), .tolerance = tolerance};
  void* user = nullptr;
  if (IDAGetNonlinearSystemData(c.ida, &at.s, &y, &slope, &unused[0], &unused[1], &unused[2], &at.c, &user) < 0)
    return SUN_NLS_MEM_NULL;
  at.unknowns = N_VGetArrayPointer(y);
  at.slopes = N_VGetArrayPointer(slope);
  return code(c.correct(at, N_VGetArrayPointer(e)));
}

int release(SUNNonlinearSolver solver) {
  delete &content(solver);
  solver->content = nullptr;
  SUNNonlinSolFreeEmpty(solver);
  return 0;
}

}  // namespace

Iteration make_step_corrector(void* ida, Correct correct, SUNContext context) {
  SUNNonlinearSolver solver = SUNNonlinSolNewEmpty(context);
  if (!solver) return nullptr;
  solver->content = new CorrectorContent{ida, std::move(correct)};
  solver->ops->gettype = [](SUNNonlinearSolver) { return SUNNONLINEARSOLVER_ROOTFIND; };
  solver->ops->setsysfn = [](SUNNonlinearSolver, SUNNonlinSolSysFn) { return 0; };
  solver->ops->solve = solve;
  solver->ops->free = release;
  return Iteration(solver);
}

}  // namespace bolza::integrate
