// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// Gives every parameter its value, in the order of their dependencies, and every attribute its number.
///
/// Free parameters (free=true, or fixed=false) stay decisions; what depends on them becomes a definition, an initial
/// equation (start of a fixed state) or a constraint (bounds). PassOptions::values replace bindings. Errors  E401 cycle,
/// E403 value not finite, E404 min above max, E405 nominal zero. Warnings W401 and W402 missing values, W403 guesses outside
/// their bounds.
Result<Done> evaluate_parameters(System& system, Diagnostics& diagnostics);

/// Values of the shared inputs of a finished problem when parameters get other values: for `--set` and sweeps.
/// @param values  by full name; names of fixed parameters without binding on free ones.
/// Errors as above.
Result<std::vector<double>> shared_values(const ir::Problem& problem,
                                          const std::map<std::string, double, std::less<>>& values,
                                          Diagnostics& diagnostics);

/// Whether a value breaks a bound by more than what any tolerance leaves: a millionth of the bound, or of the nominal value.
bool is_outside(const ir::Numbers& bounds, double value);

}  // namespace bolza::passes
