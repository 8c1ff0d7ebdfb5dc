// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// sample(a, b) where a or b is only known once the initial equations are solved: with a discrete count of the ticks
///     tick = not initial() and time >= a + b·pre(count),   count = if tick then pre(count) + 1 else pre(count),
/// and initially pre(count) = the ticks before startTime. `tick` is true in the first iteration of its event only, as it is
/// of other samples. The rest stay in FlatModel::samples. Cost: the samples, and the discrete rows once when there are any.
void count_free_samples(System& system);

}  // namespace bolza::passes
