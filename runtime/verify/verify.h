// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/abi/bolza.h"
#include "runtime/abi/solution.h"
#include "runtime/verify/certificate.h"

namespace bolza::verify {

struct VerifyOptions {
  double tolerance = 1e-3;  ///< of sizes; each check's limit is a multiple of it that docs/verify.md gives
};

/// Holds a stored result against its model: our own integration, quadrature and derivatives (differences of values), nothing
/// of the solve but what is stored. What cannot be checked is named with the reason.
/// Requires  a solution with parameters and trajectories of all phases, as `result::restore` makes it.
/// Cost  that of `OwnFlow::integrate` for the most part.
Certificate verify(bolza_problem& problem, const abi::Solution& stored, const VerifyOptions& options);

}  // namespace bolza::verify
