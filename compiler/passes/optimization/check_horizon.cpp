// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimization/check_horizon.h"

#include "compiler/passes/parameters/parameter_order.h"
#include "compiler/passes/system/codes.h"

namespace bolza::passes {
namespace {

/// Where a time of the horizon is stated; nowhere: it has its default.
Span stated_at(const ir::Variable& time) { return time.binding.terms.empty() ? time.span : time.binding.terms[0].span; }

}  // namespace

void check_horizon(const System& system, Diagnostics& diagnostics) {
  if (!system.flat.phases.empty() || system.keeps_events()) return;  // a simulation is told its times
  const ir::Variable &first = system.flat.variables[1], &last = system.flat.variables[2];
  const ir::Numbers &start = system.numbers[first.first.index()], &final = system.numbers[last.first.index()];
  bool starts_later = start.fixed && final.fixed && start.start >= final.start;
  Span at = stated_at(last) ? stated_at(last) : stated_at(first);
  if (starts_later)
    diagnostics.error(horizon_reversed, at ? at : system.flat.span, {number_text(final.start), number_text(start.start)});
  else if (system.options.wants_objective && !last.free && final.fixed && !stated_at(last))
    diagnostics.warning(horizon_not_stated, system.flat.span, {number_text(final.start)});
}

}  // namespace bolza::passes
