// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// Parameters with fixed=false of a model that is only simulated: initial equations determine them. They become states with
/// derivative zero, so that initialisation, integrators and sensitivities need to know nothing of them; where events are
/// kept, Integer, Boolean and enumeration ones become discrete variables that no event changes.
Result<Done> free_initial_parameters(System& system, Diagnostics& diagnostics);

/// Which states start at their start values, when initial equations and fixed starts are fewer than the states (simulation
/// only; in an optimisation what is not fixed is free).
///
/// 0 = h and the initial equations determine as many of (x, z) as they have rows; by a matching that takes variables in the
/// order algebraics, states without start, states with a start of deeply nested components, states of the top level,
/// parameters last. Of the states that are left over, those without a start are determined by the starts of variables that
/// are smooth functions of them (c = n/V), where an enclosing class gives one; the others become fixed. Both are listed in
/// Structure::start_values_used. Errors  warning W408 when
/// initial equations are too many: they, and the states that they would have to determine
Result<Done> complete_initial_values(System& system, Diagnostics& diagnostics);

}  // namespace bolza::passes
