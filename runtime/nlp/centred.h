// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/nlp/nlp.h"

namespace bolza::nlp {

/// The iterate with every variable and multiplier of a bound where the barrier has them at least: (w − bound) · z >= µ, by
/// multipliers where a variable is away from its bound, by the variable where it is at a bound that presses. A variable
/// moves by √µ of its size at most. Cost linear.
/// @param barrier  µ over the objective's scale, as `EngineOptions::barrier`
Iterate centred(const Nlp& nlp, Iterate iterate, double barrier);

/// The same where an interior-point engine starts with a barrier that is given, else the iterate as it is.
Iterate centred_for(const EngineOptions& options, const Nlp& nlp, Iterate iterate);

}  // namespace bolza::nlp
