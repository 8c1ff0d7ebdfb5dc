// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/interior/pieces.h"

#include <algorithm>
#include <cmath>

#include "compiler/passes/interior/piece_ids.h"
#include "compiler/passes/interior/piece_times.h"

namespace bolza::passes {
namespace {

using ir::Variable;
using ir::VariableKind;

class Cutter {
 public:
  /// Of one horizon.
  Cutter(const ir::FlatModel& model, System& evaluated, InteriorTimes& times, Branches& branches)
      : old_(model),
        evaluated_(evaluated),
        times_(&times),
        ids_(model, times.all().size() + 1),
        composer_(evaluated.dag()),
        branches_(branches) {}
  /// Of phases.
  Cutter(const ir::FlatModel& model, System& evaluated, const PieceIds& ids, VariableId switches, Branches& branches)
      : old_(model),
        evaluated_(evaluated),
        ids_(ids),
        switches_(switches),
        composer_(evaluated.dag()),
        branches_(branches) {}

  ir::FlatModel run() {
    next_ = old_;
    next_.variables.clear();
    next_.are_pieces = true;
    copy_variables();
    if (times_) add_piece_times(next_, old_, evaluated_, *times_, ids_);
    next_.equations = copied(old_.equations, true).section;
    next_.initial_equations = copied(old_.initial_equations, false).section;
    copy_problem();
    if (times_) keep_order(next_, evaluated_, *times_, ids_);
    else add_phases();
    copy_messages();
    for (ir::ModeRelation& relation : next_.mode_relations) relation.indicator = ids_.term(relation.indicator, 0);
    next_.expressions = std::move(evaluated_.flat.expressions);
    return std::move(next_);
  }

 private:
  // ---------------------------------------------------------- variables

  void copy_variables() {
    for (std::size_t v = 0; v < old_.variables.size(); ++v) {
      const Variable& variable = old_.variables[v];
      if (variable.kind == VariableKind::timed) copy_timed(v);
      else if (ids_.is_own(v) && ids_.are_of_phases()) copy_in_phases(v);
      else if (ids_.is_own(v) && variable.of) copy_one_by_one(v);
      else copy_plain(v);
    }
    for (Variable& variable : next_.variables)
      if (times_ && (variable.kind == VariableKind::start_time || variable.kind == VariableKind::final_time))
        empty(variable);
  }

  void copy_plain(std::size_t v) {
    Variable variable = old_.variables[v];
    variable.first = ids_.first(v);
    for (ir::ElementValues& values : variable.attributes) values = ids_.values(values, v);
    variable.binding = ids_.values(variable.binding, v);
    if (ids_.is_own(v)) make_array(variable);
    if (ids_.are_of_phases()) variable.first_phase.reset();
    next_.variables.push_back(std::move(variable));
  }

  /// Each copy alone; elements that are in different phases, too.
  void copy_in_phases(std::size_t v) {
    const Variable& variable = old_.variables[v];
    std::uint32_t together = ids_.is_apart(v) ? 1 : variable.size;
    for (std::uint32_t e = 0; e < variable.size; e += together) {
      VariableId first(variable.first.index() + e);
      PieceRange range = ids_.pieces_of(std::span(&first, 1));
      for (std::size_t piece = range.first; piece < range.end; ++piece) {
        Variable own = elements_of(variable, e, together);
        own.first = ids_.of(first, piece);
        for (ir::ElementValues& values : own.attributes) values = ids_.values_in(values, piece);
        if (variable.of) own.of = ids_.of(VariableId(variable.of.index() + e), piece);
        if (piece > range.first && !own.fixed.empty()) own.fixed = {false};
        if (!variable.of) own.name.insert(own.name.begin(), {"piece[" + std::to_string(piece + 1) + "]", 0});
        own.first_phase = static_cast<std::uint32_t>(piece);
        own.n_phases = 1;
        next_.variables.push_back(std::move(own));
      }
    }
  }

  /// `n` elements from `e` on: all, or one as a variable of its own.
  Variable elements_of(const Variable& variable, std::uint32_t e, std::uint32_t n) const {
    Variable out = variable;
    if (n == variable.size) return out;
    auto only = [&](auto& values) {
      if (values.size() > 1) values = {values[e]};
    };
    if (!variable.of) out.name = {{ir::name_of(old_, VariableId(variable.first.index() + e)), 0}};
    out.size = 1;
    out.dimensions.clear();
    for (ir::ElementValues& values : out.attributes) only(values.terms);
    only(out.fixed);
    only(out.selectable);
    return out;
  }

