// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <set>

#include "base/diagnostics.h"
#include "base/result.h"
#include "compiler/ir/flat_model.h"

namespace bolza::passes {

/// Makes each control u an unknown u = if time < branch then shared.u else later.u, where `later.u`, a control again, will
/// be copied for every scenario: two stages of a scenario tree. Returns the first ids of the controls `later.u`. Errors E484
/// a rate der(u) of such a control.
Result<std::set<ir::VariableId>> branch_controls(ir::FlatModel& model, double branch, Diagnostics& diagnostics);

}  // namespace bolza::passes
