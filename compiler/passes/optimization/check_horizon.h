// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/diagnostics.h"
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// Looks at the horizon of a problem that changes with time and has no phases. Errors E442: it ends before it begins,
/// whatever the free times are. Warnings W990: nothing says where it ends. Cost: constant.
void check_horizon(const System& system, Diagnostics& diagnostics);

}  // namespace bolza::passes
