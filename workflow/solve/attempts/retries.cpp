// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/attempts/retries.h"

#include "workflow/solve/attempts/attempt_table.h"

namespace bolza::workflow {
namespace {

void try_other_ways(Climb& climb) {
  for (const AttemptRow* row : attempts()) {
    if (climb.held() || climb.ended()) return;
    bool belongs =
        climb.task().effort.attempts <= row->effort && row->of_static == static_cast<bool>(climb.task().problem.is_static);
    if (belongs && (row->is_cheap || climb.goes_on()) && row->applies(climb)) row->make(climb);
  }
}

}  // namespace

RetryOutcome solve_with_retries(const RetryTask& task) {
  Climb climb(task);
  transcribe::TranscribeOptions first = climb.first();
  if (!climb.attempt_first(first) && task.retry) try_other_ways(climb);
  if (climb.late()) climb.tell_of_time();
  climb.begin_search();
  for (const SearchRow* row : searches())
    if (row->applies(climb)) row->look(climb, first);
  return climb.take_outcome();
}

}  // namespace bolza::workflow
