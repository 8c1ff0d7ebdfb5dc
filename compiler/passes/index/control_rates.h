// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <set>

#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// Makes states of the controls of an optimisation problem whose derivatives are read: with der(u) = w the rate w is the
/// control in the place of u, by the name "der(u)". Bounds, start and guess of u stay with it: at every point u is within
/// `min` and `max`, and continuous; it starts anywhere unless it is `fixed`. A rate is as smooth as any control is.
/// The same becomes of controls that a sought delay reads: what jumps at mesh points has no derivative by the delay.
/// Index reduction does the same to controls whose derivatives it needs.
/// Cost: one state and one equation for each of these controls, nothing where there is none.
Result<Done> control_rates(System& system, Diagnostics& diagnostics);

/// An input, a Real of the model itself, that the optimiser chooses.
bool is_control(const System& system, VariableId v);
/// Makes states of controls.
void make_states(System& system, const std::set<VariableId>& controls);

}  // namespace bolza::passes
