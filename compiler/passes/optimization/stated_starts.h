// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/diagnostics.h"
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// States with neither a start value nor a guess start their iterations where equalities say that they begin:
/// `x(startTime) = 1`, `second.m(startTime) = first.m(finalTime) - drop`. What is constant in a guess is the same at the end
/// of a phase as at its start. Equalities that are not linear in the one value that is not known yet say nothing.
/// Requires the lowered problem. Sets guesses in `numbers`.   Cost  linear in the point rows and their slots.
Result<Done> guess_stated_starts(System& system, Diagnostics& diagnostics);

}  // namespace bolza::passes
