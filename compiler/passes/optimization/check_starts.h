// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/diagnostics.h"
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// States that start outside their bounds: by initial equations (`initial equation x = 1` where `max = 0.5`), which the
/// choice of fixed starts has made start values. What `start` and `fixed` say is looked at when parameters are evaluated.
/// Errors  E440.   Cost  linear in the states.
void check_starts(const System& system, Diagnostics& diagnostics);

}  // namespace bolza::passes
