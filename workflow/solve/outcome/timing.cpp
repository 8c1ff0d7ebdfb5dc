// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/outcome/timing.h"

#include <algorithm>

namespace bolza::workflow {

void Timing::add(const std::string& part, double seconds) {
  auto at = std::ranges::find(parts, part, &std::pair<std::string, double>::first);
  if (at == parts.end()) at = parts.insert(at, {part, 0});
  at->second += seconds;
}

SolveNote note_of(std::string what, const abi::Solution& solution) {
  SolveNote note{.what = std::move(what)};
  for (const abi::PhaseSolution& phase : solution.phases) note.intervals += std::max<std::size_t>(phase.mesh.size(), 1) - 1;
  const abi::Statistics& s = solution.statistics;
  note.variables = s.variables;
  note.constraints = s.constraints;
  note.iterations = s.iterations;
  note.status = solution.status;
  note.objective = solution.objective;
  note.seconds = s.seconds_total;
  note.seconds_evaluation = s.seconds_evaluation;
  note.seconds_analysis = s.seconds_analysis;
  note.seconds_factorisation = s.seconds_factorisation;
  note.seconds_back_solve = s.seconds_back_solve;
  return note;
}

}  // namespace bolza::workflow
