// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// The equations of an optimisation problem without those that only say what is shown beside it: each determines a variable
/// that no other equation reads that is left, no state, without bounds, read by no objective, constraint, initial equation,
/// assertion or delay. Arrows and shapes of a mechanism's animation are such: whatever decides in them, the optimum is the same.
/// Rows keep their numbers. Cost: linear in the equations.
ir::Section needed_equations(System& system);

}  // namespace bolza::passes
