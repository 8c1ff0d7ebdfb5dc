// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/scenarios/scenarios.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "compiler/ir/canonical.h"
#include "compiler/passes/scenarios/branch_controls.h"
#include "compiler/passes/scenarios/copied_sections.h"
#include "compiler/passes/scenarios/copies.h"
#include "compiler/passes/scenarios/risk.h"
#include "compiler/passes/system/codes.h"

namespace bolza::passes {
namespace {

using ir::VariableId;
using ir::VariableKind;

/// What a column of the table sets.
struct Target {
  VariableId id;
  bool is_start = false;
};

bool belongs_to_another(VariableKind kind) {
  return kind == VariableKind::derivative || kind == VariableKind::timed || kind == VariableKind::previous;
}

class ScenarioCopier {
 public:
  ScenarioCopier(ir::FlatModel& model, const ir::ScenarioTable& table, Diagnostics& diagnostics)
      : old_(model),
        table_(table),
        diagnostics_(diagnostics) {}

  Result<Done> run() {
    if (!old_.optimization) return diagnostics_.error(scenarios_without_problem, table_.span, {old_.name});
    if (!check_phases()) return diagnostics_.already_reported();
    if (table_.branch) {
      Result<std::set<VariableId>> later = branch_controls(old_, *table_.branch, diagnostics_);
      if (!later) return diagnostics_.already_reported();
      later_ = *std::move(later);
    }
    if (!find_targets()) return diagnostics_.already_reported();
    Copies copies = find_own();
    if (!check_shared(copies)) return diagnostics_.already_reported();
    if (copies.n_scalars() > old_.max_scalars)
      return diagnostics_.error(too_many_copies, table_.span,
                                {std::to_string(copies.n_scalars()), std::to_string(old_.max_scalars)});
    ir::FlatModel next = old_;
    next.variables.clear();
    next.n_scalars = static_cast<std::uint32_t>(copies.n_scalars());
    copy_variables(next, copies);
    set_values(next, copies);
    copy_sections(next, copies);
    copy_events(next, copies);
    copy_switching(next, copies);
    for (ir::Phase& phase : next.phases) {
      phase.start_time = copies.of(phase.start_time, 0);
      phase.final_time = copies.of(phase.final_time, 0);
    }
    add_risk(next, old_.optimization->objective, old_.optimization->integrand, copies, table_);
    old_ = std::move(next);
    return Done{};
  }

 private:
  Result<Done> check_phases() {
    if (old_.phases.empty()) return Done{};
    bool of_integrals = table_.risk != ir::Risk::expected && !old_.optimization->integrand.groups.empty();
    if (table_.branch) return diagnostics_.error(scenarios_with_phases, table_.span, {"a branch"});
    if (of_integrals) return diagnostics_.error(scenarios_with_phases, table_.span, {"the worst case or CVaR of integrals"});
    return Done{};
  }

  // ---------------------------------------------------------- what the columns name

  Result<Done> find_targets() {
    std::map<std::string, Target, std::less<>> named;
    for (const ir::Variable& v : old_.variables) {
      bool has_value = v.kind == VariableKind::parameter && !v.free && !v.is_constant && !v.is_final;
      if (!has_value && v.kind != VariableKind::unknown) continue;
      for (std::uint32_t e = 0; e < v.size; ++e) {
        VariableId id(v.first.value + e);
        named.emplace(ir::name_of(old_, id) + (has_value ? "" : ".start"), Target{id, !has_value});
      }
    }
    for (const ir::ScenarioTable::Column& column : table_.columns) {
      auto found = named.find(column.name);
      if (found == named.end()) {
        std::vector<std::string> names;
        for (const auto& [name, target] : named) names.push_back(name);
        return diagnostics_.error(not_a_scenario_value, column.span, {column.name}, did_you_mean(column.name, names));
      }
      targets_.push_back(found->second);
    }
    return Done{};
  }

  // ---------------------------------------------------------- what scenarios have for themselves

