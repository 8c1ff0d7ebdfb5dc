// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/layer.h"

#include <utility>
#include <vector>

namespace bolza::nlp {
namespace {

/// Evaluations fail when the budget has ended, and engines cannot know why.
Report ask_engine(const SolveTask& task) {
  Report report = task.engine->solve(*task.nlp, task.options, task.start);
  if (report.status == Status::evaluation_error || report.status == Status::failed)
    report.status = or_limit(report.status, task.options.budget);
  return report;
}

}  // namespace

Report walk(SolveTask task, LayerRows rows) {
  std::vector<std::unique_ptr<Layer>> passed;
  std::optional<Report> found;
  for (; !rows.empty() && !found; rows = rows.subspan(1)) {
    const LayerRow& row = *rows.front();
    if (row.answer) {
      found = row.answer(task, rows.subspan(1));
      continue;
    }
    std::unique_ptr<Layer> layer = row.make();
    Report answer;
    Passage passage = layer->up(task, answer);
    if (passage == Passage::through) passed.push_back(std::move(layer));
    if (passage == Passage::answered) found = std::move(answer);
  }
  Report report = found ? *std::move(found) : ask_engine(task);
  for (; !passed.empty(); passed.pop_back()) passed.back()->down(report);
  return report;
}

}  // namespace bolza::nlp
