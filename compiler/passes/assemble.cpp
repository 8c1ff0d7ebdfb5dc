// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/assemble.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "base/bit_order.h"
#include "compiler/derive/guard.h"
#include "compiler/passes/events/event_functions.h"
#include "compiler/passes/parameters/parameter_order.h"
#include "compiler/passes/shapes/fuse_groups.h"
#include "compiler/passes/structure/check_balance.h"

namespace bolza::passes {

using ir::Function;
using ir::OutputSource;
using ir::Problem;
using ir::RowInfo;

namespace {

/// Which part of a problem is assembled: everything, the model of one phase, or what is around the phases.
struct Portion {
  bool model = true, point = true;
  std::uint32_t phase = 0;
  bool of_several = false;
};

class Assembly {
 public:
  Assembly(System& system, Problem& problem, Portion portion)
      : system_(system),
        p_(problem),
        portion_(portion),
        composer_(system.dag()) {}

  void run() {
    if (portion_.model) {
      p_.x = own(system_.solved.x);
      p_.z = own(system_.solved.z);
      p_.u = own(system_.solved.u);
      p_.n_q = static_cast<std::uint32_t>(integrands().size());
    }
    if (portion_.point) {
      p_.n_k = static_cast<std::uint32_t>(system_.lowered.point.size());
      p_.n_r = static_cast<std::uint32_t>(system_.lowered.point_residuals.size());
    }
    if (portion_.model) fill_model();
    if (portion_.point) fill_point();
    number_shared();
    number_inputs();
    write_functions();
    name_rows();
    copy_numbers();
    copy_structure();
  }

 private:
  // ------------------------------------------------------------ what belongs to the phase

  bool is_own(VariableId v) const { return !portion_.of_several || system_.phase[v.index()] == portion_.phase; }
  /// Likewise of what may vary in no phase: parameters and what they give are in all of them.
  bool is_seen(VariableId v) const {
    return !portion_.of_several || system_.phase[v.index()] == portion_.phase || system_.phase[v.index()] == no_phase;
  }
  std::vector<VariableId> own(const std::vector<VariableId>& all) const {
    std::vector<VariableId> result;
    std::copy_if(all.begin(), all.end(), std::back_inserter(result), [&](VariableId v) { return is_own(v); });
    return result;
  }
  std::vector<bool> own_rows(const std::vector<VariableId>& variables) const {
    std::vector<bool> kept;
    for (VariableId v : variables) kept.push_back(is_own(v));
    return kept;
  }
  /// Rows with a variable of the phase.
  std::vector<bool> own_rows(const ir::Section& section) const {
    std::vector<bool> kept(section.n_rows, !portion_.of_several);
    for_each_instance(section, [&](const GroupInstance& i) {
      if (portion_.of_several && system_.phase_of(i.applied.slots) == portion_.phase)
        for (RowId row : i.rows) kept[row.index()] = true;
    });
    return kept;
  }
  bool is_own(const LoweredRow& row) const {
    return !portion_.of_several || std::any_of(row.parts.begin(), row.parts.end(), [&](const Applied& part) {
      return system_.phase_of(part.slots) == portion_.phase;
    });
  }
  /// The integrand of the objective, then that of violations, where there are any.
  std::vector<const LoweredRow*> integrands() const {
    std::vector<const LoweredRow*> result;
    for (const auto* rows : {&system_.lowered.integrands, &system_.lowered.violations})
      if (!rows->empty() && !(*rows)[portion_.phase].parts.empty()) result.push_back(&(*rows)[portion_.phase]);
    return result;
  }

  // ------------------------------------------------------------ rows

  void fill_model() {
    const Solved& solved = system_.solved;
    rates_.add(solved.rates, own_rows(solved.x));
    for (const LoweredRow* row : integrands()) rates_.add(*row);
    residual_kept_ = own_rows(solved.z);
    residuals_.add(solved.residuals, residual_kept_);
    for (const LoweredRow& row : system_.lowered.path)
      if (is_own(row)) {
        residuals_.add(row);
        path_.push_back(&row);
      }
    p_.n_g = static_cast<std::uint32_t>(path_.size());
    initial_kept_ = own_rows(solved.initial);
    initial_.add(solved.initial, initial_kept_);
    if (portion_.phase < system_.lowered.integrand_residuals.size())
      for (const LoweredRow& row : system_.lowered.integrand_residuals[portion_.phase]) integrand_residuals_.add(row);
    fill_outputs();
    fill_guesses();
    events_ = event_functions(system_);
  }