  /// Fixed starts are those of the first piece.
  void make_array(Variable& variable) const {
    auto n = static_cast<std::uint32_t>(ids_.n());
    variable.name.insert(variable.name.begin(), {"piece", 1});
    variable.dimensions.insert(variable.dimensions.begin(), n);
    if (variable.fixed.size() == 1) variable.fixed.assign(variable.size, variable.fixed[0]);
    if (!variable.fixed.empty()) variable.fixed.resize(std::size_t{variable.size} * n, false);
    std::vector<bool> once = variable.selectable;
    for (std::uint32_t s = 1; s < n && once.size() > 1; ++s)
      variable.selectable.insert(variable.selectable.end(), once.begin(), once.end());
    variable.size *= n;
    variable.first_phase = 0;
    variable.n_phases = n;
  }

  void copy_one_by_one(std::size_t v) {
    for (std::size_t s = 0; s < ids_.n(); ++s) {
      Variable variable = old_.variables[v];
      variable.first = VariableId(ids_.first(v).value + s * variable.size);
      variable.of = ids_.of(variable.of, s);
      for (ir::ElementValues& values : variable.attributes) values = ids_.values_in(values, s);
      next_.variables.push_back(std::move(variable));
    }
  }

  static void empty(Variable& time) {
    for (ir::ElementValues& values : time.attributes) values.terms.clear();
    time.binding.terms.clear();
    time.free = false;
  }

  // ---------------------------------------------------------- x(t1)

  /// Each element alone, in the piece that ends at its time (at startTime in the first one); time(t1) is t1.
  void copy_timed(std::size_t v) {
    const Variable& variable = old_.variables[v];
    for (std::uint32_t e = 0; e < variable.size; ++e) {
      VariableId of(variable.of.index() + e);
      const ir::Term& time = old_.time_slots[variable.time_slot + (variable.one_time_slot ? 0 : e)].time;
      Variable one = variable;
      one.first = VariableId(ids_.first(v).index() + e);
      one.size = 1;
      one.dimensions.clear();
      one.of = {};
      for (ir::ElementValues& values : one.attributes) values.terms.clear();
      if (evaluated_.role(of) == ScalarRole::time) {
        one.kind = VariableKind::parameter;
        one.binding.terms = {ids_.term(time, 0)};
      } else {
        one.of = ids_.of(of, place(of, time).piece);
        one.time_slot = static_cast<std::uint32_t>(next_.time_slots.size());
        one.one_time_slot = true;
        next_.time_slots.push_back({place(of, time).time});
      }
      next_.variables.push_back(std::move(one));
    }
  }

  struct Place {
    std::size_t piece = 0;
    ir::Term time;
  };

  Place place(VariableId of, const ir::Term& time) {
    if (!evaluated_.varies(of)) return {0, ids_.term(time, 0)};
    if (!times_) {
      PieceRange range = ids_.pieces_of(std::span(&of, 1));
      bool ends = is_at_end_of_phase(evaluated_, of, time, true);
      return {ends ? range.end - 1 : range.first, ids_.term(time, 0)};
    }
    AffineInParameters affine = times_->times().of(time);
    auto end = [&](VariableId id) { return ir::Term{evaluated_.dag().slot(0), {id}, {}, time.span}; };
    if (times_->is_start(affine)) return {0, end(ids_.start_time())};
    if (times_->is_final(affine)) return {ids_.n() - 1, end(ids_.final_time())};
    std::size_t k = *times_->find(affine);
    return {k, end(final_time_of(ids_, k))};
  }

  // ---------------------------------------------------------- rows

  struct Copied {
    ir::Section section;
    std::vector<std::uint32_t> row_of;  ///< [rows] row that it comes from
  };

  /// A copy of what varies for each piece of its phase, or that of the first piece only.
  Copied copied(const ir::Section& section, bool in_each) {
    std::vector<std::uint8_t> own(section.n_rows);
    std::vector<PieceRange> pieces(section.n_rows);
    for_each_instance(section, [&](const GroupInstance& i) {
      if (!in_each || !ids_.reads_own(i.applied.slots)) return;
      for (RowId row : i.rows) {
        own[row.index()] = 1;
        pieces[row.index()] = ids_.pieces_of(i.applied.slots);
      }
    });
    Copied out;
    std::vector<std::uint32_t> first;
    for (std::uint32_t row = 0; row < section.n_rows; ++row) {
      first.push_back(static_cast<std::uint32_t>(out.row_of.size()));
      out.row_of.insert(out.row_of.end(), pieces[row].end - pieces[row].first, row);
    }
    SectionBuilder builder(evaluated_.options.enabled("group"));
    for_each_instance(section, [&](const GroupInstance& i) {
      auto varies = std::find_if(i.rows.begin(), i.rows.end(), [&](RowId row) { return own[row.index()] != 0; });
      PieceRange range = varies == i.rows.end() ? PieceRange{} : pieces[varies->index()];
      for (std::size_t s = range.first; s < range.end; ++s)
        builder.add(instance(
            i, s, in_each, [&](RowId row) { return RowId(first[row.index()] + (own[row.index()] ? s - range.first : 0)); }));
    });
    out.section = builder.finish(static_cast<std::uint32_t>(out.row_of.size()));
    return out;
  }

