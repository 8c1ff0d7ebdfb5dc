// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// `delay(x*y, tau)` in an optimisation problem: transcriptions read the past as linear combinations of values, so what is
/// not linear in variables gets a name, an algebraic variable, and that is delayed. Delays that are sought stay as they are.
/// Errors  none.   Cost  linear in the delays.
Result<Done> name_delayed_values(System& system, Diagnostics& diagnostics);

}  // namespace bolza::passes
