// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// What each initial equation between discrete values gives a value to: a discrete variable, or what it was before the
/// start (`EventRows::initial`). Where the discrete side has its value already, from a `when` that is active at the start
/// or from `fixed`, the equation determines a state or a parameter with fixed=false in it instead and becomes one of
/// `Solved::initial`. Requires  sort-discrete.
/// Errors  E424 when there is nothing that an equation can determine.
Result<Done> sort_initial_discrete(System& system, Diagnostics& diagnostics);

}  // namespace bolza::passes
