// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// The constraints of one section as rows between numbers. What holds for all values is left out.
/// Errors  E414 (and then the row is left out) for what can never hold.
std::vector<LoweredRow> constraint_rows(const System& system, const ir::ConstraintSection& section,
                                        Diagnostics& diagnostics);

/// Inequalities of the same expression as one row with two sides.
std::vector<LoweredRow> joined(std::vector<LoweredRow> rows);

/// How far numbers may violate a constraint between numbers: rounding.
double constraint_margin(double value);

}  // namespace bolza::passes
