#include "compiler/passes/optimization/check_delays.h"

#include <algorithm>
#include <cmath>

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
    start = first.start, final = last.start;
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

}  // namespace

void check_delays(System& system, Diagnostics& diagnostics) {
  ParameterValues values(system);
  Linearity linearity(system.flat.expressions);
  std::size_t n = system.flat.delays.size();
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
}

}  // namespace bolza::passes
