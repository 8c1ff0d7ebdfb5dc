// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/shapes/group_shapes.h"

#include "base/union_find.h"
#include "compiler/ir/node_map.h"

namespace bolza::passes {

Result<Done> group_shapes(System& system, Diagnostics&) {
  ir::Dag& dag = system.dag();
  for (ir::Section* section : sections_of(system.flat)) ir::roll(dag, *section);
  return Done{};
}

namespace {

/// Roots that stay together, numbers into the roots of their group.
using Parts = std::vector<std::vector<std::size_t>>;

Parts single_roots(const ir::Dag&, std::span<const ExprId> roots) {
  Parts parts(roots.size());
  for (std::size_t r = 0; r < roots.size(); ++r) parts[r] = {r};
  return parts;
}

/// Pairs of roots that share a call.
Parts pairs_by_calls(const ir::Dag& dag, std::span<const ExprId> roots) {
  auto n = static_cast<std::uint32_t>(roots.size() / 2);
  UnionFind together(n);
  ir::NodeMap<char> calls;  // does the node lead to a call?
  for (ExprId e : ir::reachable(dag, roots)) {
    bool own = dag.op(e) == ir::Op::call;
    for (ExprId operand : dag.operands(e)) own = own || *calls.find(operand);
    calls[e] = own;
  }
  ir::NodeMap<std::uint32_t> seen;  // by which pair first
  std::vector<ExprId> todo;
  for (std::uint32_t k = 0; k < n; ++k) {
    todo.assign({roots[2 * k], roots[2 * k + 1]});
    while (!todo.empty()) {
      ExprId e = todo.back();
      todo.pop_back();
      if (!*calls.find(e)) continue;
      if (const std::uint32_t* other = seen.find(e)) {
        together.unite(*other, k);
        continue;
      }
      seen[e] = k;
      for (ExprId operand : dag.operands(e)) todo.push_back(operand);
    }
  }
  Parts parts;
  std::vector<std::size_t> number(n);
  for (std::uint32_t k = 0; k < n; ++k) {
    std::uint32_t first = together.find(k);
    if (first == k) {
      number[k] = parts.size();
      parts.emplace_back();
    }
    for (std::size_t r : {2 * k, 2 * k + 1}) parts[number[first]].push_back(r);
  }
  return parts;
}

/// Divides groups of more than `few` roots. Every part gets the slots that it reads, and no others.
void split(Composer& composer, ir::Section& section, std::size_t few,
           Parts (*parts_of)(const ir::Dag&, std::span<const ExprId>), bool merge) {
  bool several = false;
  for (const ir::Group& group : section.groups) several |= group.roots.size() > few;
  if (!several) return;
  SectionBuilder builder(merge);
  for (const ir::Group& group : section.groups) {
    Parts parts = parts_of(composer.dag(), group.roots);
    std::vector<ir::CanonicalShape> shapes;
    for (const std::vector<std::size_t>& part : parts) {
      std::vector<ExprId> roots;
      for (std::size_t r : part) roots.push_back(group.roots[r]);
      shapes.push_back(ir::canonical_shape(composer.dag(), roots));
    }
    for (std::size_t i = 0; i < group.n; ++i)
      for (std::size_t p = 0; p < parts.size(); ++p) {
        GroupInstance own{{shapes[p].roots, {}, {}}, {}, group.origins[i]};
        for (std::uint32_t old : shapes[p].slots) own.applied.slots.push_back(group.slots[old][i]);
        for (const auto& source : shapes[p].data)
          own.applied.data.push_back(source.is_literal ? source.literal : group.data[source.datum][i]);
        own.applied = composer.canonical(own.applied);
        for (std::size_t r : parts[p]) own.rows.push_back(group.rows[r][i]);
        builder.add(own);
      }
  }
  section = builder.finish(section.n_rows);
}

}  // namespace

Result<Done> split_rows(System& system, Diagnostics&) {
  Composer composer(system.dag());
  ir::FlatModel& flat = system.flat;
  bool merge = system.options.enabled("group");
  split(composer, flat.equations, 1, single_roots, merge);
  split(composer, flat.initial_equations, 1, single_roots, merge);
  split(composer, flat.discrete_equations.section, 2, pairs_by_calls, merge);
  split(composer, flat.initial_discrete_equations.section, 2, pairs_by_calls, merge);
  if (!flat.optimization) return Done{};
  split(composer, flat.optimization->objective, 1, single_roots, merge);
  split(composer, flat.optimization->integrand, 1, single_roots, merge);
  return Done{};
}

}  // namespace bolza::passes
