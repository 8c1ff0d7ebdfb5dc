// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/nlp/engine_table.h"

namespace bolza::nlp {

/// BONMIN's row, with what calls it.
constexpr Engine bonmin_row(Engine functions) {
  functions.name = "bonmin";
  functions.description = "whole numbers: branch and bound, outer approximation, cuts (BONMIN with IPOPT, CBC)";
  functions.exact_hessian = functions.lbfgs = functions.gauss_newton = true;
  functions.integers = Integers::own;
  return functions;
}

}  // namespace bolza::nlp
