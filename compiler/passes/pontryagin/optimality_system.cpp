// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/pontryagin/optimality_system.h"

#include <algorithm>
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
  SystemOfConditions(const ir::Problem& problem, Diagnostics& diagnostics) : problem_(problem), diagnostics_(diagnostics) {
    out_.expressions = problem.flat.expressions;
  }

  Result<OptimalitySystem> build() {
    if (!check_problem()) return diagnostics_.already_reported();
    name_inputs();
    if (!read_points()) return diagnostics_.already_reported();
    read_rates();
    read_residuals();
    add_bounds();
    for (const ir::Function* function : {&problem_.rates, &problem_.residuals})
      if (!check_rows(rows_of(*function, model_slots_), Rows::of_model)) return diagnostics_.already_reported();
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
    if (!problem_.phases.empty()) return refuse("it has phases of its own");
    if (problem_.hybrid && !problem_.hybrid->is_literal) return refuse("it has events, or values from the past");
    std::vector<VariableId> sought = problem_.u;
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
      bool is_time = op == Op::slot && (out_.dag().index(e) == out_.start_time || out_.dag().index(e) == out_.final_time);
      bool free = is_time && !problem_.shared_numbers[out_.dag().index(e) == out_.start_time ? 0 : 1].fixed;
      if (which == Rows::of_model && free) return refuse("its equations read a free start or final time");
    }
    return Done{};
  }

  std::uint32_t slot_of(VariableId v) { return out_.add_distinct(ir::name_of(problem_.flat, v)); }

  /// Slots of time, x, z, u, shared: the positions of the model's functions.
  void name_inputs() {
    model_slots_.push_back(out_.add(time_name));
    for (std::size_t i = 0; i < problem_.x.size(); ++i) {
      const ir::Numbers& numbers = problem_.x_numbers[i];
      model_slots_.push_back(slot_of(problem_.x[i]));
      out_.states.push_back({.x = model_slots_.back(), .fixed = numbers.fixed, .start = numbers.start});
      double size = std::max(std::fabs(numbers.start), std::fabs(numbers.guess));
      if (size > 0) out_.range.back() = {0.5 * size, 1.5 * size};
    }
    out_.n_states = out_.states.size();
    for (VariableId v : problem_.z) model_slots_.push_back(out_.z.emplace_back(slot_of(v)));
    for (VariableId v : problem_.u) model_slots_.push_back(out_.u.emplace_back(slot_of(v)));
    for (std::size_t j = 0; j < out_.u.size(); ++j) {
      double low = out_.u_min.emplace_back(problem_.u_numbers[j].min),
             high = out_.u_max.emplace_back(problem_.u_numbers[j].max);
      if (std::isfinite(low) && std::isfinite(high)) out_.range[out_.u[j]] = {low, high};
    }
    for (std::size_t k = 0; k < problem_.shared.size(); ++k) {
      shared_slots_.push_back(slot_of(problem_.shared[k]));
      bool is_free = k < problem_.n_global && !problem_.shared_numbers[k].fixed;
      if (!is_free) out_.value[shared_slots_.back()] = problem_.shared_values[k];
      if (!is_free && k >= 2) out_.fixed.push_back(shared_slots_.back());
      if (is_free && k >= 2) out_.parameters.push_back({.p = shared_slots_.back(),
                                                        .shared = k,
                                                        .lower = problem_.shared_numbers[k].min,
                                                        .upper = problem_.shared_numbers[k].max});
    }
    out_.start_time = shared_slots_[0];
    out_.final_time = shared_slots_[1];
    model_slots_.insert(model_slots_.end(), shared_slots_.begin(), shared_slots_.end());
  }

  /// One expression for each row, input position p read as slot `slots[p]`.
  std::vector<ExprId> rows_of(const ir::Function& function, const std::vector<std::uint32_t>& slots) {
    std::vector<ExprId> rows(function.section.n_rows, out_.dag().zero());
    for_each_instance(function.section, [&](const GroupInstance& instance) {
      std::vector<ExprId> inputs, numbers;
      for (VariableId position : instance.applied.slots) inputs.push_back(out_.slot(slots[position.index()]));
      for (double value : instance.applied.data) numbers.push_back(out_.dag().number(value));
      auto roots = ir::substitute(out_.dag(), instance.applied.roots, {.slots = inputs, .data = numbers});
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
    for (std::uint32_t k = 0; k < problem_.n_q; ++k)
      out_.states.push_back({.x = out_.add_distinct("integral" + std::to_string(k + 1)), .fixed = true, .integral = k});
    for (StateOfSystem& state : out_.states) add_ends(state);
    std::vector<std::uint32_t> slots;
    for (const ir::PointValue& value : problem_.values) {
      if (value.quantity == ir::PointQuantity::integral) {
        slots.push_back(out_.states[out_.n_states + value.index].at_end);
        continue;
      }
      const ir::TimePlace& place = problem_.places[value.place];
      bool at_start = place.on_start == 1 && place.on_final == 0 && place.offset == 0;
      bool at_end = place.on_start == 0 && place.on_final == 1 && place.offset == 0;
      if (!at_start && !at_end) return refuse("it has values at times inside the horizon");
      if (value.quantity != ir::PointQuantity::state) return refuse("values of algebraics, controls or rates at points");
      const StateOfSystem& state = out_.states[value.index];
      slots.push_back(at_start ? state.at_start : state.at_end);
    }
    slots.insert(slots.end(), shared_slots_.begin(), shared_slots_.end());
    std::vector<ExprId> rows = rows_of(problem_.point, slots);
    if (!check_rows(rows, Rows::of_ends)) return diagnostics_.already_reported();
    read_end_cost(rows);
    for (std::uint32_t k = 0; k < problem_.n_k; ++k) {
      const ir::RowInfo& info = problem_.point_rows[k];
      out_.points.push_back({rows[1 + k], info.lower, info.upper, info.name});
    }
    return read_initial_equations();
  }

  void read_end_cost(const std::vector<ExprId>& rows) {
    ir::Dag& dag = out_.dag();
    out_.end_cost = rows[0];
    if (problem_.maximize) out_.end_cost = dag.neg(out_.end_cost);
  }

  /// Equations at the start are point constraints of the states there.
  Result<Done> read_initial_equations() {
    std::vector<std::uint32_t> slots = model_slots_;
    for (std::size_t i = 0; i < out_.n_states; ++i) slots[1 + i] = out_.states[i].at_start;
    std::vector<ExprId> rows = rows_of(problem_.initial, slots);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      std::vector<std::uint32_t> others = out_.z;
      others.insert(others.end(), out_.u.begin(), out_.u.end());
      if (out_.reads(rows[k], others)) return refuse("initial equations of algebraics or controls");
      out_.points.push_back({rows[k], 0, 0, problem_.initial_rows[k].name});
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

  void read_rates() {
    ir::Dag& dag = out_.dag();
    std::vector<ExprId> rows = rows_of(problem_.rates, model_slots_);
    for (std::size_t i = 0; i < out_.n_states; ++i) out_.states[i].rate = rows[i];
    out_.running = dag.zero();
    std::vector<StateOfSystem> integrals(out_.states.begin() + static_cast<std::ptrdiff_t>(out_.n_states),
                                         out_.states.end());
    out_.states.resize(out_.n_states);
    for (std::size_t k = 0; k < integrals.size(); ++k) {
      ExprId q = integrals[k].rate = rows[out_.n_states + k];
      auto weight = weight_in_objective(integrals[k]);
      if (!weight) {
        out_.states.push_back(integrals[k]);
        continue;
      }
      out_.running = dag.add(out_.running, dag.mul(dag.number(*weight), q));
      std::vector<ExprId> zero(out_.names.size());
      zero[integrals[k].at_end] = dag.zero();
      out_.end_cost = ir::substitute(dag, out_.end_cost, {.slots = zero});
    }
  }

  void read_residuals() {
    std::vector<ExprId> rows = rows_of(problem_.residuals, model_slots_);
    out_.h.assign(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(out_.z.size()));
    for (std::size_t j = out_.z.size(); j < rows.size(); ++j) {
      const ir::RowInfo& info = problem_.residual_rows[j];
      out_.paths.push_back({rows[j], info.lower, info.upper, info.name, out_.n_states + j});
    }
  }

  void add_bounds() {
    auto add = [&](std::uint32_t slot, const ir::Numbers& numbers, std::size_t row) {
      if (std::isfinite(numbers.min) || std::isfinite(numbers.max))
        out_.paths.push_back({out_.slot(slot), numbers.min, numbers.max, "bounds of " + out_.names[slot], row});
    };
    for (std::size_t i = 0; i < out_.n_states; ++i) add(out_.states[i].x, problem_.x_numbers[i], i);
    for (std::size_t i = 0; i < out_.z.size(); ++i) add(out_.z[i], problem_.z_numbers[i], out_.n_states + i);
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
  OptimalitySystem out_;
  std::vector<std::uint32_t> model_slots_, shared_slots_;  // by input position, by entry of shared
};

}  // namespace

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
