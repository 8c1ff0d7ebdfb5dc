// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/nlp/engine_table.h"

namespace bolza::nlp {

/// IPOPT's row, with what calls it.
constexpr Engine ipopt_row(Engine functions) {
  functions.name = "ipopt";
  functions.description = "interior point, sparse, exact Hessian, L-BFGS or Gauss-Newton (IPOPT with MUMPS)";
  functions.exact_hessian = functions.lbfgs = functions.gauss_newton = true;
  functions.integers = Integers::branched;
  return functions;
}

}  // namespace bolza::nlp
