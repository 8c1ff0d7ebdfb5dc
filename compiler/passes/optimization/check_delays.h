// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/diagnostics.h"
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// Delays of an optimisation problem whose events are taken literally: their times are numbers that are not negative and lie
/// within the horizon, or free. Errors  E455 a time that varies, E458 one that is negative, E459 one beyond the horizon,
/// E460 a horizon that is free, E461 a free one without a lower bound, E462 a free one of a control,
/// E463 a free one that is not linear in states. Warning  W417 a delayed control without a history. Called when all rows are
/// lowered.   Cost  linear in the model.
void check_delays(System& system, Diagnostics& diagnostics);

}  // namespace bolza::passes
