// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "compiler/derive/active_internal.h"
#include "compiler/derive/partial.h"

namespace bolza::derive {

using ir::Dag;
using ir::ExprId;
using ir::Op;

ActiveGraph active_graph(const ir::Expressions& expressions, std::span<const ExprId> roots,
                         std::optional<std::span<const std::uint32_t>> wanted) {
  const Dag& dag = expressions.dag;
  std::vector<ExprId> reached = ir::reachable(dag, roots);
  ActiveGraph graph;
  std::vector<ExprId> leaves;
  for (ExprId e : reached) {
    if (dag.op(e) != Op::slot) continue;
    if (!wanted || std::find(wanted->begin(), wanted->end(), dag.index(e)) != wanted->end()) leaves.push_back(e);
  }
  std::sort(leaves.begin(), leaves.end(), [&](ExprId a, ExprId b) { return dag.index(a) < dag.index(b); });
  ir::NodeMap<std::uint32_t> local(reached.size());
  auto add = [&](ExprId e, std::vector<ActiveGraph::Edge> edges) {
    local[e] = static_cast<std::uint32_t>(graph.nodes.size());
    graph.nodes.push_back(e);
    graph.edges.push_back(std::move(edges));
  };
  for (ExprId e : leaves) {
    add(e, {});
    graph.slots.push_back(dag.index(e));
  }
  graph.n_slots = static_cast<std::uint32_t>(leaves.size());
  for (ExprId e : reached) {
    std::vector<ActiveGraph::Edge> edges;
    std::span<const ExprId> x = operands_of(dag, e);
    for (std::uint32_t k = 0; k < x.size(); ++k)
      if (const std::uint32_t* child = local.find(x[k]); child && differentiable(expressions, e, k))
        edges.push_back({k, *child});
    if (!edges.empty()) add(e, std::move(edges));
  }
  for (ExprId root : roots) {
    const std::uint32_t* at = local.find(root);
    graph.roots.push_back(at ? *at : ActiveGraph::inactive);
  }
  return graph;
}

}  // namespace bolza::derive
