// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/variables/assign_variable_ids_internal.h"

#include <algorithm>
#include <unordered_map>

#include "base/expects.h"
#include "compiler/flatten/model/model_internal.h"

namespace bolza::flatten {
namespace {

using ir::VariableId;

/// Visits every variable id in the model.
template <class Visit>
void for_each_id(ir::FlatModel& flat, Visit visit) {
  auto in_term = [&](ir::Term& term) {
    for (VariableId& id : term.slots) visit(id);
  };
  auto in_section = [&](ir::Section& section) {
    for (ir::Group& group : section.groups)
      for (ir::Column& column : group.slots) {
        if (column.is_affine() && (column.stride() == 0 || group.n == 1)) {
          VariableId id = column[0];
          visit(id);
          column = ir::Column::affine(id, 0);
          continue;
        }
        std::vector<VariableId> ids(group.n);
        for (std::size_t i = 0; i < group.n; ++i) visit(ids[i] = column[i]);
        column = ir::Column::listed(std::move(ids));
      }
  };
  for (ir::Variable& variable : flat.variables) {
    for (ir::ElementValues& values : variable.attributes)
      for (ir::Term& term : values.terms) in_term(term);
    for (ir::Term& term : variable.binding.terms) in_term(term);
  }
  for (ir::TimeSlot& slot : flat.time_slots) in_term(slot.time);
  for (ir::Assertion& assertion : flat.assertions) {
    in_term(assertion.condition);
    for (ir::Term& value : assertion.values) in_term(value);
  }
  for (ir::Termination& termination : flat.terminations) {
    in_term(termination.condition);
    for (ir::Term& value : termination.values) in_term(value);
  }
  for (ir::Sampling& sampling : flat.samples) {
    visit(sampling.variable);
    for (ir::Term* term : {&sampling.start, &sampling.interval}) in_term(*term);
  }
  for (ir::Delay& delay : flat.delays) {
    visit(delay.variable);
    for (ir::Term* term : {&delay.expression, &delay.time, &delay.longest}) in_term(*term);
  }
  for (ir::Transport& transport : flat.transports)
    for (std::vector<ir::Term>* list : {&transport.places, &transport.values})
      for (ir::Term& term : *list) in_term(term);
  in_section(flat.discrete_equations.section);
  in_section(flat.initial_discrete_equations.section);
  in_section(flat.reinitialisations.section);
  for (VariableId& state : flat.reinitialisations.states) visit(state);
  in_section(flat.equations);
  in_section(flat.initial_equations);
  if (!flat.optimization) return;
  in_section(flat.optimization->objective);
  in_section(flat.optimization->integrand);
  in_section(flat.optimization->path.section);
  in_section(flat.optimization->point.section);
  for (ir::SwitchingRule& rule : flat.optimization->switching)
    for (VariableId& id : rule.controls) visit(id);
}

/// Scalar ids that follow each other and belong together become one variable.
struct Run {
  std::uint32_t of = 0, size = 1, slot = 0;
};

ir::Variable derived(Model& model, const Run& run, ir::VariableKind kind) {
  const ir::Variable owner = ir::variable_of(model.flat, VariableId(std::size_t{run.of}));
  ir::Variable variable;
  variable.name = owner.name;
  variable.kind = kind;
  variable.type = owner.type;
  variable.of = VariableId(std::size_t{run.of});
  variable.size = run.size;
  variable.span = owner.span;
  if (run.size == owner.size) variable.dimensions = owner.dimensions;
  else if (run.size > 1) variable.dimensions = {run.size};
  variable.time_slot = run.slot;
  variable.is_protected = owner.is_protected;
  return variable;
}

class IdAssignment {
 public:
  explicit IdAssignment(Model& model) : model_(model) {}

  void run() {
    std::vector<std::uint32_t> derivatives, timed, previous;
    for_each_id(model_.flat, [&](VariableId& id) {
      if (id.value & provisional::previous) return previous.push_back(id.value);
      if ((id.value & provisional::kind) == provisional::derivative) derivatives.push_back(id.value);
      if ((id.value & provisional::kind) == provisional::timed) timed.push_back(id.value);
    });
    unique(derivatives);
    unique(timed);
    unique(previous);
    place_derivatives(derivatives);
    place_auxiliaries();
    place_previous(previous);
    for (TimedValue& value : model_.timed)
      if (value.of & provisional::kind) value.of = final_.at(value.of);
    place_timed(timed);
    for_each_id(model_.flat, [&](VariableId& id) {
      if (id.value & provisional::any) id = VariableId(std::size_t{final_.at(id.value)});
    });
  }

