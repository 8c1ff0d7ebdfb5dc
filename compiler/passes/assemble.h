// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// Makes System::problem: numbers the inputs, writes every function over input positions, fuses small groups (unless the
/// pass "fuse" is disabled), names the rows, says how every variable of the model is had.
Result<Done> assemble(System& system, Diagnostics& diagnostics);

}  // namespace bolza::passes
