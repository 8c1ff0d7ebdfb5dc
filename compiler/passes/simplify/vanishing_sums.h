// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// States that two sums show to be zero. a + b + c = 0 and 3·x + a + b + c = 0 say x = 0, a constraint that matching does
/// not see where a, b and c also occur elsewhere: the zero-sequence current of a machine whose star point hangs free. The
/// second equation becomes x = 0, so that index reduction differentiates it; otherwise the model is regular by structure and
/// singular by its numbers.
///
/// Equations that count: linear in what varies with coefficients of fixed parameters, without a constant. Variables that
/// equations of two terms make multiples of each other (i·ratio = pin.i) count as one. What parameters decided is listed in
/// Structure::vanished. Cost: the terms of such equations, and for each equation of n terms n look-ups.
Result<Done> find_vanishing_sums(System& system, Diagnostics& diagnostics);

}  // namespace bolza::passes
