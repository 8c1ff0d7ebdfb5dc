// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// Reads every discrete equation as an assignment of one discrete variable, orders the assignments and the values that
/// relations take by what they need (`System::events`), and writes reinit, conditions and delays over the variables that
/// elimination left. Requires  eliminate-explicit.
/// Errors  E422 when variables and rows do not pair, E423 when reinit sets what is not a state.
Result<Done> sort_discrete(System& system, Diagnostics& diagnostics);

}  // namespace bolza::passes
