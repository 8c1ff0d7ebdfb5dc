// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/index/reduce_index.h"

#include <algorithm>
#include <map>
#include <set>

#include "compiler/passes/index/control_rates.h"
#include "compiler/passes/index/derivative_chains.h"
#include "compiler/passes/index/dummy_derivatives.h"
#include "compiler/passes/index/state_select.h"
#include "compiler/passes/index/time_derivative.h"
#include "compiler/passes/simplify/inline_functions.h"
#include "compiler/passes/structure/check_balance.h"
#include "compiler/passes/system/codes.h"
#include "compiler/passes/system/delays_as_written.h"

namespace bolza::passes {

namespace {

constexpr std::uint32_t most_differentiations = 16;  ///< an index of 17; models of things that exist stay below 6

class Reduction {
 public:
  /// What another attempt needs: the system is unchanged where one is asked for. A derivative that the author of a function
  /// gives leads around how its arguments depend on each other (an orientation changes by its angular velocity), and so may
  /// hide that constraints are independent: written out, they show it.
  struct Again {
    bool may_write_out = true;
    std::set<VariableId> controls = {};  ///< whose derivatives are needed
    bool write_out = false;              ///< calls are to be differentiated as what they compute
    bool asked() const { return !controls.empty() || write_out; }
  };

  Reduction(System& system, Diagnostics& diagnostics, Again& again)
      : system_(system),
        diagnostics_(diagnostics),
        again_(again),
        equations_(equations_of(system)),
        chains_(system),
        composer_(system.dag()),
        derivative_(system.flat.expressions, composer_) {}

  Result<Done> run() {
    if (!is_regular()) return diagnostics_.already_reported();
    look_at_given(nullptr);
    std::optional<Offsets> offsets;
    do {
      signature_ = chains_.signature(equations_, instead_);
      offsets = differentiation_offsets(signature_, chains_.highest_orders(), most_differentiations);
    } while (offsets && look_at_given(&*offsets));
    if (!offsets) return diagnostics_.error(higher_index, system_.flat.span, {std::to_string(most_differentiations)});
    offsets_ = std::move(*offsets);
    record_index();
    if (system_.options.form == Form::original) return Done{};
    apply_state_select();
    if (std::all_of(offsets_.rows.begin(), offsets_.rows.end(), [](std::uint32_t c) { return c == 0; }))
      return check_state_select();
    if (!check_differentiable()) return diagnostics_.already_reported();
    if (again_.asked()) return Done{};
    Diagnostics unheard;
    bool is_last = given_.empty() || !again_.may_write_out;
    Result<DummyDerivatives> selection = choose_dummy_derivatives(system_, equations_, chains_, signature_, offsets_,
                                                                  is_last ? diagnostics_ : unheard);
    if (!selection && is_last) return diagnostics_.already_reported();
    if (!selection) {
      again_.write_out = true;
      return Done{};
    }
    chains_.extend(system_, offsets_.columns);
    add_equations(*selection);
    set_roles(*selection);
    record(*selection);
    return check_state_select();
  }

 private:
  /// Is there a variable, or a derivative of it, for every equation? Otherwise differentiating would not end.
  bool is_regular() {
    Unknowns unknowns = unknowns_of(system_);
    Incidence any_order = incidence_of(system_, equations_, unknowns, true);
    Matching matching = empty_matching(any_order);
    maximise(any_order, matching);
    if (matching.size == any_order.n_rows()) return true;
    explain_singular(system_, equations_, unknowns, any_order, matching, diagnostics_);
    return false;
  }