  void fill_point() {
    if (system_.flat.optimization) point_.add(system_.lowered.objective);
    for (const LoweredRow& row : system_.lowered.point) point_.add(row);
    for (const LoweredRow& row : system_.lowered.point_residuals) point_.add(row);
  }

  /// ±v + offset of a variable without definition.
  std::optional<OutputSource> as_alias(const Applied& a) const {
    const ir::Dag& dag = system_.dag();
    if (a.slots.size() != 1 || a.data.size() > 1) return {};
    double offset = a.data.empty() ? 0 : a.data[0];
    OutputSource source{.variable = a.slots[0], .offset = offset};
    ExprId e = a.root();
    auto is_slot = [&](ExprId x) { return dag.op(x) == ir::Op::slot; };
    auto is_datum = [&](ExprId x) { return dag.op(x) == ir::Op::datum; };
    std::span<const ExprId> x = dag.operands(e);
    if (is_slot(e)) return source;
    source.sign = dag.op(e) == ir::Op::neg || dag.op(e) == ir::Op::sub ? -1 : 1;
    if (dag.op(e) == ir::Op::neg && is_slot(x[0])) return source;
    if (dag.op(e) == ir::Op::add && ((is_slot(x[0]) && is_datum(x[1])) || (is_slot(x[1]) && is_datum(x[0])))) return source;
    if (dag.op(e) == ir::Op::sub && is_datum(x[0]) && is_slot(x[1])) return source;
    return {};
  }

  /// A control that has the name of the derivative: both are one quantity.
  bool is_rate_of(VariableId control, VariableId state) const {
    const ir::Variable& variable = ir::variable_of(system_.flat, control);
    return variable.kind == ir::VariableKind::input && variable.of && variable.of == state;
  }

  void fill_outputs() {
    auto precedes = [](const Applied* a, const Applied* b) {
      if (auto order = std::tie(a->roots, a->slots) <=> std::tie(b->roots, b->slots); order != 0) return order < 0;
      return bits_precede(a->data, b->data);
    };
    std::map<const Applied*, std::uint32_t, decltype(precedes)> rows(precedes);
    for (std::size_t i = 0; i < system_.n(); ++i) {
      VariableId v(i);
      ScalarRole role = system_.role(v);
      bool wanted = role == ScalarRole::state || role == ScalarRole::algebraic || role == ScalarRole::derivative ||
                    role == ScalarRole::input || role == ScalarRole::dependent ||
                    (is_discrete_variable(system_, v) && !system_.name(v).starts_with('$'));  // of flattening
      if (!wanted || !is_seen(v)) continue;
      OutputSource source{.variable = v};
      const Applied* definition = system_.definition(v);
      bool own_rate = role == ScalarRole::derivative && !system_.merged[i] && (definition || system_.solved.rate_sum[i]);
      if (own_rate) {
        source.kind = OutputSource::Kind::rate;
      } else if (definition) {
        std::optional<OutputSource> alias = as_alias(*definition);
        if (alias && role == ScalarRole::derivative && is_rate_of(alias->variable, system_.owner[i])) continue;
        if (alias) {
          source.sign = alias->sign;
          source.offset = alias->offset;
          alias_of_[v] = alias->variable;
        } else {
          auto [at, is_new] = rows.try_emplace(definition, outputs_.n_rows);
          if (is_new) outputs_.add(*definition, system_.definition_origins[i]);
          source.kind = OutputSource::Kind::row;
          source.index = at->second;
        }
      }
      p_.sources.push_back(source);
    }
  }

  /// Of variables that stay, and of what equals one up to sign and a constant.
  void fill_guesses() {
    std::set<VariableId> guessed;
    for (const auto& [v, guess, origin] : system_.timed_guesses) {
      const Applied* definition = system_.definition(v);
      OutputSource from{.variable = v};
      if (definition) {
        std::optional<OutputSource> alias = as_alias(*definition);
        if (!alias || attribute_of(system_.flat, alias->variable, ir::Attribute::initial_guess)) continue;
        from = *alias;
      }
      if (!system_.varies(from.variable) || !is_own(from.variable) || !guessed.insert(from.variable).second) continue;
      auto definition_of = [&](VariableId u) { return system_.definition(u); };
      guess_sources_.push_back(from);
      guesses_.add(composer_.insert(guess, definition_of), origin);
    }
  }

