// SPDX-License-Identifier: Apache-2.0
#include <cvodes/cvodes.h>
#include <idas/idas.h>

#include <algorithm>
#include <cmath>

#include "base/allocated.h"
#include "base/expects.h"
#include "runtime/integrate/sundials/sundials_internal.h"

namespace bolza::integrate {

Context make_context() {
  SUNContext context = nullptr;
  expects(SUNContext_Create(nullptr, &context) == 0, "a SUNDIALS context can be made");
  return Context(context);
}

Vector make_vector(std::size_t n, SUNContext context, bool fused) {
  N_Vector v = N_VNew_Serial(static_cast<sunindextype>(n), context);
  allocated(v != nullptr);
  if (fused) N_VEnableFusedOps_Serial(v, 1);  // clones do the same
  N_VConst(0, v);
  return Vector(v);
}

double longest(const MethodOptions& options, double limit) {
  double h = options.max_step > 0 ? std::min(limit, options.max_step) : limit;
  return std::isfinite(h) ? h : 0;
}

Vector signs_of(const bolza_model& model, SUNContext context, std::size_t n) {
  Vector out = make_vector(n, context);
  for (std::size_t i = 0; i < n; ++i) {
    const bolza_variable& v = i < model.n_x ? model.x[i] : model.z[i - model.n_x];
    N_VGetArrayPointer(out.get())[i] = v.min >= 0 ? 1 : v.max <= 0 ? -1 : 0;
  }
  return out;
}

SimulateStatus status_of(int flag, bool ida) {
  if (ida) {
    switch (flag) {
      case IDA_TOO_MUCH_WORK:
        return SimulateStatus::too_many_steps;
      case IDA_TOO_MUCH_ACC:
        return SimulateStatus::too_much_accuracy;
      case IDA_ERR_FAIL:
        return SimulateStatus::error_test;
      case IDA_CONV_FAIL:
      case IDA_LSETUP_FAIL:
      case IDA_LSOLVE_FAIL:
        return SimulateStatus::convergence;
      case IDA_RES_FAIL:
      case IDA_REP_RES_ERR:
      case IDA_FIRST_RES_FAIL:
      case IDA_QRHS_FAIL:
      case IDA_REP_QRHS_ERR:
      case IDA_FIRST_QRHS_ERR:
      case IDA_RTFUNC_FAIL:
        return SimulateStatus::nonfinite;
      default:
        return SimulateStatus::failed;
    }
  }
  switch (flag) {
    case CV_TOO_MUCH_WORK:
      return SimulateStatus::too_many_steps;
    case CV_TOO_MUCH_ACC:
      return SimulateStatus::too_much_accuracy;
    case CV_ERR_FAILURE:
      return SimulateStatus::error_test;
    case CV_CONV_FAILURE:
    case CV_LSETUP_FAIL:
    case CV_LSOLVE_FAIL:
      return SimulateStatus::convergence;
    case CV_RHSFUNC_FAIL:
    case CV_FIRST_RHSFUNC_ERR:
    case CV_REPTD_RHSFUNC_ERR:
    case CV_UNREC_RHSFUNC_ERR:
    case CV_QRHSFUNC_FAIL:
    case CV_FIRST_QRHSFUNC_ERR:
    case CV_REPTD_QRHSFUNC_ERR:
    case CV_UNREC_QRHSFUNC_ERR:
    case CV_RTFUNC_FAIL:
      return SimulateStatus::nonfinite;
    default:
      return SimulateStatus::failed;
  }
}

}  // namespace bolza::integrate