 private:
  static void unique(std::vector<std::uint32_t>& ids) {
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  }

  void append(ir::Variable variable) {
    variable.first = VariableId(std::size_t{model_.flat.n_scalars});
    model_.flat.n_scalars += variable.size;
    model_.flat.variables.push_back(std::move(variable));
  }

  std::uint32_t end_of_owner(std::uint32_t id) {
    const ir::Variable& owner = ir::variable_of(model_.flat, VariableId(std::size_t{id}));
    return owner.first.value + owner.size;
  }

  void place_derivatives(const std::vector<std::uint32_t>& ids) {
    for (std::size_t k = 0; k < ids.size();) {
      Run run{ids[k] & ~provisional::kind};
      std::uint32_t end = end_of_owner(run.of);
      while (k + run.size < ids.size() && ids[k + run.size] == ids[k] + run.size && run.of + run.size < end) ++run.size;
      for (std::uint32_t e = 0; e < run.size; ++e) final_[ids[k + e]] = model_.flat.n_scalars + e;
      append(derived(model_, run, ir::VariableKind::derivative));
      k += run.size;
    }
  }

  /// Auxiliary variables have their places already; those that belong together are neighbours there too.
  void place_previous(const std::vector<std::uint32_t>& ids) {
    auto owner_of = [&](std::uint32_t id) {
      std::uint32_t own = id & ~provisional::previous;
      return own & provisional::kind ? final_.at(own) : own;
    };
    for (std::size_t k = 0; k < ids.size();) {
      Run run{owner_of(ids[k])};
      std::uint32_t end = end_of_owner(run.of);
      while (k + run.size < ids.size() && owner_of(ids[k + run.size]) == run.of + run.size && run.of + run.size < end)
        ++run.size;
      for (std::uint32_t e = 0; e < run.size; ++e) final_[ids[k + e]] = model_.flat.n_scalars + e;
      append(derived(model_, run, ir::VariableKind::previous));
      k += run.size;
    }
  }

  void place_timed(std::vector<std::uint32_t>& ids) {
    auto value = [&](std::uint32_t id) { return model_.timed[id & ~provisional::kind]; };
    std::sort(ids.begin(), ids.end(), [&](std::uint32_t a, std::uint32_t b) {
      TimedValue x = value(a), y = value(b);
      return x.slot != y.slot ? x.slot < y.slot : x.of < y.of;
    });
    for (std::size_t k = 0; k < ids.size();) {
      Run run{value(ids[k]).of, 1, value(ids[k]).slot};
      std::uint32_t end = end_of_owner(run.of);
      while (k + run.size < ids.size() && run.of + run.size < end) {
        TimedValue next = value(ids[k + run.size]);
        if (next.slot != run.slot || next.of != run.of + run.size) break;
        ++run.size;
      }
      for (std::uint32_t e = 0; e < run.size; ++e) final_[ids[k + e]] = model_.flat.n_scalars + e;
      append(derived(model_, run, ir::VariableKind::timed));
      k += run.size;
    }
  }

  void place_auxiliaries() {
    std::map<std::string_view, std::size_t> count;
    for (const AuxiliaryRun& run : model_.auxiliaries) {
      ir::Variable variable;
      bool flag = run.kind == ir::VariableKind::initial_flag || run.kind == ir::VariableKind::terminal_flag ||
                  run.kind == ir::VariableKind::homotopy;
      std::size_t number = ++count[run.stem];
      bool plain = flag || ((run.free || run.kind == ir::VariableKind::input) && number == 1);
      variable.name = {{run.stem + (plain ? "" : std::to_string(number)), run.size > 1 ? 1u : 0u}};
      variable.free = run.free;
      variable.kind = run.kind;
      variable.type = run.type;
      if (run.size > 1) variable.dimensions = {run.size};
      variable.size = run.size;
      variable.span = run.span;
      if (run.kind == ir::VariableKind::derivative) variable.of = VariableId(std::size_t{final_.at(run.of)});
      if (run.starts_at_zero) {
        variable.fixed = {true};
        variable.attributes[static_cast<std::size_t>(ir::Attribute::start)].terms = {
            {model_.dag().number(0), {}, {}, run.span}};
      }
      for (std::uint32_t e = 0; e < run.size; ++e)
        final_[provisional::auxiliary | (run.first + e)] = model_.flat.n_scalars + e;
      append(std::move(variable));
    }
  }

  Model& model_;
  std::unordered_map<std::uint32_t, std::uint32_t> final_;
};

}  // namespace

void assign_variable_ids(Model& model) { IdAssignment(model).run(); }

}  // namespace bolza::flatten
