// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "runtime/abi/bolza.h"

namespace bolza::transcribe {

/// Entries of the Jacobian of the point function at zero values: right for those that are constant [jac_nnz].
/// Requires  its Jacobian kernels.
std::vector<double> point_slopes(const bolza_problem& problem, const std::vector<double>& parameters);

}  // namespace bolza::transcribe