  /// Rows that call functions whose derivatives the model gives read at every level what their inlined form reads there.
  /// Looks at levels not looked at before; true when there are any.
  bool look_at_given(const Offsets* offsets) {
    bool found = false;
    for (std::size_t r = 0; r < equations_.parts.size(); ++r)
      for (std::uint32_t part : equations_.parts[r]) {
        auto known = given_.find(part);
        if (known == given_.end()) {
          if (!derivative_.may_hold(equations_.instances[part].applied.roots)) continue;
          known = given_.emplace(part, Given{equations_.instances[part].applied, {}}).first;
          found = true;
        }
        Given& given = known->second;
        while (offsets && given.times < offsets->rows[r]) {
          if (!derivative_.may_hold(given.whole.roots)) break;
          given.whole = differentiate(given.whole, &given.differentiated);
          ++given.times;
          found = true;
        }
        if (found) instead_[part] = {inlined_as_reduced(system_, composer_, given.whole), given.times};
      }
    return found;
  }

  /// @param met  the variables whose derivatives are read are appended
  Applied differentiate(const Applied& what, std::vector<VariableId>* met = nullptr) {
    auto lookup = [&](VariableId v) {
      return v.index() < system_.n() && system_.role(v) == ScalarRole::time ? v : chains_.derivative_of(v);
    };
    Applied result = derivative_.of(what, lookup);
    if (met)
      for (VariableId v : what.slots)
        if (std::find(result.slots.begin(), result.slots.end(), lookup(v)) != result.slots.end()) met->push_back(v);
    return result;
  }

  const GroupInstance& first_part(std::size_t row) const { return equations_.instances[equations_.parts[row][0]]; }

  // ------------------------------------------------------------ the index

  void record_index() {
    ir::Structure& structure = system_.structure;
    bool algebraic = std::find(offsets_.columns.begin(), offsets_.columns.end(), 0u) != offsets_.columns.end();
    std::uint32_t most = 0;
    for (std::uint32_t c : offsets_.rows) most = std::max(most, c);
    structure.index = most + (algebraic ? 1 : 0);
    structure.n_equations = structure.n_unknowns = equations_.parts.size();
    structure.n_aliases = static_cast<std::uint32_t>(std::count(system_.merged.begin(), system_.merged.end(), true));
    if (system_.options.form != Form::original || most == 0) return;
    structure.remaining_index = structure.index;
    system_.variable_index.assign(system_.n(), 1);
    for (std::uint32_t chain = 0; chain < chains_.n(); ++chain)
      for (std::uint32_t order = 0; order <= chains_.highest(chain); ++order)
        system_.variable_index[chains_.at(chain, order).index()] =
            std::max(1u, 1 + most + order - std::min(most + order, offsets_.columns[chain]));
  }

  // ------------------------------------------------------------ stateSelect

  /// In an optimisation all variables are unknowns of the transcription, and a choice that is singular somewhere does harm.
  void apply_state_select() {
    if (system_.flat.optimization) return;
    offsets_ = offsets_with_state_select(system_, equations_, chains_, signature_, offsets_, most_differentiations);
  }

  /// Says what is a state against its stateSelect.
  Result<Done> check_state_select() {
    std::optional<std::vector<bool>> have;
    std::size_t before = diagnostics_.errors();
    for (const ir::Variable& variable : system_.flat.variables) {
      if (!variable.state_select_never) continue;
      for (std::uint32_t i = 0; i < variable.size; ++i) {
        VariableId v(variable.first.index() + i);
        if (system_.definition(v) || system_.role(v) != ScalarRole::state || system_.select[v.index()] != StateSelect::never)
          continue;
        if (!have) have = have_alternatives(system_, chains_, signature_);
        std::uint32_t chain = chains_.chain_of(v);
        if (chain == DerivativeChains::none || (*have)[chain])
          diagnostics_.warning(never_kept, variable.span, {system_.name(v)});
        else diagnostics_.error(never_impossible, variable.span, {system_.name(v)});
        break;
      }
    }
    if (diagnostics_.errors() != before) return diagnostics_.already_reported();
    return Done{};
  }

  // ------------------------------------------------------------ what stands in the way

