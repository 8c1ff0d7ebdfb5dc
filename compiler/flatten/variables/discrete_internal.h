// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/model/model_internal.h"

namespace bolza::flatten {

/// Notes the variables that when-clauses set: they are discrete.
void find_assigned_in_when(Model& model);
/// Reports discrete Reals that nothing sets.
void check_discrete_variables(Model& model);

}  // namespace bolza::flatten
