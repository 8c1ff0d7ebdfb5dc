// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// A problem with static=true is one point: all derivatives are zero, states are algebraics, nothing starts.
/// Warnings W404 initial equations that are not used.
Result<Done> treat_static(System& system, Diagnostics& diagnostics);

}  // namespace bolza::passes