  Copies find_own() const {
    std::vector<std::uint8_t> own(old_.variables.size());
    std::set<VariableId> set;
    for (const Target& target : targets_)
      if (!target.is_start) set.insert(ir::variable_of(old_, target.id).first);
    for (std::size_t v = 0; v < own.size(); ++v) {
      const ir::Variable& variable = old_.variables[v];
      bool is_sought = variable.kind == VariableKind::parameter && !variable.free &&
                       std::find(variable.fixed.begin(), variable.fixed.end(), true) == variable.fixed.end();
      own[v] = variable.kind == VariableKind::unknown || variable.kind == VariableKind::discrete || is_sought ||
               set.contains(variable.first) || later_.contains(variable.first);
    }
    for (;;) {
      Copies copies(old_, own, table_.size());
      std::vector<std::uint8_t> more = own;
      for (std::size_t v = 0; v < own.size(); ++v)
        if (!own[v]) more[v] = follows_own(old_.variables[v], copies);
      for (const ir::Sampling& sampling : old_.samples)
        mark(more, sampling.variable, copies.reads_own(sampling.start) || copies.reads_own(sampling.interval));
      for (const ir::Delay& delay : old_.delays)
        mark(more, delay.variable, copies.reads_own(delay.expression) || copies.reads_own(delay.time));
      if (more == own) return copies;
      own = std::move(more);
    }
  }

  void mark(std::vector<std::uint8_t>& own, VariableId id, bool is_own) const {
    if (is_own) own[static_cast<std::size_t>(&ir::variable_of(old_, id) - old_.variables.data())] = 1;
  }

  bool follows_own(const ir::Variable& variable, const Copies& copies) const {
    if (variable.kind == VariableKind::parameter) return copies.reads_own(variable.binding);
    if (!belongs_to_another(variable.kind)) return false;
    if (copies.is_own(variable.of)) return true;
    return variable.kind == VariableKind::timed && reads_own_time(variable, copies);
  }

  bool reads_own_time(const ir::Variable& variable, const Copies& copies) const {
    std::size_t n = variable.one_time_slot ? 1 : variable.size;
    for (std::size_t k = 0; k < n; ++k)
      if (copies.reads_own(old_.time_slots[variable.time_slot + k].time)) return true;
    return false;
  }

  Result<Done> check_shared(const Copies& copies) {
    for (const ir::Phase& phase : old_.phases)
      for (VariableId time : {phase.start_time, phase.final_time})
        if (copies.is_own(time)) return diagnostics_.error(shared_depends, phase.span, {ir::name_of(old_, time)});
    for (std::size_t v = 0; v < old_.variables.size(); ++v) {
      const ir::Variable& variable = old_.variables[v];
      if (copies.is_own(v)) continue;
      bool depends = copies.reads_own(variable.binding);
      for (const ir::ElementValues& values : variable.attributes) depends = depends || copies.reads_own(values);
      if (depends) return diagnostics_.error(shared_depends, variable.span, {ir::name_of(old_, variable.first)});
    }
    return Done{};
  }

  // ---------------------------------------------------------- variables

  void copy_variables(ir::FlatModel& next, const Copies& copies) const {
    for (std::size_t v = 0; v < old_.variables.size(); ++v) {
      bool is_own = copies.is_own(v), one_by_one = is_own && stays_apart(old_.variables[v]);
      for (std::size_t s = 0; s < (one_by_one ? copies.n() : 1); ++s) {
        ir::Variable variable = old_.variables[v];
        variable.first = VariableId(copies.first(v).value + s * variable.size);
        if (variable.of) variable.of = copies.of(variable.of, s);
        for (ir::ElementValues& values : variable.attributes) values = copies.values(values, v);
        variable.binding = copies.values(variable.binding, v);
        if (one_by_one && variable.first_phase) name_apart(variable, s);
        if (variable.kind == VariableKind::timed && is_own) copy_times(next, variable, copies, s);
        if (is_own && !one_by_one) make_array(variable);
        if (is_own && variable.kind == VariableKind::unknown)
          for (std::size_t excused : table_.excused) excuse(next, variable, one_by_one, s, excused);
        next.variables.push_back(std::move(variable));
      }
    }
    for (std::size_t k = 0; k < old_.time_slots.size(); ++k)
      next.time_slots[k].time = copies.term(old_.time_slots[k].time, 0);
  }

