#pragma once
#include "compiler/flatten/context_internal.h"
#include "compiler/flatten/model_internal.h"
#include "compiler/flatten/node_internal.h"

namespace bolza::flatten {

/// When-equations.
void translate_when(Model& model, const ast::Equation& equation, const Context& context);

}  // namespace bolza::flatten
