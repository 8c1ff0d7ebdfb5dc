// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/interior/piece_times.h"

#include <algorithm>
#include <cmath>

#include "compiler/ir/canonical.h"

namespace bolza::passes {
namespace {

using ir::Variable;
using ir::VariableKind;

class PieceTimes {
 public:
  PieceTimes(ir::FlatModel& next, System& evaluated, InteriorTimes& times, const PieceIds& ids)
      : next_(next),
        evaluated_(evaluated),
        times_(times),
        ids_(ids) {
    HorizonTimes& of = times.times();
    ends_.push_back(of.start());
    for (const InteriorTime& time : times.all()) ends_.push_back(time.time);
    ends_.push_back(of.final());
  }

  void add_times(const ir::FlatModel& old) {
    for (std::size_t end : {1u, 2u}) add_time_of_class(old.variables[end]);
    ir::ElementValues start, final;
    for (std::size_t k = 0; k < ids_.n(); ++k) {
      start.terms.push_back(alone(k == 0 ? ids_.start_time() : final_time_of(ids_, k - 1)));
      final.terms.push_back(term(k + 1));
    }
    add_array("finalTime", std::move(final));  // first, as final_time_of says
    VariableId first = add_array("startTime", std::move(start));
    for (std::size_t k = 0; k < ids_.n(); ++k) {
      Span span = k == 0 ? old.span : times_.all()[k - 1].span;
      next_.phases.push_back(
          {"piece[" + std::to_string(k + 1) + "]", VariableId(first.index() + k), final_time_of(ids_, k), span});
    }
    guess_times();
  }

  void keep_order() {
    for (std::size_t k = 0; k + 1 < ends_.size(); ++k) {
      if (times_.times().range(plus(ends_[k + 1], ends_[k], -1)).lower >= 0) continue;
      VariableId left = k == 0 ? ids_.start_time() : final_time_of(ids_, k - 1), right = final_time_of(ids_, k);
      passes::keep_order(next_, evaluated_.dag(), left, right, times_.all()[std::min(k, times_.all().size() - 1)].span);
    }
  }

 private:
  void add_time_of_class(const Variable& time) {
    Variable own = time;
    own.kind = VariableKind::parameter;
    own.first = VariableId(next_.variables.back().first.index() + next_.variables.back().size);
    for (ir::ElementValues& values : own.attributes) values = ids_.values_in(values, 0);
    own.binding = ids_.values_in(own.binding, 0);
    next_.variables.push_back(std::move(own));
    next_.n_scalars = next_.variables.back().first.value + 1;
  }

  VariableId add_array(const char* name, ir::ElementValues binding) {
    Variable array;
    array.name = {{"piece", 1}, {name, 0}};
    array.size = static_cast<std::uint32_t>(ids_.n());
    array.dimensions = {array.size};
    array.kind = VariableKind::parameter;
    array.first = VariableId(std::size_t{next_.n_scalars});
    array.binding = std::move(binding);
    next_.n_scalars += array.size;
    next_.variables.push_back(std::move(array));
    return next_.variables.back().first;
  }

  ir::Term alone(VariableId id) { return {evaluated_.dag().slot(0), {id}, {}, {}}; }

  ir::Term term(std::size_t end) {
    if (end + 1 == ends_.size()) return alone(ids_.final_time());
    ir::Dag& dag = evaluated_.dag();
    ir::Term out{dag.number(ends_[end].offset), {}, {}, times_.all()[end - 1].span};
    ExprId sum;
    for (const auto& [v, weight] : ends_[end].on) {
      ExprId one = dag.mul(dag.number(weight), dag.slot(static_cast<std::uint32_t>(out.slots.size())));
      out.slots.push_back(ids_.of(v, 0));
      sum = out.slots.size() == 1 ? one : dag.add(sum, one);
    }
    if (!out.slots.empty()) out.root = ends_[end].offset == 0 ? sum : dag.add(sum, out.root);
    return ir::canonical(dag, out);
  }

  // ---------------------------------------------------------- guesses

  /// The parameter that a time is, when it has no guess.
  VariableId unguessed(std::size_t end) const {
    const AffineInParameters& time = ends_[end];
    if (times_.times().has_guess(time) || time.on.size() != 1 || time.offset != 0) return {};
    return time.on.begin()->second == 1 ? time.on.begin()->first : VariableId{};
  }

  void guess_times() {
    HorizonTimes& of = times_.times();
    for (std::size_t k = 0; k < ends_.size(); ++k) {
      VariableId v = unguessed(k);
      if (!v) {
        guess_.push_back(of.guess(ends_[k]));
        continue;
      }
      std::size_t next = k + 1;
      while (next < ends_.size() && unguessed(next)) ++next;
      double from = k == 0 ? 0 : guess_[k - 1], step = 1;
      if (next < ends_.size()) step = std::max(0.0, of.guess(ends_[next]) - from) / static_cast<double>(next - k + 1);
      else if (k > 1) step = (from - guess_[0]) / static_cast<double>(k - 1);
      if (!(step > 0)) step = 1;
      Interval range = of.range(ends_[k]);
      double guess = std::clamp(from + step, range.lower, range.upper);
      guess_.push_back(guess);
      set_guess(ids_.of(v, 0), guess);
    }
  }

  /// Elements of an array have a guess all together, or none.
  void set_guess(VariableId v, double guess) {
    Variable& variable = ir::variable_of(next_, v);
    std::vector<ir::Term>& terms = variable.attributes[static_cast<std::size_t>(ir::Attribute::initial_guess)].terms;
    ir::Term number = ir::canonical(evaluated_.dag(), ir::Term{evaluated_.dag().number(guess), {}, {}, variable.span});
    if (terms.empty()) terms.assign(variable.size, number);
    terms[v.index() - variable.first.index()] = number;
  }

  ir::FlatModel& next_;
  System& evaluated_;
  InteriorTimes& times_;
  const PieceIds& ids_;
  std::vector<AffineInParameters> ends_;  ///< [pieces + 1]
  std::vector<double> guess_;
};

}  // namespace

VariableId final_time_of(const PieceIds& ids, std::size_t piece) { return VariableId(ids.final_time().index() + 1 + piece); }

void keep_order(ir::FlatModel& next, ir::Dag& dag, VariableId left, VariableId right, Span span) {
  ir::ConstraintSection& point = next.optimization->point;
  RowId row(std::size_t{point.section.n_rows++});
  ir::Group group{{dag.slot(0), dag.slot(1)},
                  1,
                  {ir::Column::listed({left}), ir::Column::listed({right})},
                  {},
                  {{row}, {row}},
                  {static_cast<std::uint32_t>(next.origins.size())}};
  next.origins.push_back({span, {}, 0});
  point.section.groups.push_back(ir::canonical(dag, group));
  point.relations.push_back(ir::Relation::less_equal);
}

void add_piece_times(ir::FlatModel& next, const ir::FlatModel& old, System& evaluated, InteriorTimes& times,
                     const PieceIds& ids) {
  PieceTimes(next, evaluated, times, ids).add_times(old);
}

void keep_order(ir::FlatModel& next, System& evaluated, InteriorTimes& times, const PieceIds& ids) {
  PieceTimes(next, evaluated, times, ids).keep_order();
}

}  // namespace bolza::passes