  // ------------------------------------------------------------ inputs

  /// The ends of the phase, those of the others, free parameters.
  void number_decisions() {
    std::vector<bool> there(system_.n(), false);
    auto add = [&](VariableId v) {
      if (!there[v.index()]) p_.shared.push_back(v);
      there[v.index()] = true;
    };
    for (std::uint32_t k = 0; k < system_.n_phases(); ++k) {
      PhaseEnds ends = system_.ends_of((portion_.phase + k) % system_.n_phases());
      add(ends.start);
      add(ends.final);
    }
    for (std::size_t v = 0; v < system_.n(); ++v)
      if (system_.roles[v] == ScalarRole::free_parameter) add(VariableId(v));
    for (VariableId v : system_.lowered.timed) add(v);
    p_.n_global = static_cast<std::uint32_t>(p_.shared.size());
  }

  void number_shared() {
    number_decisions();
    std::vector<bool> used(system_.n(), false);
    auto look = [&](const FunctionRows& rows) {
      for (const GroupInstance& i : rows.instances)
        for (VariableId v : i.applied.slots)
          if (v.index() < system_.n()) used[v.index()] = true;
    };
    for (const FunctionRows* rows : {&rates_, &residuals_, &initial_, &point_, &integrand_residuals_, &outputs_, &guesses_})
      look(*rows);
    for (const FunctionRows& rows : events_) look(rows);
    for (auto [v, variable] : alias_of_) used[variable.index()] = true;
    for (VariableId target : system_.events.initial) used[target.index()] = true;
    for (VariableId v : p_.shared) used[v.index()] = false;
    for (std::size_t v = 0; v < system_.n(); ++v)
      if (used[v] && system_.roles[v] == ScalarRole::fixed_parameter) p_.shared.push_back(VariableId(v));
    for (VariableId v : p_.shared) used[v.index()] = true;
    if (!portion_.model) return;
    add_unused_parameters(used);
    for (const DiscreteUpdate& update : system_.events.updates) p_.shared.push_back(update.variable);
    for (std::size_t v = 0; v < system_.n(); ++v)
      if (used[v] && system_.roles[v] == ScalarRole::discrete &&
          ir::variable_of(system_.flat, VariableId(v)).kind != ir::VariableKind::discrete)
        p_.shared.push_back(VariableId(v));
  }

  /// Parameters that no function reads are part of results all the same: 0·startTime + value.
  void add_unused_parameters(const std::vector<bool>& used) {
    for (const ir::Variable& variable : system_.flat.variables) {
      if (variable.kind != ir::VariableKind::parameter || variable.is_constant || variable.is_final || variable.is_protected)
        continue;
      for (std::uint32_t i = 0; i < variable.size; ++i) {
        VariableId v(variable.first.index() + i);
        if (used[v.index()] || system_.role(v) != ScalarRole::fixed_parameter) continue;
        p_.sources.push_back({.variable = v, .sign = 0, .offset = system_.numbers[v.index()].start});
        alias_of_[v] = p_.shared[0];
      }
    }
  }

  void number_inputs() {
    inputs_.assign(system_.n(), 0);
    std::uint32_t next = 1;  // 0 is time
    for (const auto* list : {&p_.x, &p_.z, &p_.u})
      for (VariableId v : *list) inputs_[v.index()] = next++;
    n_point_ = next;
    shared_.assign(system_.n(), ir::VariableId::none);
    for (std::uint32_t k = 0; k < p_.shared.size(); ++k) shared_[p_.shared[k].index()] = k;
    for (OutputSource& source : p_.sources) {
      if (source.kind == OutputSource::Kind::rate)
        source.index = inputs_[system_.owner[source.variable.index()].index()] - 1;
      if (source.kind == OutputSource::Kind::input) {
        auto at = alias_of_.find(source.variable);
        VariableId from = at == alias_of_.end() ? source.variable : at->second;
        source.index = shared_[from.index()] != VariableId::none ? n_point_ + shared_[from.index()] : inputs_[from.index()];
      }
    }
  }

