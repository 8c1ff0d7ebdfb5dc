// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/typing/context_internal.h"
#include "compiler/flatten/typing/typer_internal.h"

namespace bolza::flatten {

/// If-equations whose condition can change. Conditions that are known are numbers.
Outcome<Done> translate_open_branches(Model& model, Typer& typer, const ast::Equation& equation,
                                      const std::vector<const Node*>& conditions, const Context& context);

}  // namespace bolza::flatten
