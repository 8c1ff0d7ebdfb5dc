// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/pontryagin/optimality_system.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "compiler/derive/jacobian.h"
#include "compiler/ir/substitute.h"
#include "compiler/passes/system/applied.h"
#include "compiler/passes/system/codes.h"

namespace bolza::passes {

using ir::Op;

namespace {

constexpr const char* time_name = "time";

/// Builds the system of one problem: slots, then rows, then H.
class SystemOfConditions {
 public:
  SystemOfConditions(const ir::Problem& problem, Diagnostics& diagnostics)
      : problem_(problem),
        diagnostics_(diagnostics),
        models_(ir::models_of(problem)),
        in_phases_(!problem.phases.empty()) {
    out_.expressions = problem.flat.expressions;
  }

  Result<OptimalitySystem> build() {
    if (!check_problem()) return diagnostics_.already_reported();
    name_shared();
    for (std::size_t p = 0; p < models_.size(); ++p) name_inputs(p);
    out_.n_states = out_.states.size();
    if (!read_points()) return diagnostics_.already_reported();
    if (!read_rates()) return diagnostics_.already_reported();
    if (!read_residuals()) return diagnostics_.already_reported();
    add_bounds();
    make_hamiltonian();
    return std::move(out_);
  }

 private:
  enum class Rows { of_model, of_ends };

  Reported refuse(std::string_view why) {
    return diagnostics_.error(no_conditions, problem_.flat.span, {problem_.flat.name, why});
  }

  Result<Done> check_problem() {
    if (!problem_.is_optimization || problem_.is_static) return refuse("it is no problem of optimal control");
    std::vector<VariableId> sought;
    for (const ir::Problem* model : models_) {
      if (model->hybrid && !model->hybrid->is_literal) return refuse("it has events, or values from the past");
      sought.insert(sought.end(), model->u.begin(), model->u.end());
    }
    for (std::size_t k = 0; k < problem_.n_global; ++k)
      if (!problem_.shared_numbers[k].fixed) sought.push_back(problem_.shared[k]);
    for (VariableId v : sought)
      if (ir::variable_of(problem_.flat, v).type != ir::ValueType::real)
        return refuse("`" + ir::name_of(problem_.flat, v) + "` takes whole numbers");
    return Done{};
  }

  /// Programs have loops and branches of their own: they are no text that can be put into an equation.
  Result<Done> check_rows(const std::vector<ExprId>& rows, Rows which) {
    for (ExprId e : ir::reachable(out_.dag(), rows)) {
      Op op = out_.dag().op(e);
      if (op == Op::call || op == Op::output) return refuse("a function with loops or branches is in its equations");
      if (which == Rows::of_model && op == Op::slot && is_free_time(out_.dag().index(e)))
        return refuse("its equations read a free start or final time");
    }
    return Done{};
  }

  /// Of the horizon; times of phases are parameters like others.
  bool is_free_time(std::uint32_t slot) const {
    return !in_phases_ && (slot == out_.start_time || slot == out_.final_time) && std::isnan(out_.value[slot]);
  }

  std::uint32_t slot_of(VariableId v) { return out_.add_distinct(ir::name_of(problem_.flat, v)); }

  /// Parameters and times of the problem.
  void name_shared() {
    out_.add(time_name);
    for (std::size_t k = 0; k < problem_.shared.size(); ++k) {
      std::string name = ir::name_of(problem_.flat, problem_.shared[k]);
      if (in_phases_ && (name == "startTime" || name == "finalTime")) name += "_";  // those of the system are others
      std::uint32_t slot = shared_slots_.emplace_back(out_.add_distinct(name));
      const ir::Numbers& numbers = problem_.shared_numbers[k];
      bool is_free = k < problem_.n_global && !numbers.fixed, is_time = !in_phases_ && k < 2;
      if (!is_free) out_.value[slot] = problem_.shared_values[k];
      if (is_time) continue;
      if (!is_free) out_.fixed.push_back(slot);
      else out_.parameters.push_back({.p = slot, .shared = k, .lower = numbers.min, .upper = numbers.max});
    }
    if (!in_phases_) {
      out_.start_time = shared_slots_[0];
      out_.final_time = shared_slots_[1];
      return;
    }
    out_.start_time = out_.add_distinct("startTime");
    out_.final_time = out_.add_distinct("finalTime");
    out_.value[out_.start_time] = 0;
    out_.value[out_.final_time] = 1;
  }