  /// Slots of one shape that read time, point inputs, decisions or fixed parameters make different groups.
  Function function(const char* name, FunctionRows rows, std::uint32_t n_point, bool at_points) {
    SectionBuilder builder(system_.options.enabled("group"));
    for (GroupInstance& instance : rows.instances) {
      std::uint64_t key = 0;
      for (VariableId& v : instance.applied.slots) {
        std::uint32_t shared = v.index() < system_.n() ? shared_[v.index()] : VariableId::none;
        std::uint32_t position = shared != VariableId::none ? n_point + shared
                                 : at_points                ? static_cast<std::uint32_t>(v.index() - system_.n())
                                                            : inputs_[v.index()];
        std::uint64_t kind = shared == VariableId::none ? (position == 0 && !at_points ? 1 : 2)
                             : shared < p_.n_global     ? 3
                                                        : 4;
        key = key * 5 + kind;
        v = VariableId(std::size_t{position});
      }
      builder.add(instance, key);
    }
    Function f;
    f.name = name;
    f.n_point = n_point;
    f.n_shared = static_cast<std::uint32_t>(p_.shared.size());
    f.section = builder.finish(rows.n_rows);
    f.row_origins = rows.origins();
    if (system_.options.enabled("fuse")) fuse_groups(system_.flat.expressions, f.section, system_.options);
    for (ir::Group& group : f.section.groups) group.roots = derive::guard(system_.dag(), group.roots);
    return f;
  }

  void write_functions() {
    if (portion_.model) write_model();
    if (portion_.point)
      p_.point = function("point", std::move(point_), static_cast<std::uint32_t>(system_.lowered.values.size()), true);
  }

  void write_model() {
    p_.rates = function("rates", std::move(rates_), n_point_, false);
    p_.residuals = function("residuals", std::move(residuals_), n_point_, false);
    p_.initial = function("initial", std::move(initial_), n_point_, false);
    p_.outputs = function("outputs", std::move(outputs_), n_point_, false);
    p_.integrand_residuals = function("integrand_residuals", std::move(integrand_residuals_), n_point_, false);
    p_.guesses = function("guesses", std::move(guesses_), n_point_, false);
    for (const OutputSource& from : guess_sources_)
      p_.guess_targets.push_back({inputs_[from.variable.index()], from.sign, from.offset});
    if (has_events(system_)) {
      p_.hybrid = event_tables(system_, p_.shared, inputs_);
      std::vector<Function ir::EventPart::*> members = ir::hybrid_functions();
      for (std::size_t k = 0; k < members.size(); ++k)
        (*p_.hybrid).*members[k] = function(event_function_names[k], std::move(events_[k]), n_point_, false);
    }
  }

  // ------------------------------------------------------------ what rows mean

  RowInfo info(std::uint32_t origin, const std::string& fallback) const {
    std::string text = text_of_origin(system_, origin);
    return {text.empty() ? fallback : text, origin, 0, 0};
  }

  void name_rows() {
    for (std::size_t k = 0; k < residual_kept_.size(); ++k)
      if (residual_kept_[k])
        p_.residual_rows.push_back(
            info(system_.solved.residual_origins[k], "equation of " + system_.name(system_.solved.z[k])));
    auto add = [&](const LoweredRow& row, std::vector<RowInfo>& rows) {
      std::uint32_t origin = row.origins.empty() ? 0 : row.origins[0];
      RowInfo own =
          row.name.empty() ? info(origin, "constraint " + std::to_string(rows.size() + 1)) : RowInfo{row.name, origin, 0, 0};
      own.lower = row.lower;
      own.upper = row.upper;
      rows.push_back(std::move(own));
    };
    for (const LoweredRow* row : path_) add(*row, p_.residual_rows);
    for (const LoweredRow& row : system_.lowered.point)
      if (portion_.point) add(row, p_.point_rows);
    for (std::size_t k = 0; k < initial_kept_.size(); ++k)
      if (initial_kept_[k]) p_.initial_rows.push_back(info(system_.solved.initial_origins[k], "initial equation"));
  }

  // ------------------------------------------------------------ numbers

  void copy_numbers() {
    auto of = [&](const std::vector<VariableId>& list, std::vector<ir::Numbers>& numbers) {
      for (VariableId v : list) numbers.push_back(system_.numbers[v.index()]);
    };
    of(p_.x, p_.x_numbers);
    of(p_.z, p_.z_numbers);
    of(p_.u, p_.u_numbers);
    of(p_.shared, p_.shared_numbers);
    for (const ir::Numbers& numbers : p_.shared_numbers) p_.shared_values.push_back(numbers.start);
  }

