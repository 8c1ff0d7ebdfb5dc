// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/model/model_internal.h"

namespace bolza::flatten {

/// Finds out, before any equation is translated, which equation of a domain determines which field, and what the sides say
/// of each; adds the variables for derivatives across sides to the tree [docs/pde.md]. Errors  E502, E503, E506, E510, E511,
/// E512.
void plan_fields(Model& model);

}  // namespace bolza::flatten