  void copy_times(ir::FlatModel& next, ir::Variable& variable, const Copies& copies, std::size_t scenario) const {
    std::size_t first = variable.time_slot, n = variable.one_time_slot ? 1 : variable.size;
    variable.time_slot = static_cast<std::uint32_t>(next.time_slots.size());
    for (std::size_t k = 0; k < n; ++k) next.time_slots.push_back({copies.term(old_.time_slots[first + k].time, scenario)});
  }

  /// Has a variable of its own for each scenario, and not one array for all of them: elements of what is in a phase say by
  /// their number of which phase they are.
  static bool stays_apart(const ir::Variable& variable) {
    return belongs_to_another(variable.kind) || variable.first_phase.has_value();
  }

  void name_apart(ir::Variable& variable, std::size_t scenario) const {
    if (!belongs_to_another(variable.kind))
      variable.name.insert(variable.name.begin(), {"scenario[" + std::to_string(scenario + 1) + "]", 0});
    auto own = [&](ir::ElementValues& values) {
      if (values.terms.size() <= variable.size) return;
      auto first = values.terms.begin() + static_cast<std::ptrdiff_t>(scenario * variable.size);
      values.terms = {first, first + variable.size};
    };
    for (ir::ElementValues& values : variable.attributes) own(values);
    own(variable.binding);
  }

  /// The scenario becomes the first dimension.
  void make_array(ir::Variable& variable) const {
    auto n = static_cast<std::uint32_t>(table_.size());
    variable.name.insert(variable.name.begin(), {"scenario", 1});
    variable.dimensions.insert(variable.dimensions.begin(), n);
    for (std::vector<bool>* flags : {&variable.fixed, &variable.selectable}) {
      if (flags->size() <= 1) continue;
      std::vector<bool> once = *flags;
      for (std::uint32_t s = 1; s < n; ++s) flags->insert(flags->end(), once.begin(), once.end());
    }
    variable.size *= n;
  }

  /// The bounds of a scenario in which constraints need not hold.
  void excuse(ir::FlatModel& next, ir::Variable& variable, bool one_by_one, std::size_t scenario,
              std::size_t excused) const {
    if (one_by_one && scenario != excused) return;
    for (ir::Attribute bound : {ir::Attribute::min, ir::Attribute::max}) {
      std::vector<ir::Term>& terms = variable.attributes[static_cast<std::size_t>(bound)].terms;
      if (terms.empty()) continue;
      if (terms.size() == 1) terms.resize(variable.size, terms[0]);
      std::size_t each = one_by_one ? variable.size : variable.size / table_.size();
      auto first = terms.begin() + static_cast<std::ptrdiff_t>(one_by_one ? 0 : excused * each);
      ir::Dag& dag = next.expressions.dag;
      double none = bound == ir::Attribute::min ? -INFINITY : INFINITY;
      std::fill_n(first, each, ir::canonical(dag, ir::Term{dag.number(none), {}, {}, table_.span}));
    }
  }

  void set_values(ir::FlatModel& next, const Copies& copies) const {
    for (std::size_t c = 0; c < targets_.size(); ++c)
      for (std::size_t s = 0; s < table_.size(); ++s) {
        VariableId id = copies.of(targets_[c].id, s);
        ir::Variable& variable = ir::variable_of(next, id);
        ir::ElementValues& start = variable.attributes[static_cast<std::size_t>(ir::Attribute::start)];
        ir::ElementValues& values = targets_[c].is_start ? start : variable.binding;
        if (values.terms.size() != variable.size) {
          ir::ElementValues before = values.present() ? values : start;
          if (!before.present()) before.terms = {number(next, 0, c)};
          bool each = before.terms.size() == variable.size;
          values.terms.resize(variable.size);
          for (std::size_t e = 0; e < variable.size; ++e) values.terms[e] = before.terms[each ? e : 0];
        }
        values.terms[id.index() - variable.first.index()] = number(next, table_.values[s][c], c);
      }
  }

