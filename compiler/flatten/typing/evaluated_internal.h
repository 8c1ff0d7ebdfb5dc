// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"

namespace bolza::flatten {

/// Notes the parameters that an expression names, because its value shapes the model.
void note_parameters(Model& model, const ast::Expr& expr, const Scope& scope);
/// Marks the parameters that decided what the model is: their values cannot be changed afterwards. Those of sizes, ranges
/// and conditions, and what those are computed from.
void mark_evaluated(Model& model);

}  // namespace bolza::flatten
