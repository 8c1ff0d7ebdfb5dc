// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimization/check_starts.h"

#include "compiler/passes/parameters/evaluate_parameters.h"
#include "compiler/passes/parameters/parameter_order.h"
#include "compiler/passes/system/codes.h"

namespace bolza::passes {

void check_starts(const System& system, Diagnostics& diagnostics) {
  if (system.keeps_events()) return;  // a simulation imposes no bounds
  for (VariableId v : system.solved.x) {
    const ir::Numbers& own = system.numbers[v.index()];
    if (own.fixed && is_outside(own, own.start))
      diagnostics.error(start_infeasible, system.span_of(v),
                        {system.name(v), number_text(own.start), number_text(own.min), number_text(own.max)});
  }
}

}  // namespace bolza::passes
