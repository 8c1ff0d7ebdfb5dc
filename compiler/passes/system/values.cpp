#include "compiler/passes/system/values.h"

#include <algorithm>
#include <cmath>

#include "compiler/ir/substitute.h"

namespace bolza::passes {

double Values::of(ExprId root, std::span<const VariableId> slots, std::span<const double> data) {
  if (system_.dag().is_number(root)) return system_.dag().value(root);
  if (system_.dag().op(root) == ir::Op::datum) return data[system_.dag().index(root)];
  std::vector<double> values;
  for (VariableId v : slots) values.push_back(v.index() < system_.n() ? system_.numbers[v.index()].start : NAN);
  if (system_.dag().op(root) != ir::Op::output) return computed(root, values, data);
  ExprId call = system_.dag().operands(root)[0];
  bool again = !last_.outputs.empty() && last_.call == call && last_.slots == values &&
               std::equal(data.begin(), data.end(), last_.data.begin(), last_.data.end());
  if (!again) run(call, values, data);
  return last_.outputs[system_.dag().index(root)];
}

double Values::computed(ExprId root, std::span<const double> slots, std::span<const double> data) {
  auto [at, is_new] = tapes_.try_emplace(root);
  if (is_new) at->second = ir::make_tape(system_.dag(), std::span(&root, 1));
  double value = NAN;
  if (!interpreter_.evaluate(at->second, {.slots = slots, .data = data}, std::span(&value, 1))) return NAN;
  return value;
}

void Values::run(ExprId call, const std::vector<double>& slots, std::span<const double> data) {
  ir::ProgramId program = system_.dag().program(call);
  std::vector<double> arguments;
  for (ExprId operand : system_.dag().operands(call)) arguments.push_back(computed(operand, slots, data));
  std::vector<double> outputs(ir::output_count(system_.flat.expressions.programs[program.index()]), NAN);
  if (!interpreter_.run(program, arguments, outputs)) std::fill(outputs.begin(), outputs.end(), NAN);
  last_ = {call, slots, {data.begin(), data.end()}, std::move(outputs)};
}

bool is_fixed(const System& system, std::span<const VariableId> slots) {
  for (VariableId v : slots)
    if (v.index() >= system.n() || system.varies(v) || system.is_free(v)) return false;
  return true;
}

Interval range_of(const System& system, VariableId v) {
  const ir::Numbers& numbers = system.numbers[v.index()];
  if (!system.varies(v) && !system.is_free(v)) return {numbers.start, numbers.start};
  if (system.role(v) == Role::time || system.role(v) == Role::timed || system.role(v) == Role::dependent)
    return everything();
  return {numbers.min, numbers.max};
}

Interval range_of(const System& system, ExprId root, std::span<const VariableId> slots, std::span<const double> data) {
  std::vector<Interval> ranges;
  for (VariableId v : slots) ranges.push_back(range_of(system, v));
  return range_of(system.dag(), root, ranges, data);
}

// ---------------------------------------------------------------- making rows

std::uint32_t add_origin(System& system, Span span) {
  system.flat.origins.push_back({span, {}});
  return static_cast<std::uint32_t>(system.flat.origins.size() - 1);
}

namespace {

ir::Group group_of_one(const Instance& instance) {
  SectionBuilder builder;
  builder.add(instance);
  return std::move(builder.finish(0).groups[0]);
}

/// Slots and data of `b` moved behind those of `a`; gives root of `b` over the joined lists.
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
