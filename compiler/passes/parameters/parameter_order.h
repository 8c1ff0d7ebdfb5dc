// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// Parameters, constants, startTime and finalTime.
bool is_parameter(const ir::FlatModel& model, VariableId v);
bool is_parameter(const System& system, VariableId v);
/// The attribute or binding of one element, or null.
const ir::Term* attribute_of(const ir::FlatModel& model, VariableId v, ir::Attribute attribute);
const ir::Term* binding_of(const ir::FlatModel& model, VariableId v);

/// All parameters, each after those that its value (or guess) needs.
/// Errors  E401 for each cycle, with the names along it.
Result<std::vector<VariableId>> parameter_order(const System& system, Diagnostics& diagnostics);

/// Six significant digits, for messages.
std::string number_text(double value);

}  // namespace bolza::passes
