// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/modes/jumps.h"

#include <set>

#include "compiler/ir/canonical.h"
#include "compiler/ir/substitute.h"

namespace bolza::passes {
namespace {

/// Values of variables of the pieces at ends of pieces, and point constraints over them.
class PieceEnds {
 public:
  PieceEnds(ir::FlatModel& pieces, const PieceIds& ids) : pieces_(pieces), ids_(ids), composer_(pieces.expressions.dag) {}

  /// The value of a variable of the model at the start or the end of a piece; of what does not vary it itself.
  VariableId at(VariableId v, std::size_t piece, bool at_end) {
    VariableId time = at_end ? pieces_.phases[piece].final_time : pieces_.phases[piece].start_time;
    if (v == VariableId(0u)) return time;
    VariableId own = ids_.of(v, piece);
    if (!ids_.is_own(v)) return own;
    ir::Variable value;
    value.name = {{"", 0}};
    value.kind = ir::VariableKind::timed;
    value.of = own;
    value.span = ir::variable_of(pieces_, own).span;
    value.time_slot = static_cast<std::uint32_t>(pieces_.time_slots.size());
    value.first = VariableId(std::size_t{pieces_.n_scalars++});
    pieces_.time_slots.push_back({ir::Term{pieces_.expressions.dag.slot(0), {time}, {}, value.span}});
    pieces_.variables.push_back(value);
    return value.first;
  }

  /// left = right, both over ids of the pieces.
  void equate(Applied row, Span span) {
    ir::ConstraintSection& point = pieces_.optimization->point;
    RowId number(std::size_t{point.section.n_rows++});
    SectionBuilder builder(false);
    builder.add({composer_.canonical(row), {number, number}, static_cast<std::uint32_t>(pieces_.origins.size())});
    pieces_.origins.push_back({span, {}, 0});
    for (ir::Group& made : builder.finish(point.section.n_rows).groups) point.section.groups.push_back(std::move(made));
    point.relations.push_back(ir::Relation::equal);
  }

 private:
  ir::FlatModel& pieces_;
  const PieceIds& ids_;
  Composer composer_;
};

}  // namespace

Jumps::Jumps(ir::FlatModel& model) {
  for_each_instance(model.reinitialisations.section, [&](const GroupInstance& i) {
    const Applied& both = i.applied;
    jumps_.push_back({{{both.roots[0]}, both.slots, both.data},
                      {{both.roots[1]}, both.slots, both.data},
                      model.reinitialisations.states[i.rows[0].index()],
                      i.origin});
  });
  model.reinitialisations = {};
}

void Jumps::define(System& literal, ModeBranches& branches) {
  Composer composer(literal.dag());
  auto is = [&](VariableId v) { return literal.definition(v); };
  for (Jump& jump : jumps_) {
    jump.fires = composer.compose(jump.fires, is);
    jump.value = composer.compose(jump.value, is);
    branches.add({jump.fires, {}, jump.origin});
  }
}

std::vector<ir::ModeJump> Jumps::listed(const System& literal, ModeBranches& branches) const {
  std::vector<ir::ModeJump> out;
  for (const Jump& jump : jumps_)
    out.push_back({literal.name(jump.state), branches.relations_in(jump.fires), literal.span_of_origin(jump.origin)});
  return out;
}

void Jumps::link(const ir::FlatModel& of, ir::FlatModel& pieces, const PieceIds& ids, const ModeBranches& branches,
                 const ir::ModeSequence& sequence) const {
  PieceEnds ends(pieces, ids);
  ir::Dag& dag = pieces.expressions.dag;
  for (std::size_t piece = 0; piece < sequence.jumps.size(); ++piece) {
    std::set<std::uint32_t> zeros;  // two reinits of one `when` fire together
    for (const ir::ModeSequence::Event& event : sequence.jumps[piece]) {
      const Jump& jump = jumps_[event.jump];
      Span span = of.origins[jump.origin].span;
      const ir::Term& indicator = branches.relations()[event.relation].indicator;
      Applied zero{{indicator.root, dag.zero()}, indicator.slots, indicator.data}, set = jump.value;
      for (VariableId& v : zero.slots) v = ends.at(v, piece, true);
      if (zeros.insert(event.relation).second) ends.equate(zero, span);
      for (VariableId& v : set.slots) {
        const ir::Variable& variable = ir::variable_of(of, v);
        bool before = variable.kind == ir::VariableKind::previous;  // pre(x): its value where the mode ends
        v = ends.at(before ? VariableId(variable.of.index() + v.index() - variable.first.index()) : v, piece, true);
      }
      set.roots.insert(set.roots.begin(), dag.slot(static_cast<std::uint32_t>(set.slots.size())));
      set.slots.push_back(ends.at(jump.state, piece + 1, false));
      ends.equate(set, span);
      pieces.jumped.push_back(ids.of(jump.state, piece + 1));
    }
  }
}

}  // namespace bolza::passes
