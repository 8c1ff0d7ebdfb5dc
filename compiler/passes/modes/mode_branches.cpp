// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/modes/mode_branches.h"

#include <algorithm>
#include <set>

#include "base/bit_order.h"
#include "compiler/ir/print.h"
#include "compiler/ir/substitute.h"
#include "compiler/passes/system/delays_as_written.h"
#include "compiler/passes/system/needed_equations.h"

namespace bolza::passes {

using ir::Op;

namespace {

bool is_relation(Op op) { return op == Op::less || op == Op::less_equal || op == Op::greater || op == Op::greater_equal; }
bool decides(Op op) { return is_relation(op) || op == Op::abs || op == Op::sign || op == Op::min || op == Op::max; }

}  // namespace

ModeBranches::ModeBranches(System& system, const ir::ModeSequence& sequence)
    : system_(system),
      dag_(system.dag()),
      composer_(system.dag()),
      sequence_(sequence) {
  const ir::FlatModel& flat = system.flat;
  collect(needed_equations(system));
  for (const ir::Section* section : {&flat.optimization->path.section, &flat.optimization->integrand}) collect(*section);
}

void ModeBranches::collect(const ir::Section& section) {
  for_each_instance(section, [&](const GroupInstance& i) { add(i); });
}

void ModeBranches::add(const GroupInstance& i) {
  for (ExprId e : deciding(i.applied.roots)) {
    if (!moves(e, i.applied.slots) || find(e, i.applied)) continue;
    Applied indicator = indicator_of(e, i.applied, true);
    known_[{indicator.roots, indicator.slots, bits_of(indicator.data)}] = {relations_.size(), true};
    std::string text = text_of(e, i);
    Span span = system_.span_of_origin(i.origin);
    bool is_below = dag_.op(e) == Op::less_equal || dag_.op(e) == Op::greater;  // a <= b holds at a = b, a > b does not
    std::int8_t at_zero = is_below ? -1 : 1;
    relations_.push_back({{indicator.root(), indicator.slots, indicator.data, span}, std::move(text), span, at_zero});
  }
}

std::vector<std::uint32_t> ModeBranches::relations_in(const Applied& what) {
  std::set<std::uint32_t> found;
  for (ExprId e : deciding(what.roots))
    if (const Decided* decided = decided_by(e, what)) found.insert(static_cast<std::uint32_t>(decided->relation));
  return {found.begin(), found.end()};
}

/// As it is written, "T < 18".
std::string ModeBranches::text_of(ExprId e, const GroupInstance& i) {
  Applied written = composer_.canonical({{e}, i.applied.slots, i.applied.data});
  ir::Group alone{written.roots, 1, {}, {}, {{RowId(0u)}}, {i.origin}};
  for (VariableId v : written.slots) alone.slots.push_back(ir::Column::listed({v}));
  for (double datum : written.data) alone.data.emplace_back(1, datum);
  return with_delays_written(system_.flat, ir::to_text(system_.flat, alone, 0, 0));
}

std::vector<ExprId> ModeBranches::deciding(std::span<const ExprId> roots) const {
  std::vector<ExprId> found = ir::reachable(dag_, roots);
  std::erase_if(found, [&](ExprId e) { return !decides(dag_.op(e)); });
  return found;
}

/// Does it depend on more than parameters, time and controls that choose between values anyway?
bool ModeBranches::moves(ExprId e, std::span<const VariableId> slots) const {
  std::vector<ExprId> roots{e};
  std::vector<std::uint32_t> read = ir::leaves_of(dag_, roots, Op::slot);
  return std::any_of(read.begin(), read.end(), [&](std::uint32_t k) {
    const ir::Variable& variable = ir::variable_of(system_.flat, slots[k]);
    bool chooses = variable.kind == ir::VariableKind::input && variable.type != ir::ValueType::real;
    return system_.varies(slots[k]) && system_.role(slots[k]) != ScalarRole::time && !chooses;
  });
}

Applied ModeBranches::indicator_of(ExprId e, const Applied& what, bool rises) {
  std::span<const ExprId> x = dag_.operands(e);
  bool pair = dag_.op(e) != Op::abs && dag_.op(e) != Op::sign;
  ExprId a = x[0], b = pair ? x[1] : dag_.zero();
  ExprId difference = rises ? (pair ? dag_.sub(a, b) : a) : (pair ? dag_.sub(b, a) : dag_.neg(a));
  return composer_.canonical({{difference}, what.slots, what.data});
}

const ModeBranches::Decided* ModeBranches::find(ExprId e, const Applied& what) {
  for (bool rises : {true, false}) {
    Applied indicator = indicator_of(e, what, rises);
    Key key{indicator.roots, indicator.slots, bits_of(indicator.data)};
    auto at = known_.find(key);
    if (at == known_.end()) continue;
    if (rises) return &at->second;
    Applied own = indicator_of(e, what, true);
    return &known_.try_emplace({own.roots, own.slots, bits_of(own.data)}, Decided{at->second.relation, !at->second.rises})
                .first->second;
  }
  return nullptr;
}

const ModeBranches::Decided* ModeBranches::decided_by(ExprId e, const Applied& what) {
  return decides(dag_.op(e)) && moves(e, what.slots) ? find(e, what) : nullptr;
}

Applied ModeBranches::in_piece(const Applied& what, std::size_t piece) {
  if (sequence_.sides[piece].empty() || deciding(what.roots).empty()) return what;
  std::map<ExprId, ExprId> made;
  Applied out = what;
  for (ExprId& root : out.roots) root = fold(root, what, piece, made);
  return out;
}

/// Only what the piece still needs is looked at: a relation in a branch that is not taken decides on nothing.
ExprId ModeBranches::fold(ExprId e, const Applied& what, std::size_t piece, std::map<ExprId, ExprId>& made) {
  if (auto at = made.find(e); at != made.end()) return at->second;
  std::vector<ExprId> operands(dag_.operands(e).begin(), dag_.operands(e).end()), x;
  if (operands.empty()) return made[e] = e;
  Op op = dag_.op(e);
  if (op == Op::select) {
    ExprId condition = fold(operands[0], what, piece, made);
    if (dag_.is_number(condition)) return made[e] = fold(operands[dag_.value(condition) != 0 ? 1 : 2], what, piece, made);
  }
  for (ExprId operand : operands) {
    x.push_back(fold(operand, what, piece, made));
    bool ends_it = (op == Op::logical_and && dag_.is_number(x.back(), 0)) ||
                   (op == Op::logical_or && dag_.is_number(x.back()) && dag_.value(x.back()) != 0);
    if (ends_it) return made[e] = x.back();
  }
  const Decided* decided = decided_by(e, what);
  if (!decided) return made[e] = op == Op::no_event && dag_.is_number(x[0]) ? x[0] : ir::with_operands(dag_, e, x);
  std::int8_t side = sequence_.sides[piece][decided->relation];
  bool pair = op != Op::abs && op != Op::sign;
  ExprId indicator = pair ? dag_.sub(x[0], x[1]) : x[0];
  if (!decided->rises) indicator = dag_.neg(indicator);
  guards_.try_emplace({piece, decided->relation}, Guard{composer_.canonical({{indicator}, what.slots, what.data})});
  return made[e] = branch_of(dag_, e, x, (side > 0) == decided->rises);
}

}  // namespace bolza::passes
