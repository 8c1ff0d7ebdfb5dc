// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "workflow/model.h"

namespace bolza::workflow {

/// SBML, level 3 version 2, of a loaded model: states with rate rules, what follows from them with assignment rules,
/// parameters; inputs are parameters with their start values. Names that are no identifiers get one, and stay as names.
/// Errors  E977 what SBML has no words for: algebraic equations, events, functions, phases, initial equations.
Result<std::string> sbml_of(Model& model);

}  // namespace bolza::workflow
