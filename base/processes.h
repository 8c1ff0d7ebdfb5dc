// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.h"

namespace bolza {

/// What became of a task in a process of its own.
struct TaskOutcome {
  enum class Kind : std::uint8_t { done, crashed, timed_out } kind = Kind::done;
  std::string text;    ///< what the task returned, or what ended the process: "signal 11"
  std::string said;    ///< the end of what it printed, where that is kept
  double seconds = 0;  ///< wall clock
};

struct ProcessOptions {
  std::size_t jobs = 1;     ///< processes at a time; 0: no processes, one task after the other in this one
  double task_seconds = 0;  ///< after which a task is ended that has given no part since; 0: 600, and once some are done 30
                            ///< times the longest, at least 60
  Budget budget;
  double grace = 0;                 ///< seconds that tasks under way have once the budget has ended; signals do not end them
  bool keeps_what_is_said = false;  ///< what tasks print is not printed: its end is in `TaskOutcome::said`
  bool first_alone = false;         ///< until the first task has ended, or says that it is well under way, there is one
};

/// What a task says before it ends.
struct TaskVoice {
  std::function<void()> ready;                        ///< what others can use of it is made
  std::function<void(const std::string& text)> part;  ///< a part of what it does is done; no line ends in it
  std::function<bool()> is_to_end;                    ///< the budget has ended: nothing further is begun
};
/// Gets the parts of tasks in this process, as they come; what was said before its process died counts.
using TakePart = std::function<void(std::size_t task, const std::string& text)>;
/// The next task; none: none that could begin before another has ended.
using NextTask = std::function<std::optional<std::size_t>()>;

/// Runs `task(i)` for each of the tasks, every one in a process forked for it, and gives outcomes to `finished` in this
/// process, in the order in which they end. A task that crashes or hangs costs itself alone. Children ignore Ctrl-C and do
/// not survive this process. False: interrupted; tasks under way that had not ended by the grace were ended and not
/// reported. Requires  no other threads run in this process, and `task` writes nothing that others read.
bool run_in_processes(const NextTask& next, const ProcessOptions& options,
                      const std::function<std::string(std::size_t, const TaskVoice&)>& task,
                      const std::function<void(std::size_t, const TaskOutcome&)>& finished, const TakePart& part = {});
bool run_in_processes(const std::vector<std::size_t>& tasks, const ProcessOptions& options,
                      const std::function<std::string(std::size_t)>& task,
                      const std::function<void(std::size_t, const TaskOutcome&)>& finished);

}  // namespace bolza
