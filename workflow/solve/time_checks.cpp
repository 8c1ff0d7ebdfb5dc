// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/time_checks.h"

#include <utility>

#include "base/numbers.h"
#include "workflow/solve/mesh/time_mesh.h"

namespace bolza::workflow {

void look_at_time(Model& model, const driver::Options& options, SolveOutcome& outcome) {
  constexpr std::size_t any_number = 100'000;
  TimeMesh times(model);
  TimeLacks lacks = times.lacks(outcome.solution, any_number, options.has("mesh") || options.has("phase-mesh"));
  outcome.look_at = std::move(lacks.look_at);
  if (!lacks.any() && lacks.intervals == 0) return;
  outcome.warnings.push_back({WarningKind::time_not_resolved,
                              "`" + lacks.text + "` changes within an interval of the mesh at t = " + shown(lacks.time) +
                                  ", between the points at which it is looked at",
                              options.has("mesh") ? "without `--mesh` the mesh gets points there, and a finer one has more"
                                                  : "a finer mesh (`--mesh`) has more points",
                              lacks.text, lacks.time});
}

}  // namespace bolza::workflow
