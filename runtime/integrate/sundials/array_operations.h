// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sundials/sundials_nvector.h>

namespace bolza::integrate {

/// Sums and norms of a serial vector, and of arrays of them, by loops of our own; clones have them as well. With a few
/// numbers in each of many vectors, as sensitivities are, SUNDIALS spends most of its time on looking for special factors.
void use_own_operations(N_Vector vector);

}  // namespace bolza::integrate
