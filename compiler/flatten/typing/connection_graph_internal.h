// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/model/connection_graph_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"

namespace bolza::flatten {

/// The graph of the whole model with its spanning trees, made when it is first asked for. Branches are in the trees, then
/// connections in the order in which they are written, but for those that close loops. Roots are those that `root` names,
/// and in a tree without such the node of `potentialRoot` with the least priority, the first among equals.
/// Errors  E322, E329, E343, E344 of the graph. Cost: the connect equations of the whole model.
const ConnectionGraph& connection_graph(Model& model);

/// Whether the type of a component, or of a part of it, has a function `equalityConstraint`.
bool is_overconstrained(Model& model, const Instance& component);
bool has_overconstrained(Model& model, const Instance& component);

/// For every instance of the space, the nodes that a component or array of such is; `none` for those outside of the graph.
Outcome<std::vector<std::vector<std::uint32_t>>> graph_nodes(Model& model, Work& work, const ConnectionGraph& graph,
                                                             const Node& place);

}  // namespace bolza::flatten
