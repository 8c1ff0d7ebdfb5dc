// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "runtime/nlp/engine_settings.h"
#include "runtime/nlp/engine_table.h"

namespace bolza::nlp {

inline constexpr std::array hqp_settings{
    EngineSetting{"centering", 0, 0, 0, "mehrotra franke", "how the interior-point method chooses its barrier"},
    EngineSetting{"correctors", 2, 0, 10, "", "centrality corrections of each step (mehrotra)"},
    EngineSetting{"hot_start", 0, 0, 0, "yes no", "a quadratic program starts from the solution of the last one"},
    EngineSetting{"penalty", 100, 1e-6, 1e12, "", "price of violation in elastic programs, at first"},
    EngineSetting{"second_order_correction", 0, 0, 0, "yes no", "a second program where curvature spoils a full step"},
};

/// The row of the sparse SQP, with what calls it.
constexpr Engine hqp_row(Engine functions) {
  functions.name = "hqp";
  functions.description = "SQP, sparse, interior-point programs (MUMPS); exact Hessian or Gauss-Newton";
  functions.exact_hessian = functions.gauss_newton = true;
  functions.settings = hqp_settings;
  functions.integers = Integers::branched;
  functions.condenses = true;
  return functions;
}

}  // namespace bolza::nlp
