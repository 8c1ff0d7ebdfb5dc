// SPDX-License-Identifier: Apache-2.0
#include "compiler/derive/hessian.h"

#include <algorithm>
#include <map>

#include "base/expects.h"
#include "compiler/derive/active_internal.h"
#include "compiler/derive/partial.h"

namespace bolza::derive {

using ir::Dag;
using ir::Expressions;
using ir::ExprId;

namespace {

/// Edge pushing: eliminates operators from the last to the first, keeping the symmetric matrix of second-order adjoints S
/// over the nodes that are left. An unordered pair is stored once, with the larger node, so that all partners of the node in
/// hand are there.
class EdgePushing {
 public:
  EdgePushing(Expressions& expressions, const ActiveGraph& graph)
      : all_(expressions),
        dag_(expressions.dag),
        graph_(graph),
        adjoints_(graph.nodes.size()),
        pairs_(graph.nodes.size()) {}

  void seed(std::uint32_t root, ExprId factor) { add(adjoints_[root], factor); }

  WeightedHessian run() {
    for (auto v = static_cast<std::uint32_t>(graph_.nodes.size()); v-- > graph_.n_slots;) {
      push_pairs(v);
      if (adjoints_[v]) push_adjoint(v);
    }
    WeightedHessian result;
    for (std::uint32_t s = 0; s < graph_.n_slots; ++s) {
      for (const auto& [other, value] : pairs_[s])
        if (!dag_.is_number(value, 0)) result.entries.push_back({graph_.slots[s], graph_.slots[other], value});
      if (adjoints_[s] && !dag_.is_number(adjoints_[s], 0)) result.gradient.push_back({graph_.slots[s], adjoints_[s]});
    }
    return result;
  }

 private:
  void add(ExprId& sum, ExprId term) {
    if (!dag_.is_number(term, 0)) sum = sum ? plus(dag_, sum, term) : term;
  }

  void add_pair(std::uint32_t i, std::uint32_t j, ExprId term) {
    if (!dag_.is_number(term, 0)) add(pairs_[std::max(i, j)][std::min(i, j)], term);
  }

  ExprId twice(ExprId e) { return dag_.mul(dag_.number(2), e); }

  /// S(p, v) moves to (p, operands of v), S(v, v) to pairs of operands.
  void push_pairs(std::uint32_t v) {
    std::map<std::uint32_t, ExprId> partners = std::move(pairs_[v]);
    ExprId e = graph_.nodes[v];
    const auto& edges = graph_.edges[v];
    for (const auto& [p, value] : partners) {
      if (!value || dag_.is_number(value, 0)) continue;
      for (std::size_t k = 0; k < edges.size(); ++k) {
        ExprId pushed = chain(all_, e, edges[k].position, value);
        if (p != v) {
          add_pair(p, edges[k].child, edges[k].child == p ? twice(pushed) : pushed);
          continue;
        }
        add_pair(edges[k].child, edges[k].child, chain(all_, e, edges[k].position, pushed));
        for (std::size_t m = 0; m < k; ++m) add_cross(edges[k], edges[m], chain(all_, e, edges[m].position, pushed));
      }
    }
  }

  /// The curvature of the operator itself, then its first-order adjoint.
  void push_adjoint(std::uint32_t v) {
    ExprId e = graph_.nodes[v];
    const auto& edges = graph_.edges[v];
    for (std::size_t k = 0; k < edges.size(); ++k)
      for (std::size_t m = 0; m <= k; ++m) {
        ExprId curvature = second_chain(all_, e, edges[k].position, edges[m].position, adjoints_[v]);
        if (k == m) add_pair(edges[k].child, edges[k].child, curvature);
        else add_cross(edges[k], edges[m], curvature);
      }
    for (ActiveGraph::Edge edge : edges) add(adjoints_[edge.child], chain(all_, e, edge.position, adjoints_[v]));
  }

  /// Two different operands of one operator; both off-diagonal places count when they are the same node.
  void add_cross(ActiveGraph::Edge a, ActiveGraph::Edge b, ExprId term) {
    add_pair(a.child, b.child, a.child == b.child ? twice(term) : term);
  }

  Expressions& all_;
  Dag& dag_;
  const ActiveGraph& graph_;
  std::vector<ExprId> adjoints_;
  std::vector<std::map<std::uint32_t, ExprId>> pairs_;  // [larger node][smaller or equal node]
};

}  // namespace

WeightedHessian weighted_hessian(Expressions& expressions, std::span<const ExprId> roots, std::span<const ExprId> factors) {
  expects(roots.size() == factors.size(), "every root has a factor");
  ActiveGraph graph = active_graph(expressions, roots);
  EdgePushing sweep(expressions, graph);
  for (std::size_t r = 0; r < roots.size(); ++r)
    if (graph.roots[r] != ActiveGraph::inactive && factors[r]) sweep.seed(graph.roots[r], factors[r]);
  return sweep.run();
}

WeightedHessian hessian(Expressions& expressions, std::span<const ExprId> roots) {
  std::vector<ExprId> factors;
  for (std::uint32_t r = 0; r < roots.size(); ++r) factors.push_back(expressions.dag.weight(r));
  return weighted_hessian(expressions, roots, factors);
}

}  // namespace bolza::derive
