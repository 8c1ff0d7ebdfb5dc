// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// Cuts the horizon of an optimisation problem without phases into pieces at its interior times, when one of them depends on
/// a free parameter: x(t1), `time < t1`; with PassOptions::cut_at_points wherever a value is read inside. The pieces are
/// phases of the same equations, x is piece[k].x; relations with these times have one branch in each; lower-optimization
/// makes the states continuous. Times keep their order, their distances may become zero. Errors  E411, E412, E485, E486,
/// E487 what happens at events, or at a delay.   Warnings  W413.
Result<Done> cut_horizon(System& system, Diagnostics& diagnostics);

}  // namespace bolza::passes
