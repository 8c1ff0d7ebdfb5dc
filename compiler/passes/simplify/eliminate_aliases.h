// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// Removes equations ±a ± b + constant = 0 between algebraics, states and inputs, and constant = a: the variable that goes
/// gets a definition. Inputs and states stay before algebraics; bounds, nominal values, starts and guesses of the variable
/// that goes are merged into the one that stays, with their signs. Two states become one, their derivatives with them.
///
/// Errors  E404 no value satisfies the bounds of both, E406 fixed starts that contradict each other.
/// Cost    linear in the slots of the equations.
Result<Done> eliminate_aliases(System& system, Diagnostics& diagnostics);

}  // namespace bolza::passes