  /// The slot of an entry of a model's shared values.
  std::uint32_t shared_of(const ir::Problem& model, std::size_t phase, std::size_t k) {
    if (!in_phases_) return shared_slots_[k];
    if (k < model.n_global) return shared_slots_[problem_.phases[phase].parameter[k]];
    std::string name = ir::name_of(problem_.flat, model.shared[k]);
    auto known = std::ranges::find_if(out_.fixed, [&](std::uint32_t slot) {
      return out_.names[slot] == name && out_.value[slot] == model.shared_values[k];
    });
    if (known != out_.fixed.end()) return *known;
    std::uint32_t slot = out_.fixed.emplace_back(out_.add_distinct(name));
    out_.value[slot] = model.shared_values[k];
    return slot;
  }

  /// Slots of x, z, u of one phase, and what its functions read: time, x, z, u, shared.
  void name_inputs(std::size_t p) {
    const ir::Problem& model = *models_[p];
    PhaseOfSystem phase{.name = in_phases_ ? problem_.phases[p].name : "",
                        .x = {out_.states.size(), model.x.size()},
                        .z = {out_.z.size(), model.z.size()},
                        .u = {out_.u.size(), model.u.size()}};
    std::vector<std::uint32_t> slots;
    for (std::size_t i = 0; i < model.x.size(); ++i) {
      const ir::Numbers& numbers = model.x_numbers[i];
      slots.push_back(slot_of(model.x[i]));
      out_.states.push_back({.x = slots.back(), .fixed = numbers.fixed, .start = numbers.start, .phase = p});
      double size = std::max(std::fabs(numbers.start), std::fabs(numbers.guess));
      if (size > 0) out_.range.back() = {0.5 * size, 1.5 * size};
    }
    for (VariableId v : model.z) slots.push_back(out_.z.emplace_back(slot_of(v)));
    for (std::size_t j = 0; j < model.u.size(); ++j) {
      slots.push_back(out_.u.emplace_back(slot_of(model.u[j])));
      double low = out_.u_min.emplace_back(model.u_numbers[j].min), high = out_.u_max.emplace_back(model.u_numbers[j].max);
      if (std::isfinite(low) && std::isfinite(high)) out_.range[slots.back()] = {low, high};
    }
    for (std::size_t k = 0; k < model.shared.size(); ++k) slots.push_back(shared_of(model, p, k));
    std::size_t times = slots.size() - model.shared.size();
    phase.start_time = slots[times];
    phase.final_time = slots[times + 1];
    std::vector<ExprId>& inputs = inputs_.emplace_back();
    ir::Dag& dag = out_.dag();
    ExprId begin = out_.slot(phase.start_time);
    lengths_.push_back(in_phases_ ? dag.sub(out_.slot(phase.final_time), begin) : dag.one());
    inputs.push_back(in_phases_ ? dag.add(begin, dag.mul(out_.slot(0), lengths_.back())) : out_.slot(0));
    for (std::uint32_t slot : slots) inputs.push_back(out_.slot(slot));
    out_.phases.push_back(std::move(phase));
  }

  /// One expression for each row, with what input positions are.
  std::vector<ExprId> rows_of(const ir::Function& function, const std::vector<ExprId>& inputs) {
    std::vector<ExprId> rows(function.section.n_rows, out_.dag().zero());
    for_each_instance(function.section, [&](const GroupInstance& instance) {
      std::vector<ExprId> read, numbers;
      for (VariableId position : instance.applied.slots) read.push_back(inputs[position.index()]);
      for (double value : instance.applied.data) numbers.push_back(out_.dag().number(value));
      auto roots = ir::substitute(out_.dag(), instance.applied.roots, {.slots = read, .data = numbers});
      for (std::size_t r = 0; r < roots.size(); ++r) {
        ExprId& row = rows[instance.rows[r].index()];
        row = out_.dag().add(row, roots[r]);
      }
    });
    return rows;
  }

  // ---------------------------------------------------------------- point functions

  void add_ends(StateOfSystem& state) {
    state.at_start = out_.add(out_.names[state.x]);
    state.at_end = out_.add(out_.names[state.x]);
  }

