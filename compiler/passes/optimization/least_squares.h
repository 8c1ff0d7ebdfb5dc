// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// Finds r with expression = ½ Σ r²: squares, products of equal factors, sums of them, factors that are fixed and not
/// negative. Fills Lowered::point_residuals, integrand_residuals and is_least_squares from objective and integrand, which
/// stay as they are. What is constant does not count. Cost: once per shape, and a factor per instance.
void recognise_least_squares(System& system);

}  // namespace bolza::passes
