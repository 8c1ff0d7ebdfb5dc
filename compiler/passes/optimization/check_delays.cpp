#include "compiler/passes/optimization/check_delays.h"

#include <cmath>

#include "compiler/passes/parameters/parameter_order.h"
#include "compiler/passes/system/codes.h"
#include "compiler/passes/system/parameter_values.h"

namespace bolza::passes {
namespace {

void check_time(const System& system, const ir::Delay& delay, double time, Diagnostics& diagnostics) {
  if (!(time >= 0) || !std::isfinite(time)) {
    diagnostics.error(delay_negative, delay.time.span, {number_text(time)});
    return;
  }
  std::uint32_t phase = system.phase_of(delay.expression.slots);
  PhaseEnds ends = system.ends_of(phase == no_phase ? 0 : phase);
  const ir::Numbers &first = system.numbers[ends.start.index()], &last = system.numbers[ends.final.index()];
  if (!first.fixed || !last.fixed) {
    diagnostics.error(delay_in_free_horizon, delay.time.span, {system.name(first.fixed ? ends.final : ends.start)});
    return;
  }
  double length = last.start - first.start;
  if (time > length * (1 + 1e-9))
    diagnostics.error(delay_beyond_horizon, delay.time.span,
                      {number_text(time), number_text(first.start), number_text(last.start)});
}

}  // namespace

void check_delays(const System& system, Diagnostics& diagnostics) {
  ParameterValues values(system);
  std::size_t n = system.flat.delays.size();
  for (std::size_t k = 0; k < n; ++k) {
    const ir::Delay& delay = system.flat.delays[k];
    const Applied& time = system.events.delays[n + k].value;  // expressions, then times
    VariableId varying, free;
    for (VariableId v : time.slots)
      if (system.varies(v)) varying = v;
      else if (system.is_free(v)) free = v;
    if (varying) diagnostics.error(delay_varies, delay.time.span, {"varies with", system.name(varying)});
    else if (free)
      diagnostics.error(delay_varies, delay.time.span, {"is to be optimised: it reads the free", system.name(free)});
    else check_time(system, delay, values.of(time), diagnostics);
  }
}

}  // namespace bolza::passes
