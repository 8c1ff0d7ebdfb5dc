#pragma once
#include <vector>

#include "compiler/flatten/context_internal.h"
#include "compiler/flatten/model_internal.h"
#include "compiler/flatten/node_internal.h"
#include "compiler/flatten/type_internal.h"

namespace bolza::flatten {

/// If-equations whose condition can change. Conditions that are known are numbers.
void translate_open_branches(Model& model, Typer& typer, const ast::Equation& equation,
                             const std::vector<const Node*>& conditions, const Context& context);

}  // namespace bolza::flatten
