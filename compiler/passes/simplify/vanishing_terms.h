// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// Takes terms out of equations that are zero for the values of the fixed parameters: R·i with R = 0, C·der(v) with C = 0,
/// the branch of a selection that a parameter decides against. Structure sees a variable wherever it is written; where its
/// coefficient is zero no equation can be solved for it, and matching, index and states would be those of another model.
///
/// A term goes only where that removes an unknown from its equation, or a state from an equation without unknowns, or leaves
/// parameters alone to determine the one unknown: values stay inputs of the compiled model wherever structure does not
/// depend on them. Unknowns that parameters alone determine count with their values. A state whose derivative no equation
/// reads any more becomes an algebraic. What went is listed in Structure::vanished.
///
/// Errors  none.     Cost  linear in the slots of the equations; one small evaluation for each of their instances.
Result<Done> drop_vanishing_terms(System& system, Diagnostics& diagnostics);

}  // namespace bolza::passes
