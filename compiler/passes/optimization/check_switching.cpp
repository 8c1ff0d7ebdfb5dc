// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimization/check_switching.h"

#include "compiler/passes/parameters/parameter_order.h"
#include "compiler/passes/system/codes.h"

namespace bolza::passes {

void check_switching(const System& system, Diagnostics& diagnostics) {
  for (const ir::SwitchingRule& rule : system.flat.optimization->switching) {
    if (rule.dwell <= 0) continue;
    std::uint32_t phase = system.phase_of(rule.controls);
    PhaseEnds ends = system.ends_of(phase == no_phase ? 0 : phase);
    const ir::Numbers &first = system.numbers[ends.start.index()], &last = system.numbers[ends.final.index()];
    std::string dwell = number_text(rule.dwell);
    if (!first.fixed || !last.fixed) diagnostics.error(dwell_in_free_horizon, rule.span, {dwell});
    else if (rule.dwell > last.start - first.start)
      diagnostics.error(dwell_beyond_horizon, rule.span, {dwell, number_text(last.start - first.start)});
  }
}

}  // namespace bolza::passes
