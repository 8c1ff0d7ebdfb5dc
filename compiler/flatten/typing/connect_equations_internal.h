// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <utility>
#include <vector>

#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/flatten/typing/context_internal.h"

namespace bolza::flatten {

/// A call of `Connections.branch`, `root`, … as an equation.
bool is_of_graph(const ast::Equation& equation);

using VisitConnection = std::function<void(const ast::Equation& equation, const Context& context)>;
/// Goes through the connect equations of the whole model and the calls of `Connections.…`, with the ranges of loops and the
/// conditions of branches.
void for_each_connection(Model& model, const VisitConnection& visit);

/// An element of a component: with the indices of the arrays around it, outermost first.
using ElementKey = std::pair<const Instance*, std::vector<std::int64_t>>;
/// The elements of a component (or array of components) that a node is, for every instance of the space: one list per
/// element of the node.
Outcome<std::vector<std::vector<ElementKey>>> elements_of(Model& model, Work& work, const Node& place);

}  // namespace bolza::flatten
