// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/system/add_rows.h"

#include "compiler/ir/substitute.h"

namespace bolza::passes {

std::uint32_t add_origin(System& system, Span span) {
  system.flat.origins.push_back({span, {}});
  return static_cast<std::uint32_t>(system.flat.origins.size() - 1);
}

namespace {

ir::Group group_of_one(const GroupInstance& instance) {
  SectionBuilder builder;
  builder.add(instance);
  return std::move(builder.finish(0).groups[0]);
}

/// Slots and data of `b` moved after those of `a`; gives root of `b` over the joined lists.
ExprId join(ir::Dag& dag, Applied& a, const Applied& b) {
  std::vector<ExprId> slots, data;
  for (std::size_t k = 0; k < b.slots.size(); ++k) slots.push_back(dag.slot(static_cast<std::uint32_t>(a.slots.size() + k)));
  for (std::size_t k = 0; k < b.data.size(); ++k) data.push_back(dag.datum(static_cast<std::uint32_t>(a.data.size() + k)));
  a.slots.insert(a.slots.end(), b.slots.begin(), b.slots.end());
  a.data.insert(a.data.end(), b.data.begin(), b.data.end());
  return ir::substitute(dag, b.root(), {.slots = slots, .data = data});
}

}  // namespace

Applied pair_of(ir::Dag& dag, const Applied& left, const Applied& right) {
  Applied both = left;
  both.roots.push_back(join(dag, both, right));
  return Composer(dag).canonical(both);
}

Applied difference(ir::Dag& dag, const Applied& left, const Applied& right) {
  Applied both = left;
  ExprId right_root = join(dag, both, right);
  both.roots = {dag.sub(left.root(), right_root)};
  return Composer(dag).canonical(both);
}

void add_row(System& system, ir::Section& section, const Applied& what, std::uint32_t origin) {
  Composer composer(system.dag());
  section.groups.push_back(group_of_one({composer.canonical(what), {RowId(std::size_t{section.n_rows})}, origin}));
  ++section.n_rows;
}

void add_constraint(System& system, ir::ConstraintSection& section, const Applied& left, const Applied& right,
                    ir::Relation relation, std::uint32_t origin) {
  RowId row(std::size_t{section.section.n_rows});
  section.section.groups.push_back(group_of_one({pair_of(system.dag(), left, right), {row, row}, origin}));
  section.relations.push_back(relation);
  ++section.section.n_rows;
}

}  // namespace bolza::passes
