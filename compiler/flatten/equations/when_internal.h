// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/typing/context_internal.h"

namespace bolza::flatten {

/// When-equations.
void translate_when(Model& model, const ast::Equation& equation, const Context& context);

}  // namespace bolza::flatten