  ir::Term number(ir::FlatModel& next, double value, std::size_t column) const {
    ir::Dag& dag = next.expressions.dag;
    return ir::canonical(dag, ir::Term{dag.number(value), {}, {}, table_.columns[column].span});
  }

  // ---------------------------------------------------------- equations, constraints, events

  void copy_sections(ir::FlatModel& next, const Copies& copies) const {
    next.equations = copy_section(next, old_.equations, copies).section;
    next.initial_equations = copy_section(next, old_.initial_equations, copies).section;
    for (auto constraints : {&ir::OptimizationProblem::path, &ir::OptimizationProblem::point}) {
      const ir::ConstraintSection& before = (*old_.optimization).*constraints;
      CopiedSection copy = copy_section(next, before.section, copies, table_.excused);
      ir::ConstraintSection& after = (*next.optimization).*constraints;
      after.relations.clear();
      for (std::uint32_t row : copy.row_of) after.relations.push_back(before.relations[row]);
      after.section = std::move(copy.section);
    }
  }

  void copy_switching(ir::FlatModel& next, const Copies& copies) const {
    for (ir::SwitchingRule& rule : next.optimization->switching)
      for (VariableId& control : rule.controls) control = copies.of(control, 0);
  }

  void copy_events(ir::FlatModel& next, const Copies& copies) const {
    for (auto section : {&ir::FlatModel::discrete_equations, &ir::FlatModel::initial_discrete_equations})
      (next.*section).section = copy_section(next, (old_.*section).section, copies).section;
    CopiedSection resets = copy_section(next, old_.reinitialisations.section, copies);
    next.reinitialisations.states.clear();
    for (std::size_t row = 0; row < resets.row_of.size(); ++row)
      next.reinitialisations.states.push_back(
          copies.of(old_.reinitialisations.states[resets.row_of[row]], resets.scenario_of[row]));
    next.reinitialisations.section = std::move(resets.section);
    auto copy = [&](auto& list, const auto& each) {
      auto before = std::move(list);
      list.clear();
      for (const auto& entry : before)
        for (std::size_t s = 0; s < copies.n(); ++s) {
          auto changed = entry;
          bool is_own = each(changed, s);
          list.push_back(std::move(changed));
          if (!is_own) break;
        }
    };
    auto term = [&](ir::Term& what, std::size_t s) {
      bool is_own = copies.reads_own(what);
      what = copies.term(what, s);
      return is_own;
    };
    auto variable = [&](VariableId& id, std::size_t s) {
      bool is_own = copies.is_own(id);
      id = copies.of(id, s);
      return is_own;
    };
    auto message = [&](auto& entry, std::size_t s) {
      bool is_own = term(entry.condition, s);
      for (ir::Term& value : entry.values) is_own = term(value, s) || is_own;
      return is_own;
    };
    copy(next.assertions, message);
    copy(next.terminations, message);
    copy(next.samples, [&](ir::Sampling& entry, std::size_t s) {
      term(entry.start, s);
      term(entry.interval, s);
      return variable(entry.variable, s);
    });
    copy(next.delays, [&](ir::Delay& entry, std::size_t s) {
      term(entry.expression, s);
      term(entry.time, s);
      term(entry.longest, s);
      return variable(entry.variable, s);
    });
  }

  ir::FlatModel& old_;
  const ir::ScenarioTable& table_;
  Diagnostics& diagnostics_;
  std::vector<Target> targets_;  ///< [columns]
  std::set<VariableId> later_;   ///< controls that each scenario has for itself
};

}  // namespace

Result<Done> replicate_scenarios(ir::FlatModel& model, const ir::ScenarioTable& table, Diagnostics& diagnostics) {
  if (!model.transports.empty())
    return diagnostics.error(transport_in_solve, model.delays[model.transports[0].first].expression.span);
  return ScenarioCopier(model, table, diagnostics).run();
}

}  // namespace bolza::passes
