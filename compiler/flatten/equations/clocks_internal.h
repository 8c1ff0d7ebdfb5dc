// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/model/model_internal.h"

namespace bolza::flatten {

/// Finds the clock of every clocked equation [MLS, 16.7] and writes these equations, and the values that operators of clocks
/// give, as equations with events: afterwards nothing in the flat model speaks of clocks. Ids are provisional still.
/// Cost: linear in the slots of all instances of equations; nothing where there are no clocks.
/// Errors  E473 to E479, E490, E491; W418 where no clock is given.
void resolve_clocks(Model& model);

}  // namespace bolza::flatten
