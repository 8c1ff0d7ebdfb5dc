// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// Finds the phase of everything that varies with time: what is declared in a phase is of that phase, and what stands with
/// it in an equation too. Moves the integrand of the class around into the rows of the phases. Nothing without phases.
/// Errors  E428 to E434.   Cost: linear in the slots of the model.
Result<Done> assign_phases(System& system, Diagnostics& diagnostics);

}  // namespace bolza::passes
