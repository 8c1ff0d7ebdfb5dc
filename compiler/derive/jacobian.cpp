// SPDX-License-Identifier: Apache-2.0
#include "compiler/derive/jacobian.h"

#include <algorithm>

#include "base/expects.h"
#include "compiler/derive/active_internal.h"
#include "compiler/derive/inline.h"
#include "compiler/derive/partial.h"
#include "compiler/ir/substitute.h"

namespace bolza::derive {

using ir::Dag;
using ir::Expressions;
using ir::ExprId;
using ir::Op;

namespace {

void add_to(Dag& dag, ExprId& sum, ExprId term) {
  if (!dag.is_number(term, 0)) sum = sum ? plus(dag, sum, term) : term;
}

/// Adjoints of all nodes for given adjoints of roots; entry s is that of the s-th slot of the graph, absent when zero.
std::vector<ExprId> reverse(Expressions& expressions, const ActiveGraph& graph, std::vector<ExprId> adjoints) {
  for (std::size_t v = graph.nodes.size(); v-- > graph.n_slots;) {
    if (!adjoints[v]) continue;
    for (ActiveGraph::Edge edge : graph.edges[v])
      add_to(expressions.dag, adjoints[edge.child], chain(expressions, graph.nodes[v], edge.position, adjoints[v]));
  }
  adjoints.resize(graph.n_slots);
  return adjoints;
}

std::vector<JacobianEntry> reverse_jacobian(Expressions& expressions, const ActiveGraph& graph) {
  std::vector<JacobianEntry> entries;
  for (std::uint32_t r = 0; r < graph.roots.size(); ++r) {
    if (graph.roots[r] == ActiveGraph::inactive) continue;
    std::vector<ExprId> adjoints(graph.nodes.size());
    adjoints[graph.roots[r]] = expressions.dag.one();
    adjoints = reverse(expressions, graph, std::move(adjoints));
    for (std::uint32_t s = 0; s < graph.n_slots; ++s)
      if (adjoints[s]) entries.push_back({r, graph.slots[s], adjoints[s]});
  }
  return entries;
}

// ---------------------------------------------------------------- forward

using SparseRow = std::vector<std::pair<std::uint32_t, ExprId>>;  // (local slot, derivative), ascending

ExprId at(const SparseRow& row, std::uint32_t s) {
  auto found =
      std::lower_bound(row.begin(), row.end(), s, [](const auto& entry, std::uint32_t key) { return entry.first < key; });
  return found != row.end() && found->first == s ? found->second : ExprId();
}

/// The condition under which select, min or max pass on operand 1; absent for other nodes.
ExprId condition_for_operand_1(Dag& dag, ExprId e) {
  std::span<const ExprId> x = dag.operands(e);
  switch (dag.op(e)) {
    case Op::select:
      return x[0];
    case Op::min:
      return dag.make(Op::less, x[1], x[0]);
    case Op::max:
      return dag.make(Op::less, x[0], x[1]);
    default:
      return {};
  }
}

/// The derivative of one node by slot s from those of its operands.
ExprId forward_entry(Expressions& expressions, const ActiveGraph& graph, std::uint32_t v, std::uint32_t s,
                     const std::vector<SparseRow>& rows) {
  Dag& dag = expressions.dag;
  ExprId e = graph.nodes[v];
  if (ExprId condition = condition_for_operand_1(dag, e)) {
    ExprId yes = dag.zero(), no = dag.zero();
    for (ActiveGraph::Edge edge : graph.edges[v])
      if (ExprId d = at(rows[edge.child], s)) (edge.position == 1 ? yes : no) = d;
    return dag.select(condition, yes, no);
  }
  ExprId sum;
  for (ActiveGraph::Edge edge : graph.edges[v])
    if (ExprId d = at(rows[edge.child], s)) add_to(dag, sum, chain(expressions, e, edge.position, d));
  return sum ? sum : dag.zero();
}

/// The derivative of an output of a call along the tangents of its arguments; absent when the Program's statements give
/// it. Along time it is inlined: what the model says of the next derivative by time then stands in the equations itself.
ExprId along_tangents(Expressions& expressions, const ActiveGraph& graph, std::uint32_t v,
                      const std::vector<SparseRow>& rows, By by) {
  Dag& dag = expressions.dag;
  ExprId e = graph.nodes[v];
  if (dag.op(e) != Op::output) return {};
  ExprId call = dag.operands(e)[0];
  if (!has_own_tangent(expressions.programs[dag.program(call).index()])) return {};
  std::vector<ExprId> arguments(dag.operands(call).begin(), dag.operands(call).end());
  std::vector<ExprId> directions(arguments.size(), dag.zero());
  for (ActiveGraph::Edge edge : graph.edges[v])
    if (ExprId d = at(rows[edge.child], 0)) directions[edge.position] = d;
  ir::ProgramId along = tangent_along(expressions, dag.program(call), arguments, directions, by);
  arguments.insert(arguments.end(), directions.begin(), directions.end());
  if (by == By::time) return call_or_inline(expressions, along, arguments)[dag.index(e)];
  return dag.output(dag.call(along, arguments), dag.index(e));
}

std::vector<SparseRow> forward_rows(Expressions& expressions, const ActiveGraph& graph, std::vector<SparseRow> rows,
                                    std::optional<By> one_direction = {}) {
  rows.resize(graph.nodes.size());
  std::vector<std::uint32_t> support;
  for (std::uint32_t v = graph.n_slots; v < graph.nodes.size(); ++v) {
    support.clear();
    for (ActiveGraph::Edge edge : graph.edges[v])
      for (const auto& [s, d] : rows[edge.child]) support.push_back(s);
    std::sort(support.begin(), support.end());
    support.erase(std::unique(support.begin(), support.end()), support.end());
    if (one_direction && !support.empty())
      if (ExprId d = along_tangents(expressions, graph, v, rows, *one_direction)) {
        rows[v] = {{0, d}};
        continue;
      }
    for (std::uint32_t s : support)
      if (ExprId d = forward_entry(expressions, graph, v, s, rows); !expressions.dag.is_number(d, 0))
        rows[v].emplace_back(s, d);
  }
  return rows;
}

std::vector<JacobianEntry> forward_jacobian(Expressions& expressions, const ActiveGraph& graph) {
  std::vector<SparseRow> rows(graph.n_slots);
  for (std::uint32_t s = 0; s < graph.n_slots; ++s) rows[s] = {{s, expressions.dag.one()}};
  rows = forward_rows(expressions, graph, std::move(rows));
  std::vector<JacobianEntry> entries;
  for (std::uint32_t r = 0; r < graph.roots.size(); ++r)
    if (graph.roots[r] != ActiveGraph::inactive)
      for (const auto& [s, d] : rows[graph.roots[r]]) entries.push_back({r, graph.slots[s], d});
  return entries;
}

// ---------------------------------------------------------------- which of the two

/// Edges that reverse accumulation crosses: every root's own part of the graph once.
std::size_t reverse_effort(const ActiveGraph& graph) {
  std::size_t effort = 0;
  std::vector<char> marked;
  for (std::uint32_t root : graph.roots) {
    if (root == ActiveGraph::inactive) continue;
    marked.assign(root + 1, 0);
    marked[root] = 1;
    for (std::size_t v = root + std::size_t{1}; v-- > graph.n_slots;) {
      if (!marked[v]) continue;
      effort += graph.edges[v].size();
      for (ActiveGraph::Edge edge : graph.edges[v]) marked[edge.child] = 1;
    }
  }
  return effort;
}

/// Entries that forward accumulation computes, up to `limit`.
std::size_t forward_effort(const ActiveGraph& graph, std::size_t limit) {
  std::size_t effort = 0;
  std::vector<std::vector<std::uint32_t>> supports(graph.nodes.size());
  for (std::uint32_t s = 0; s < graph.n_slots; ++s) supports[s] = {s};
  for (std::uint32_t v = graph.n_slots; v < graph.nodes.size() && effort < limit; ++v) {
    for (ActiveGraph::Edge edge : graph.edges[v]) {
      effort += supports[edge.child].size();
      supports[v].insert(supports[v].end(), supports[edge.child].begin(), supports[edge.child].end());
    }
    std::sort(supports[v].begin(), supports[v].end());
    supports[v].erase(std::unique(supports[v].begin(), supports[v].end()), supports[v].end());
  }
  return effort;
}

std::size_t cost_of(const Dag& dag, const std::vector<JacobianEntry>& entries, std::span<const ExprId> roots) {
  std::vector<ExprId> all(roots.begin(), roots.end());
  for (const JacobianEntry& entry : entries) all.push_back(entry.value);
  return evaluation_cost(dag, all);
}

}  // namespace

std::size_t evaluation_cost(const Dag& dag, std::span<const ExprId> roots) {
  std::size_t cost = 0;
  for (ExprId e : ir::reachable(dag, roots)) {
    Op op = dag.op(e);
    bool leaf = ir::row_of(op).arity == 0 || op == Op::output;
    if (leaf) continue;
    bool function = !ir::row_of(op).libm.empty();
    cost += op == Op::call ? 100 : function ? 10 : op == Op::div || op == Op::sqrt ? 4 : 1;
  }
  return cost;
}

std::vector<JacobianEntry> jacobian(Expressions& expressions, std::span<const ExprId> roots, Wanted wanted) {
  ActiveGraph graph = active_graph(expressions, roots, wanted);
  std::size_t backward = reverse_effort(graph);
  std::size_t forward = forward_effort(graph, 16 * backward + 1000);
  if (forward > 8 * backward) return reverse_jacobian(expressions, graph);
  if (backward > 8 * forward) return forward_jacobian(expressions, graph);
  std::vector<JacobianEntry> by_reverse = reverse_jacobian(expressions, graph);
  std::vector<JacobianEntry> by_forward = forward_jacobian(expressions, graph);
  bool forward_wins = cost_of(expressions.dag, by_forward, roots) < cost_of(expressions.dag, by_reverse, roots);
  return forward_wins ? by_forward : by_reverse;
}

std::vector<GradientEntry> gradient(Expressions& expressions, ExprId root, Wanted wanted) {
  ExprId one = expressions.dag.one();
  return weighted_gradient(expressions, std::span(&root, 1), std::span(&one, 1), wanted);
}

std::vector<GradientEntry> weighted_gradient(Expressions& expressions, std::span<const ExprId> roots,
                                             std::span<const ExprId> factors, Wanted wanted) {
  expects(roots.size() == factors.size(), "every root has a factor");
  ActiveGraph graph = active_graph(expressions, roots, wanted);
  std::vector<ExprId> adjoints(graph.nodes.size());
  for (std::size_t r = 0; r < roots.size(); ++r)
    if (graph.roots[r] != ActiveGraph::inactive && factors[r]) add_to(expressions.dag, adjoints[graph.roots[r]], factors[r]);
  adjoints = reverse(expressions, graph, std::move(adjoints));
  std::vector<GradientEntry> entries;
  for (std::uint32_t s = 0; s < graph.n_slots; ++s)
    if (adjoints[s] && !expressions.dag.is_number(adjoints[s], 0)) entries.push_back({graph.slots[s], adjoints[s]});
  return entries;
}

std::vector<GradientEntry> vjp(Expressions& expressions, std::span<const ExprId> roots, Wanted wanted) {
  std::vector<ExprId> factors;
  for (std::uint32_t r = 0; r < roots.size(); ++r) factors.push_back(expressions.dag.weight(r));
  return weighted_gradient(expressions, roots, factors, wanted);
}

std::vector<ExprId> tangents(Expressions& expressions, std::span<const ExprId> roots, std::span<const ExprId> slot_tangents,
                             By by) {
  Dag& dag = expressions.dag;
  std::vector<std::uint32_t> wanted;
  for (std::uint32_t k = 0; k < slot_tangents.size(); ++k)
    if (slot_tangents[k] && !dag.is_number(slot_tangents[k], 0)) wanted.push_back(k);
  ActiveGraph graph = active_graph(expressions, roots, wanted);
  std::vector<SparseRow> rows(graph.n_slots);  // one "slot" 0: the direction
  for (std::uint32_t s = 0; s < graph.n_slots; ++s) rows[s] = {{0, slot_tangents[graph.slots[s]]}};
  rows = forward_rows(expressions, graph, std::move(rows), by);
  std::vector<ExprId> result;
  for (std::uint32_t root : graph.roots)
    result.push_back(root == ActiveGraph::inactive || rows[root].empty() ? dag.zero() : rows[root][0].second);
  return result;
}

std::vector<ExprId> jvp(Expressions& expressions, std::span<const ExprId> roots) {
  std::vector<ExprId> directions;
  for (std::uint32_t k : ir::leaves_of(expressions.dag, roots, Op::slot)) {
    directions.resize(k + std::size_t{1});
    directions[k] = expressions.dag.direction(k);
  }
  return tangents(expressions, roots, directions);
}

}  // namespace bolza::derive
