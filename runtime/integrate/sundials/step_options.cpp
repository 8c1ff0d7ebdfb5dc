// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/sundials/step_options.h"

#include <cvodes/cvodes.h>
#include <idas/idas.h>

#include <algorithm>
#include <cmath>

#include "runtime/integrate/sundials/sundials_internal.h"

namespace bolza::integrate {
namespace {

double first_step(const MethodOptions& o, double unit, Towards towards) {
  return (towards == Towards::end ? 1 : -1) * o.initial_step / unit;
}

// The constants by which IDAS chooses its steps; 0 leaves its own.
void set_step_selection(void* memory, const MethodOptions& o) {
  if (o.eta_min_fixed > 0 || o.eta_max_fixed > 0)
    IDASetEtaFixedStepBounds(memory, o.eta_min_fixed > 0 ? o.eta_min_fixed : 1, o.eta_max_fixed > 0 ? o.eta_max_fixed : 2);
  if (o.eta_max > 0) IDASetEtaMax(memory, o.eta_max);
  if (o.eta_low > 0) IDASetEtaLow(memory, o.eta_low);
  if (o.eta_min > 0) IDASetEtaMin(memory, o.eta_min);
  if (o.eta_min_error_failure > 0) IDASetEtaMinErrFail(memory, o.eta_min_error_failure);
  if (o.eta_convergence_failure > 0) IDASetEtaConvFail(memory, o.eta_convergence_failure);
  if (o.delta_cj > 0) IDASetDeltaCjLSetup(memory, o.delta_cj);
}

}  // namespace

void set_steps_of_cvodes(void* memory, const MethodOptions& o, double unit, int highest_order, Towards towards) {
  CVodeSetMaxErrTestFails(memory, whole(o.max_error_failures, 15));
  CVodeSetMaxConvFails(memory, whole(o.max_convergence_failures, 20));
  if (o.max_nonlinear_iterations > 0) CVodeSetMaxNonlinIters(memory, whole(o.max_nonlinear_iterations, 3));
  if (o.nonlinear_coefficient > 0) CVodeSetNonlinConvCoef(memory, o.nonlinear_coefficient);
  if (o.max_order > 0) CVodeSetMaxOrd(memory, std::min(whole(o.max_order, 5), highest_order));
  if (o.initial_step > 0) CVodeSetInitStep(memory, first_step(o, unit, towards));
  if (o.max_step > 0) CVodeSetMaxStep(memory, o.max_step / unit);
  CVodeSetMinStep(memory, o.min_step > 0 ? o.min_step / unit : least_step);
  if (o.stability_limit_detection > 0 && highest_order == 5) CVodeSetStabLimDet(memory, 1);
}

void set_steps_of_idas(void* memory, const MethodOptions& o, double unit, Towards towards) {
  IDASetMaxErrTestFails(memory, whole(o.max_error_failures, 20));
  IDASetMaxConvFails(memory, whole(o.max_convergence_failures, 20));
  if (o.max_nonlinear_iterations > 0) IDASetMaxNonlinIters(memory, whole(o.max_nonlinear_iterations, 4));
  if (o.nonlinear_coefficient > 0) IDASetNonlinConvCoef(memory, o.nonlinear_coefficient);
  if (o.max_order > 0) IDASetMaxOrd(memory, std::min(whole(o.max_order, 5), 5));
  if (o.initial_step > 0) IDASetInitStep(memory, first_step(o, unit, towards));
  if (o.max_step > 0) IDASetMaxStep(memory, o.max_step / unit);
  if (o.min_step > 0) IDASetMinStep(memory, o.min_step / unit);
  set_step_selection(memory, o);
}

}  // namespace bolza::integrate