  /// The integrals become states for now; those that the objective alone reads, with a constant weight, stop being states.
  Result<Done> read_points() {
    std::vector<std::size_t> first_integral;
    std::size_t n = 0;
    for (std::size_t p = 0; p < models_.size(); ++p) {
      first_integral.push_back(out_.states.size());
      for (std::uint32_t k = 0; k < models_[p]->n_q; ++k)
        out_.states.push_back(
            {.x = out_.add_distinct("integral" + std::to_string(++n)), .fixed = true, .integral = k, .phase = p});
    }
    for (StateOfSystem& state : out_.states) add_ends(state);
    std::vector<ExprId> inputs;
    for (const ir::PointValue& value : problem_.values) {
      if (value.quantity == ir::PointQuantity::integral) {
        inputs.push_back(out_.slot(out_.states[first_integral[in_phases_ ? value.place : 0] + value.index].at_end));
        continue;
      }
      const ir::TimePlace& place = problem_.places[value.place];
      bool at_start = place.on_start == 1 && place.on_final == 0 && place.offset == 0;
      bool at_end = place.on_start == 0 && place.on_final == 1 && place.offset == 0;
      if (!at_start && !at_end) return refuse("it has values at times inside the horizon");
      if (value.quantity != ir::PointQuantity::state) return refuse("values of algebraics, controls or rates at points");
      const StateOfSystem& state = out_.states[out_.phases[place.phase].x.first + value.index];
      inputs.push_back(out_.slot(at_start ? state.at_start : state.at_end));
    }
    for (std::uint32_t slot : shared_slots_) inputs.push_back(out_.slot(slot));
    std::vector<ExprId> rows = rows_of(problem_.point, inputs);
    if (!check_rows(rows, Rows::of_ends)) return diagnostics_.already_reported();
    read_end_cost(rows);
    for (std::uint32_t k = 0; k < problem_.n_k; ++k) {
      const ir::RowInfo& info = problem_.point_rows[k];
      out_.points.push_back({rows[1 + k], info.lower, info.upper, info.name});
    }
    for (std::size_t p = 0; p < models_.size(); ++p)
      if (!read_initial_equations(p)) return diagnostics_.already_reported();
    return Done{};
  }

  void read_end_cost(const std::vector<ExprId>& rows) {
    ir::Dag& dag = out_.dag();
    out_.end_cost = rows[0];
    if (problem_.maximize) out_.end_cost = dag.neg(out_.end_cost);
  }

  /// Equations at the start are point constraints of the states there.
  Result<Done> read_initial_equations(std::size_t p) {
    const ir::Problem& model = *models_[p];
    std::vector<ExprId> inputs = inputs_[p];
    if (in_phases_) inputs[0] = out_.slot(out_.phases[p].start_time);
    for (std::size_t i = 0; i < model.x.size(); ++i)
      inputs[1 + i] = out_.slot(out_.states[out_.phases[p].x.first + i].at_start);
    std::vector<ExprId> rows = rows_of(model.initial, inputs);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      std::vector<std::uint32_t> others = out_.z;
      others.insert(others.end(), out_.u.begin(), out_.u.end());
      if (out_.reads(rows[k], others)) return refuse("initial equations of algebraics or controls");
      out_.points.push_back({rows[k], 0, 0, model.initial_rows[k].name});
    }
    return check_rows(rows, Rows::of_ends);
  }

  // ---------------------------------------------------------------- rates, residuals, bounds

  /// Whether nothing but the objective reads an integral, and its weight there is a number.
  std::optional<double> weight_in_objective(const StateOfSystem& integral) {
    for (const LimitedPoint& point : out_.points)
      if (out_.reads(point.value, {integral.at_end})) return std::nullopt;
    ExprId weight = out_.derivative(out_.end_cost, integral.at_end);
    if (!out_.dag().is_number(weight)) return std::nullopt;
    return out_.dag().value(weight);
  }

  Result<Done> read_rates() {
    ir::Dag& dag = out_.dag();
    std::vector<StateOfSystem> integrals(out_.states.begin() + static_cast<std::ptrdiff_t>(out_.n_states),
                                         out_.states.end());
    out_.states.resize(out_.n_states);
    out_.running = dag.zero();
    for (std::size_t p = 0; p < models_.size(); ++p) {
      std::vector<ExprId> rows = rows_of(models_[p]->rates, inputs_[p]);
      if (!check_rows(rows, Rows::of_model)) return diagnostics_.already_reported();
      for (ExprId& row : rows) row = dag.mul(lengths_[p], row);
      const SlotRange& x = out_.phases[p].x;
      for (std::size_t i = 0; i < x.n; ++i) out_.states[x.first + i].rate = rows[i];
      for (StateOfSystem& integral : integrals)
        if (integral.phase == p) integral.rate = rows[x.n + integral.integral];
    }
    for (StateOfSystem& integral : integrals) {
      auto weight = weight_in_objective(integral);
      if (!weight) {
        out_.states.push_back(integral);
        continue;
      }
      out_.running = dag.add(out_.running, dag.mul(dag.number(*weight), integral.rate));
      std::vector<ExprId> zero(out_.names.size());
      zero[integral.at_end] = dag.zero();
      out_.end_cost = ir::substitute(dag, out_.end_cost, {.slots = zero});
    }
    return Done{};
  }