  bool check_differentiable() {
    std::size_t before = diagnostics_.errors();
    for (std::size_t r = 0; r < equations_.parts.size(); ++r) {
      if (offsets_.rows[r] == 0) continue;
      for (std::uint32_t part : equations_.parts[r]) {
        const GroupInstance& instance = equations_.instances[part];
        auto given = given_.find(part);
        if (given == given_.end()) {
          check_differentiable(instance, instance.applied.slots);
          continue;
        }
        check_differentiable(instance, given->second.differentiated);
        if (given->second.times < offsets_.rows[r]) check_differentiable(instance, given->second.whole.slots);
      }
    }
    return diagnostics_.errors() == before;
  }

  void check_differentiable(const GroupInstance& instance, const std::vector<VariableId>& read) {
    for (VariableId v : read) {
      if (v.index() >= system_.n()) continue;
      const ir::Variable& variable = ir::variable_of(system_.flat, v);
      std::vector<Note> notes{{system_.span_of(v), "declared here"}};
      Span span = system_.span_of_origin(instance.origin);
      bool delayed = variable.kind == ir::VariableKind::delayed;
      bool discrete = chains_.chain_of(v) != DerivativeChains::none && variable.type != ir::ValueType::real;
      bool input = system_.role(v) == ScalarRole::input || (system_.role(v) == ScalarRole::derivative &&
                                                            system_.role(system_.owner[v.index()]) == ScalarRole::input);
      if (input && is_control(system_, v)) {
        again_.controls.insert(v);
        continue;
      }
      if ((!delayed && !discrete && !input) || !told_.insert(v).second) continue;
      if (delayed || discrete)
        diagnostics_.error(not_differentiable, span,
                           {with_delays_written(system_.flat, system_.name(v)), delayed ? "a delayed value" : "not a Real"},
                           std::move(notes));
      else diagnostics_.error(differentiated_input, span, {system_.name(v)}, std::move(notes));
    }
  }

  // ------------------------------------------------------------ the reduced system

  /// Every row with all its derivatives; of an invariant's the highest one alone, in the place of the row, while the lower
  /// ones become initial equations.
  void add_equations(const DummyDerivatives& selection) {
    bool merge = system_.options.enabled("group");
    SectionBuilder builder(merge), initial(merge);
    std::vector<bool> is_invariant(equations_.parts.size(), false);
    for (const BlockChoice& block : selection.blocks)
      for (std::uint32_t r : block.invariants) is_invariant[r] = true;
    auto next = static_cast<std::uint32_t>(equations_.parts.size()), next_initial = system_.flat.initial_equations.n_rows;
    std::uint32_t differentiated = 0;
    for (const GroupInstance& instance : equations_.instances)
      if (!is_invariant[instance.rows[0].index()]) builder.add(instance);
    for_each_instance(system_.flat.initial_equations, [&](const GroupInstance& instance) { initial.add(instance); });
    for (std::size_t r = 0; r < equations_.parts.size(); ++r) {
      if (offsets_.rows[r] == 0) continue;
      std::vector<GroupInstance> parts;
      for (std::uint32_t part : equations_.parts[r]) parts.push_back(equations_.instances[part]);
      for (std::uint32_t times = 0; times <= offsets_.rows[r]; ++times) {
        bool holds_at_start = is_invariant[r] && times < offsets_.rows[r];
        if (times == 0 && !is_invariant[r]) continue;
        std::size_t row = holds_at_start ? next_initial++ : is_invariant[r] ? r : next++;
        differentiated += times > 0 ? 1 : 0;
        for (GroupInstance& part : parts) {
          if (times > 0) differentiate_part(part, times);
          part.rows = {RowId(row)};
          (holds_at_start ? initial : builder).add(part);
        }
      }
    }
    system_.structure.n_differentiated = differentiated;
    system_.flat.equations = builder.finish(next);
    system_.flat.initial_equations = initial.finish(next_initial);
  }