  void copy_structure() {
    auto of = [&](const std::vector<VariableId>& list, std::vector<std::uint32_t>& index) {
      for (VariableId v : list) index.push_back(system_.variable_index.empty() ? 1 : system_.variable_index[v.index()]);
    };
    of(p_.x, p_.x_index);
    of(p_.z, p_.z_index);
    p_.structure.remaining_index = system_.structure.remaining_index;
    if (p_.structure.remaining_index == 0) p_.structure.remaining_index = p_.z.empty() ? 0 : 1;
  }

  System& system_;
  Problem& p_;
  Portion portion_;
  Composer composer_;
  FunctionRows rates_, residuals_, initial_, outputs_, integrand_residuals_, point_, guesses_;
  std::vector<OutputSource> guess_sources_;  ///< variable, sign and offset only
  std::vector<const LoweredRow*> path_;
  std::vector<bool> residual_kept_, initial_kept_;
  std::vector<FunctionRows> events_;
  std::map<VariableId, VariableId> alias_of_;
  std::vector<std::uint32_t> inputs_, shared_;
  std::uint32_t n_point_ = 1;
};

/// What the problem takes over from the system when its models are there.
void copy_problem(System& system) {
  Problem& p = system.problem;
  std::uint32_t index = p.structure.remaining_index;
  p.structure = std::move(system.structure);
  p.structure.remaining_index = index;
  p.places = std::move(system.lowered.places);
  p.values = std::move(system.lowered.values);
  p.point_is_least_squares = system.lowered.is_least_squares;
  p.is_optimization = system.flat.optimization.has_value();
  if (p.is_optimization) {
    ir::OptimizationProblem& o = *system.flat.optimization;
    p.is_static = o.is_static;
    p.maximize = o.maximize;
    o.objective = {};
    o.integrand = {};
    o.path = {};
    o.point = {};
  }
  system.flat.equations = {};
  system.flat.initial_equations = {};
  system.flat.discrete_equations = {};
  system.flat.initial_discrete_equations = {};
  system.flat.reinitialisations = {};
  p.flat = std::move(system.flat);
}

/// Positions among all variables become positions in the model of their phase.
void number_in_models(const System& system, std::vector<ir::PointValue>& values) {
  const Solved& solved = system.solved;
  std::vector<std::uint32_t> place(system.n(), 0);
  for (const auto* list : {&solved.x, &solved.z, &solved.u}) {
    std::vector<std::uint32_t> next(system.n_phases(), 0);
    for (VariableId v : *list) place[v.index()] = next[system.phase[v.index()]]++;
  }
  for (ir::PointValue& value : values) {
    if (value.quantity == ir::PointQuantity::integral) continue;
    const auto& list = value.quantity == ir::PointQuantity::algebraic ? solved.z
                       : value.quantity == ir::PointQuantity::control ? solved.u
                                                                      : solved.x;
    value.index = place[list[value.index].index()];
  }
}

void assemble_phases(System& system) {
  Problem& p = system.problem;
  Assembly(system, p, {.model = false, .of_several = true}).run();
  std::map<VariableId, std::uint32_t> parameter;
  for (std::uint32_t k = 0; k < p.n_global; ++k) parameter[p.shared[k]] = k;
  EventRows events = std::move(system.events);
  p.models.resize(system.n_phases());
  for (std::uint32_t k = 0; k < system.n_phases(); ++k) {
    system.events = events_of_phase(system, events, k);
    Problem& model = p.models[k];
    Assembly(system, model, {.point = false, .phase = k, .of_several = true}).run();
    ir::PhaseOfProblem& phase = p.phases.emplace_back();
    phase.name = system.flat.phases[k].name;
    for (std::uint32_t g = 0; g < model.n_global; ++g) phase.parameter.push_back(parameter.at(model.shared[g]));
    p.structure.remaining_index = std::max(p.structure.remaining_index, model.structure.remaining_index);
  }
  number_in_models(system, system.lowered.values);
}

}  // namespace

Result<Done> assemble(System& system, Diagnostics&) {
  if (system.flat.phases.empty()) Assembly(system, system.problem, {}).run();
  else assemble_phases(system);
  copy_problem(system);
  system.stage = SystemStage::assembled;
  return Done{};
}

}  // namespace bolza::passes
