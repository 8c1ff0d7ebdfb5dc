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
  Cutter(const ir::FlatModel& model, System& evaluated, InteriorTimes& times, Branches& branches)
      : old_(model),
        evaluated_(evaluated),
        times_(times),
        ids_(model, times.all().size() + 1),
        composer_(evaluated.dag()),
        branches_(branches) {}

  ir::FlatModel run() {
    next_ = old_;
    next_.variables.clear();
    next_.are_pieces = true;
    copy_variables();
    add_piece_times(next_, old_, evaluated_, times_, ids_);
    next_.equations = copied(old_.equations, true).section;
    next_.initial_equations = copied(old_.initial_equations, false).section;
    copy_problem();
    copy_messages();
    next_.expressions = std::move(evaluated_.flat.expressions);
    return std::move(next_);
  }

 private:
  // ---------------------------------------------------------- variables

  void copy_variables() {
    for (std::size_t v = 0; v < old_.variables.size(); ++v) {
      const Variable& variable = old_.variables[v];
      if (variable.kind == VariableKind::timed) copy_timed(v);
      else if (ids_.is_own(v) && variable.of) copy_one_by_one(v);
      else copy_plain(v);
    }
    for (Variable& variable : next_.variables)
      if (variable.kind == VariableKind::start_time || variable.kind == VariableKind::final_time) empty(variable);
  }

  void copy_plain(std::size_t v) {
    Variable variable = old_.variables[v];
    variable.first = ids_.first(v);
    for (ir::ElementValues& values : variable.attributes) values = ids_.values(values, v);
    variable.binding = ids_.values(variable.binding, v);
    if (ids_.is_own(v)) make_array(variable);
    next_.variables.push_back(std::move(variable));
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
    variable.first_phase = 0, variable.n_phases = n;
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
      one.size = 1, one.dimensions.clear(), one.of = {};
      for (ir::ElementValues& values : one.attributes) values.terms.clear();
      if (evaluated_.role(of) == ScalarRole::time) {
        one.kind = VariableKind::parameter;
        one.binding.terms = {ids_.term(time, 0)};
      } else {
        one.of = ids_.of(of, place(of, time).piece);
        one.time_slot = static_cast<std::uint32_t>(next_.time_slots.size()), one.one_time_slot = true;
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
    AffineInParameters affine = times_.times().of(time);
    auto end = [&](VariableId id) { return ir::Term{evaluated_.dag().slot(0), {id}, {}, time.span}; };
    if (times_.is_start(affine)) return {0, end(ids_.start_time())};
    if (times_.is_final(affine)) return {ids_.n() - 1, end(ids_.final_time())};
    std::size_t k = *times_.find(affine);
    return {k, end(final_time_of(ids_, k))};
  }

  // ---------------------------------------------------------- rows

  struct Copied {
    ir::Section section;
    std::vector<std::uint32_t> row_of;  ///< [rows] row that it comes from
  };

  /// A copy of what varies for each piece, or that of the first piece only.
  Copied copied(const ir::Section& section, bool in_each) {
    std::vector<std::uint8_t> own(section.n_rows);
    for_each_instance(section, [&](const GroupInstance& i) {
      for (RowId row : i.rows) own[row.index()] |= in_each && ids_.reads_own(i.applied.slots);
    });
    Copied out;
    std::vector<std::uint32_t> first;
    for (std::uint32_t row = 0; row < section.n_rows; ++row) {
      first.push_back(static_cast<std::uint32_t>(out.row_of.size()));
      out.row_of.insert(out.row_of.end(), own[row] ? ids_.n() : 1, row);
    }
    SectionBuilder builder(evaluated_.options.enabled("group"));
    for_each_instance(section, [&](const GroupInstance& i) {
      bool each = std::any_of(i.rows.begin(), i.rows.end(), [&](RowId row) { return own[row.index()] != 0; });
      for (std::size_t s = 0; s < (each ? ids_.n() : 1); ++s)
        builder.add(
            instance(i, s, in_each, [&](RowId row) { return RowId(first[row.index()] + (own[row.index()] ? s : 0)); }));
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
      for (std::size_t s = 0; s < ids_.n(); ++s) integrand.add(instance(i, s, true, [&](RowId) { return RowId(s); }));
    });
    to.integrand = integrand.finish(static_cast<std::uint32_t>(ids_.n() + 1));  // with the row of the class around
    for (auto constraints : {&ir::OptimizationProblem::path, &ir::OptimizationProblem::point}) {
      Copied copy = copied((from.*constraints).section, constraints == &ir::OptimizationProblem::path);
      (to.*constraints).relations.clear();
      for (std::uint32_t row : copy.row_of) (to.*constraints).relations.push_back((from.*constraints).relations[row]);
      (to.*constraints).section = std::move(copy.section);
    }
    keep_order(next_, evaluated_, times_, ids_);
  }

  void copy_messages() {
    auto copy = [&](auto& list) {
      auto before = std::move(list);
      list.clear();
      for (const auto& entry : before) {
        bool own = ids_.reads_own(entry.condition.slots);
        for (const ir::Term& value : entry.values) own = own || ids_.reads_own(value.slots);
        for (std::size_t s = 0; s < (own ? ids_.n() : 1); ++s) {
          list.push_back(entry);
          list.back().condition = ids_.term(entry.condition, s);
          for (ir::Term& value : list.back().values) value = ids_.term(value, s);
        }
      }
    };
    copy(next_.assertions), copy(next_.terminations);
  }

  const ir::FlatModel& old_;
  System& evaluated_;
  InteriorTimes& times_;
  PieceIds ids_;
  Composer composer_;
  Branches& branches_;
  ir::FlatModel next_;
};

}  // namespace

ir::FlatModel cut_into_pieces(const ir::FlatModel& model, System& evaluated, InteriorTimes& times, Branches& branches) {
  return Cutter(model, evaluated, times, branches).run();
}

}  // namespace bolza::passes
