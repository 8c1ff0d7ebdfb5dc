// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/sbml/quantities_internal.h"
#include "compiler/sbml/translate.h"

namespace bolza::sbml {

/// Compares the units of what the formulas of a model add, compare, choose between and assign, and of rates of reactions.
/// Units are those that the file declares, by levels 1 and 2 the built-in ones where it is silent. What has none, numbers
/// without a unit and the time fit everywhere; only dimensions are compared where a number has been at work. One finding
/// per formula: E996. Function definitions are expanded before.
/// Cost    linear in the formulas.
/// Errors  E996 when `findings` are errors.
Result<Done> check_units(const Model& model, UnitFindings findings, const Lines& lines, Diagnostics& diagnostics);

}  // namespace bolza::sbml