  Result<Done> read_residuals() {
    std::size_t row = out_.n_states + out_.z.size();
    for (std::size_t p = 0; p < models_.size(); ++p) {
      const ir::Problem& model = *models_[p];
      std::vector<ExprId> rows = rows_of(model.residuals, inputs_[p]);
      if (!check_rows(rows, Rows::of_model)) return diagnostics_.already_reported();
      std::size_t n_z = model.z.size();
      out_.h.insert(out_.h.end(), rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(n_z));
      for (std::size_t j = n_z; j < rows.size(); ++j) {
        const ir::RowInfo& info = model.residual_rows[j];
        out_.paths.push_back({rows[j], info.lower, info.upper, info.name, row++, p});
      }
    }
    return Done{};
  }

  void add_bounds() {
    auto add = [&](std::uint32_t slot, const ir::Numbers& numbers, std::size_t row, std::size_t phase) {
      if (std::isfinite(numbers.min) || std::isfinite(numbers.max))
        out_.paths.push_back({out_.slot(slot), numbers.min, numbers.max, "bounds of " + out_.names[slot], row, phase});
    };
    for (std::size_t p = 0; p < models_.size(); ++p) {
      const PhaseOfSystem& phase = out_.phases[p];
      for (std::size_t i = 0; i < phase.x.n; ++i)
        add(out_.states[phase.x.first + i].x, models_[p]->x_numbers[i], phase.x.first + i, p);
      for (std::size_t i = 0; i < phase.z.n; ++i)
        add(out_.z[phase.z.first + i], models_[p]->z_numbers[i], out_.n_states + phase.z.first + i, p);
    }
  }

  void make_hamiltonian() {
    ir::Dag& dag = out_.dag();
    out_.hamiltonian = out_.running;
    for (StateOfSystem& state : out_.states) {
      state.lambda = out_.add_distinct("lambda_" + out_.names[state.x]);
      out_.hamiltonian = dag.add(out_.hamiltonian, dag.mul(out_.slot(state.lambda), state.rate));
    }
    for (std::size_t i = 0; i < out_.z.size(); ++i) {
      out_.mu.push_back(out_.add_distinct("mu_" + out_.names[out_.z[i]]));
      out_.hamiltonian = dag.add(out_.hamiltonian, dag.mul(out_.slot(out_.mu[i]), out_.h[i]));
    }
    for (ParameterOfSystem& p : out_.parameters) p.lambda = out_.add_distinct("lambda_" + out_.names[p.p]);
  }

  const ir::Problem& problem_;
  Diagnostics& diagnostics_;
  std::vector<const ir::Problem*> models_;  // [phases]
  bool in_phases_;
  OptimalitySystem out_;
  std::vector<std::uint32_t> shared_slots_;  // by entry of shared
  std::vector<std::vector<ExprId>> inputs_;  // [phases] of the functions of a model, by position
  std::vector<ExprId> lengths_;              // [phases] what a unit of time of the system is in the phase
};

}  // namespace

std::string identifier_of(const std::string& name) {
  bool plain = !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
               std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  if (plain) return name;
  std::string inside = name;
  std::ranges::replace(inside, '\'', '"');  // `tank.'a b'.h`
  return "'" + inside + "'";
}

std::uint32_t OptimalitySystem::add(std::string name) {
  names.push_back(std::move(name));
  value.push_back(std::nan(""));
  range.emplace_back(0.5, 1.5);
  return static_cast<std::uint32_t>(names.size() - 1);
}

std::uint32_t OptimalitySystem::add_distinct(std::string name) {
  while (std::ranges::find(names, name) != names.end()) name += "_";
  return add(std::move(name));
}

ExprId OptimalitySystem::derivative(ExprId e, std::uint32_t slot) {
  for (const derive::GradientEntry& entry : derive::gradient(expressions, e, std::span(&slot, 1)))
    if (entry.slot == slot) return entry.value;
  return dag().zero();
}

bool OptimalitySystem::reads(ExprId e, const std::vector<std::uint32_t>& slots) {
  std::vector<std::uint32_t> leaves = ir::leaves_of(dag(), std::span(&e, 1), Op::slot);
  return std::ranges::any_of(slots, [&](std::uint32_t s) { return std::ranges::binary_search(leaves, s); });
}

Result<OptimalitySystem> optimality_system(const ir::Problem& problem, Diagnostics& diagnostics) {
  return SystemOfConditions(problem, diagnostics).build();
}

}  // namespace bolza::passes