  template <typename Row>
  GroupInstance instance(const GroupInstance& i, std::size_t piece, bool fixes_branches, const Row& row) {
    GroupInstance out = i;
    Applied own = fixes_branches ? branches_.in_piece(i.applied, piece) : i.applied;
    for (VariableId& id : own.slots) id = ids_.of(id, piece);
    out.applied = composer_.canonical(own);
    for (RowId& r : out.rows) r = row(r);
    return out;
  }

  void copy_problem() {
    const ir::OptimizationProblem& from = *old_.optimization;
    ir::OptimizationProblem& to = *next_.optimization;
    to.objective = copied(from.objective, false).section;
    SectionBuilder integrand(evaluated_.options.enabled("group"));
    for_each_instance(from.integrand, [&](const GroupInstance& i) {
      PieceRange range = ids_.of_phase(times_ ? 0 : i.rows[0].index());
      for (std::size_t s = range.first; s < range.end; ++s)
        integrand.add(instance(i, s, true, [&](RowId) { return RowId(s); }));
    });
    to.integrand = integrand.finish(static_cast<std::uint32_t>(ids_.n() + 1));  // with the row of the class around
    for (auto constraints : {&ir::OptimizationProblem::path, &ir::OptimizationProblem::point}) {
      Copied copy = copied((from.*constraints).section, constraints == &ir::OptimizationProblem::path);
      (to.*constraints).relations.clear();
      for (std::uint32_t row : copy.row_of) (to.*constraints).relations.push_back((from.*constraints).relations[row]);
      (to.*constraints).section = std::move(copy.section);
    }
  }

  void copy_messages() {
    auto copy = [&](auto& list) {
      auto before = std::move(list);
      list.clear();
      for (const auto& entry : before) {
        std::vector<VariableId> read = entry.condition.slots;
        for (const ir::Term& value : entry.values) read.insert(read.end(), value.slots.begin(), value.slots.end());
        PieceRange range = ids_.pieces_of(read);
        for (std::size_t s = range.first; s < range.end; ++s) {
          list.push_back(entry);
          list.back().condition = ids_.term(entry.condition, s);
          for (ir::Term& value : list.back().values) value = ids_.term(value, s);
        }
      }
    };
    copy(next_.assertions);
    copy(next_.terminations);
  }

  // ---------------------------------------------------------- phases

  /// Each piece, from the start of its phase or a switch to the next switch or the phase's end.
  void add_phases() {
    std::vector<ir::Phase> phases = std::move(next_.phases);
    next_.phases.clear();
    next_.n_scalars = ids_.n_scalars();
    VariableId next_switch = switches_;
    for (std::size_t p = 0; p < phases.size(); ++p) {
      PieceRange range = ids_.of_phase(p);
      VariableId begin = ids_.of(phases[p].start_time, 0), last = ids_.of(phases[p].final_time, 0);
      for (std::size_t piece = range.first; piece < range.end; ++piece) {
        VariableId end = last;
        if (piece + 1 < range.end) {
          end = ids_.of(next_switch, 0);
          next_switch = VariableId(next_switch.index() + 1);
        }
        next_.phases.push_back({"piece[" + std::to_string(piece + 1) + "]", begin, end, phases[p].span});
        if (range.end - range.first > 1) keep_order(next_, evaluated_.dag(), begin, end, phases[p].span);
        begin = end;
      }
    }
  }

  const ir::FlatModel& old_;
  System& evaluated_;
  InteriorTimes* times_ = nullptr;  ///< null: in phases
  PieceIds ids_;
  VariableId switches_;
  Composer composer_;
  Branches& branches_;
  ir::FlatModel next_;
};

}  // namespace

ir::FlatModel cut_into_pieces(const ir::FlatModel& model, System& evaluated, InteriorTimes& times, Branches& branches) {
  return Cutter(model, evaluated, times, branches).run();
}

ir::FlatModel cut_phases_into_pieces(const ir::FlatModel& model, System& evaluated, const PieceIds& ids, VariableId switches,
                                     Branches& branches) {
  return Cutter(model, evaluated, ids, switches, branches).run();
}

bool is_at_end_of_phase(System& evaluated, VariableId of, const ir::Term& time, bool at_end) {
  HorizonTimes times(evaluated);
  const ir::Phase& phase = evaluated.flat.phases[evaluated.phase_of(std::span(&of, 1))];
  ir::Term own = time, end{evaluated.dag().slot(0), {at_end ? phase.final_time : phase.start_time}, {}, time.span};
  for (VariableId& v : own.slots) {  // startTime and finalTime are those of the variable's phase
    if (evaluated.role(v) == ScalarRole::start_time) v = phase.start_time;
    if (evaluated.role(v) == ScalarRole::final_time) v = phase.final_time;
  }
  AffineInParameters given = times.of(own);
  return given.known && given.on_time == 0 && same_time(given, times.of(end));
}

}  // namespace bolza::passes
