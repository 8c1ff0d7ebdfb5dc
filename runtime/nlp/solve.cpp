// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/solve.h"

#include <utility>

#include "base/clock.h"
#include "runtime/nlp/layer_table.h"

namespace bolza::nlp {

Report solve(const Nlp& nlp, const EngineOptions& options, const Iterate* start) {
  auto begin = Clock::now();
  verify(nlp);
  SolveTask task{.nlp = &nlp, .engine = find_engine(options.engine), .options = options};
  task.options.hessian = hessian_for(options);
  if (start) task.start = *start;
  else task.start.w = nlp.start;
  Report report = walk(std::move(task), layers());
  report.seconds = seconds_since(begin);
  return report;
}

}  // namespace bolza::nlp