  void differentiate_part(GroupInstance& part, std::uint32_t times) {
    part.applied = differentiate(part.applied);
    ir::Origin origin = system_.flat.origins[part.origin];
    origin.differentiated = times;
    system_.flat.origins.push_back(std::move(origin));
    part.origin = static_cast<std::uint32_t>(system_.flat.origins.size() - 1);
  }

  /// Of a chain with k dummy derivatives: the k highest orders are algebraic, the next is the rate of the highest state.
  void set_roles(const DummyDerivatives& selection) {
    for (std::uint32_t chain = 0; chain < chains_.n(); ++chain) {
      std::uint32_t rate = chains_.highest(chain) - selection.demotions[chain];
      if (chains_.highest(chain) == 0) continue;
      for (std::uint32_t order = 0; order <= chains_.highest(chain); ++order) {
        std::size_t v = chains_.at(chain, order).index();
        system_.roles[v] = order < rate                 ? ScalarRole::state
                           : order == rate && order > 0 ? ScalarRole::derivative
                                                        : ScalarRole::algebraic;
        system_.derivative[v] = order < rate ? chains_.at(chain, order + 1) : VariableId();
      }
    }
  }

  void record(const DummyDerivatives& selection) {
    for (const BlockChoice& block : selection.blocks) {
      ir::StateChoice choice;
      choice.is_constant = block.is_constant || !block.invariants.empty();
      for (std::uint32_t r : block.invariants) choice.invariants.push_back(first_part(r).origin);
      for (const auto& demoted : block.demoted)
        choice.demoted.push_back({chains_.at(demoted.chain, demoted.order), first_part(demoted.row).origin});
      for (std::uint32_t chain : block.chains) {
        std::uint32_t states = chains_.highest(chain) - selection.demotions[chain];
        if (states > 0) choice.kept.push_back(chains_.at(chain, states - 1));
      }
      system_.structure.choices.push_back(std::move(choice));
    }
  }

  System& system_;
  Diagnostics& diagnostics_;
  Again& again_;
  EquationRows equations_;
  DerivativeChains chains_;
  Composer composer_;
  TimeDerivative derivative_;
  struct Given {
    Applied whole;  ///< calls not inlined
    std::vector<VariableId> differentiated;
    std::uint32_t times = 0;
  };
  std::map<std::uint32_t, Given> given_;  ///< of instances that call functions whose derivatives the model gives
  std::map<std::uint32_t, DerivativeChains::Differentiated> instead_;  ///< what of these counts in the signature
  Signature signature_;
  Offsets offsets_;
  std::set<VariableId> told_;
};

/// What must be a state is differentiated, whether the equations name its derivative or not.
void differentiate_ordered(System& system) {
  for (std::size_t k = 0, n = system.flat.variables.size(); k < n; ++k) {
    const ir::Variable variable = system.flat.variables[k];
    if (!variable.state_select_always || variable.kind != ir::VariableKind::unknown) continue;
    for (std::uint32_t i = 0; i < variable.size; ++i) {
      VariableId v(variable.first.index() + i);
      if (system.role(v) != ScalarRole::algebraic || system.definition(v) || system.derivative[v.index()]) continue;
      VariableId rate = system.add_derivative(v, 1);
      system.roles[v.index()] = ScalarRole::state;
      system.derivative[v.index()] = rate;
    }
  }
}

}  // namespace

Result<Done> reduce_index(System& system, Diagnostics& diagnostics) {
  bool is_static = system.flat.optimization && system.flat.optimization->is_static;
  bool chooses = !is_static && system.options.form != Form::original;
  if (chooses) differentiate_ordered(system);
  for (bool written_out = false;;) {
    Reduction::Again again{.may_write_out = !written_out};
    Result<Done> done = Reduction(system, diagnostics, again).run();
    if (!done || !again.asked()) return done;
    make_states(system, again.controls);
    if (!again.write_out) continue;
    if (!inline_reduced(system, diagnostics)) return diagnostics.already_reported();
    written_out = true;
  }
}

}  // namespace bolza::passes
