// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/flatten/typing/typer_internal.h"

namespace bolza::flatten {

/// Where an equation, statement or constraint stands.
struct Context {
  Scope scope;
  Space space;
  std::vector<std::pair<std::string_view, const Node*>> iterators;
  NamedAxes names;
  bool initial = false;
};

/// The instances of a component's class, with what its origins tell.
Context context_of(Model& model, const Instance& component, const Scope& scope);
/// The context inside a for-loop over one iterator; `body`: where the iterator is a subscript when it has no range.
/// Nothing when it failed or asks for a split.
Outcome<Context> enter_loop(Model& model, const ast::Iterator& iterator, const Subscripted& body, const Context& context,
                            Work& work);
/// The expressions of the equations in which the iterator is a subscript.
Subscripted subscripted_by(ast::List<const ast::Equation*> body, std::string_view iterator);
Subscripted subscripted_by(ast::List<const ast::Statement*> body, std::string_view iterator);
Typer typer_in(Model& model, Work& work, const Context& context);

}  // namespace bolza::flatten
