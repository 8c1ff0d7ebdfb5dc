// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/optimization/point_value_collector.h"

namespace bolza::passes {

/// The objective as a sum over equidistant samples (`PassOptions::samples` steps) in the place of an integral, as DOML's
/// `Steps` means it: ∫ q dt becomes q(t0) + q(t0 + h) + … + q(tf). A state whose derivative is such an integrand and which
/// nothing else reads, `minimize err(finalTime)`, is one.
/// Requires  objective and integrands are lowered.
/// Errors  E457 there is no integral.
Result<Done> sample_integral(System& system, PointValueCollector& points, Composer& composer, Diagnostics& diagnostics);

}  // namespace bolza::passes
