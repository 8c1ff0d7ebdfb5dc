// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimization/check_delays.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "compiler/passes/parameters/parameter_order.h"
#include "compiler/passes/shapes/is_linear.h"
#include "compiler/passes/system/codes.h"
#include "compiler/passes/system/parameter_values.h"

namespace bolza::passes {
namespace {

/// How long the horizon of a delay is; nothing with an error where it is free.
struct HorizonOfDelay {
  double start = 0, final = 0;
  bool known = false;

  HorizonOfDelay(const System& system, const ir::Delay& delay, Diagnostics& diagnostics) {
    std::uint32_t phase = system.phase_of(delay.expression.slots);
    PhaseEnds ends = system.ends_of(phase == no_phase ? 0 : phase);
    const ir::Numbers &first = system.numbers[ends.start.index()], &last = system.numbers[ends.final.index()];
    known = first.fixed && last.fixed;
    start = first.start;
    final = last.start;
    if (!known)
      diagnostics.error(delay_in_free_horizon, delay.time.span, {system.name(first.fixed ? ends.final : ends.start)});
  }
};

void check_time(const System& system, const ir::Delay& delay, double time, Diagnostics& diagnostics) {
  if (!(time >= 0) || !std::isfinite(time)) {
    diagnostics.error(delay_negative, delay.time.span, {number_text(time)});
    return;
  }
  HorizonOfDelay horizon(system, delay, diagnostics);
  if (!horizon.known) return;
  double length = horizon.final - horizon.start;
  if (time > length * (1 + 1e-9))
    diagnostics.error(delay_beyond_horizon, delay.time.span,
                      {number_text(time), number_text(horizon.start), number_text(horizon.final)});
}

/// A delay that is a decision: linear in states, and bounded from below.
void check_free(System& system, Linearity& linearity, const ir::Delay& delay, const Applied& expression, const Applied& time,
                Diagnostics& diagnostics) {
  HorizonOfDelay horizon(system, delay, diagnostics);
  if (!horizon.known) return;
  for (VariableId v : time.slots)
    if (system.is_free(v) && !std::isfinite(system.numbers[v.index()].min)) {
      diagnostics.error(free_delay_unbounded, delay.time.span, {system.name(v)});
      return;
    }
  for (VariableId v : expression.slots)
    if (system.role(v) == ScalarRole::input) {
      diagnostics.error(free_delay_of_control, delay.expression.span, {system.name(v)});
      return;
    }
  bool of_states = std::none_of(expression.slots.begin(), expression.slots.end(),
                                [&](VariableId v) { return system.role(v) == ScalarRole::algebraic; });
  if (!of_states || !is_linear(system, linearity, expression))
    diagnostics.error(free_delay_not_linear, delay.expression.span);
}

/// Finds the delays that are read at all times. Those under a condition have a history of their own:
/// `if time <= tau then 0 else delay(u, tau)`.
class ReadAlways {
 public:
  ReadAlways(const System& system, std::set<VariableId>& delays) : system_(system), delays_(delays) {
    auto look = [&](const GroupInstance& i) { visit(i.applied); };
    for_each_instance(system.solved.rates, look);
    for_each_instance(system.solved.residuals, look);
    for (const auto* rows : {&system.lowered.path, &system.lowered.integrands})
      for (const LoweredRow& row : *rows)
        for (const Applied& part : row.parts) visit(part);
  }

  const std::set<VariableId>& found() const { return found_; }

 private:
  void visit(const Applied& a) {
    if (std::none_of(a.slots.begin(), a.slots.end(), [&](VariableId v) { return delays_.contains(v); })) return;
    for (ExprId root : a.roots)
      for (std::uint32_t slot : slots_outside_selections(root))
        if (delays_.contains(a.slots[slot])) found_.insert(a.slots[slot]);
  }

  const std::vector<std::uint32_t>& slots_outside_selections(ExprId root) {
    auto [at, is_new] = slots_.try_emplace(root);
    if (!is_new) return at->second;
    const ir::Dag& dag = system_.dag();
    std::vector<ExprId> stack{root};
    std::unordered_set<ExprId> seen{root};
    while (!stack.empty()) {
      ExprId e = stack.back();
      stack.pop_back();
      if (dag.op(e) == ir::Op::slot) at->second.push_back(dag.index(e));
      std::span<const ExprId> x = dag.operands(e);
      if (dag.op(e) == ir::Op::select) x = x.first(1);
      for (ExprId child : x)
        if (seen.insert(child).second) stack.push_back(child);
    }
    return at->second;
  }

  const System& system_;
  std::set<VariableId>& delays_;
  std::set<VariableId> found_;
  std::unordered_map<ExprId, std::vector<std::uint32_t>> slots_;
};

/// A delayed control without a history: its value at the start acts as long as the delay lasts, and costs an instant.
void check_histories(const System& system, Diagnostics& diagnostics) {
  std::set<VariableId> of_controls;
  std::size_t n = system.flat.delays.size();
  std::set<VariableId> known;  // constraints speak of their values at the start
  for (const ir::PointValue& value : system.lowered.values) {
    if (value.quantity != ir::PointQuantity::control) continue;
    const ir::TimePlace& place = system.lowered.places[value.place];
    if (place.on_start == 1 && place.on_final == 0 && place.offset == 0) known.insert(system.solved.u[value.index]);
  }
  auto free_control = [&](VariableId v) { return system.role(v) == ScalarRole::input && !known.contains(v); };
  for (std::size_t k = 0; k < n; ++k) {
    const std::vector<VariableId>& slots = system.events.delays[k].value.slots;
    if (std::any_of(slots.begin(), slots.end(), free_control)) of_controls.insert(system.flat.delays[k].variable);
  }
  if (of_controls.empty()) return;
  ReadAlways always(system, of_controls);
  for (const ir::Delay& delay : system.flat.delays)
    if (always.found().contains(delay.variable)) diagnostics.warning(delay_without_history, delay.expression.span);
}

}  // namespace

void check_delays(System& system, Diagnostics& diagnostics) {
  std::size_t before = diagnostics.errors();
  ParameterValues values(system);
  Linearity linearity(system.flat.expressions);
  std::size_t n = system.flat.delays.size();
  for (const ir::Transport& transport : system.flat.transports)
    diagnostics.error(transport_in_solve, system.flat.delays[transport.first].expression.span);
  if (!system.flat.transports.empty()) return;
  for (std::size_t k = 0; k < n; ++k) {
    const ir::Delay& delay = system.flat.delays[k];
    const Applied &expression = system.events.delays[k].value, &time = system.events.delays[n + k].value;
    VariableId varying, free;
    for (VariableId v : time.slots)
      if (system.varies(v)) varying = v;
      else if (system.is_free(v)) free = v;
    if (varying) diagnostics.error(delay_varies, delay.time.span, {system.name(varying)});
    else if (free) check_free(system, linearity, delay, expression, time, diagnostics);
    else check_time(system, delay, values.of(time), diagnostics);
  }
  if (diagnostics.errors() == before) check_histories(system, diagnostics);
}

}  // namespace bolza::passes
