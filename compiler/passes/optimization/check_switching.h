// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/diagnostics.h"
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// Dwell times are parts of a horizon that is known.    Errors  E435 it is not, E436 the dwell time is longer.
void check_switching(const System& system, Diagnostics& diagnostics);

}  // namespace bolza::passes
