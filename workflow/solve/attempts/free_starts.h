// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/abi/solution.h"
#include "workflow/model.h"

namespace bolza::workflow {

/// Warns of start values that are not `fixed` and that the optimum left: W921, once for an array. Not where a constraint,
/// the objective or initial equations speak of the value, where `fixed = false` or `free = true` says that it is meant, or
/// where there are several phases, whose starts are linked.
void warn_of_free_starts(Model& model, const abi::Solution& solution);

}  // namespace bolza::workflow
