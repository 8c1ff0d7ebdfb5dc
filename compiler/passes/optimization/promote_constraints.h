// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// Makes equations of the path equalities that determine otherwise undetermined unknowns.
///
/// An optimisation problem may have fewer equations than unknowns when its constraints say the rest (JModelica's habit:
/// `Real w; constraint w = sqrt(x);`). Those constraints hold wherever equations hold, so they are equations.
/// Constraints with timed variables stay.
Result<Done> promote_constraints(System& system, Diagnostics& diagnostics);

}  // namespace bolza::passes
