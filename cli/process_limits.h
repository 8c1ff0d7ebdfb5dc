// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/budget.h"
#include "cli/arguments.h"

namespace bolza::cli {

/// What the whole process may take [docs/limits.md]; all ends are one diagnostic, E970 to E972, and no signal.
///
/// Time  `--max-time`, from here on: what can be interrupted is interrupted then, gives what it has, and the exit code is
///       1; everything else, and what does not react within half a second and a tenth of the time, ends at once. What is
///       being written then is waited for.
/// Memory `--max-memory`: allocations beyond it fail, see `out_of_memory`.
/// Stack  of the main thread: 100 MB where the system allows; what nests deeper ends with exit code 2.
///
/// Cost: some system calls.
void begin_limits(const Arguments& arguments);

/// Whether `--max-memory` stands among the arguments: the heap must not be reserved then (base/memory_policy.h).
bool bounds_memory(int argc, char** argv);

/// Prints E971; the exit code.
int out_of_memory(const Arguments& arguments);

/// What is left of `--max-time`, and the flag that signals raise.
const Budget& budget_of_process();
/// From now on the time limit and the first signal end the budget, and not the process.
/// @param grace  seconds after a signal by which the process ends
const Budget& catch_interrupts(double grace = 5);
/// The code that the process ends with. Out of time it ends here: a thread may have been left behind in a library
/// (runtime/nlp/layers/deadline.cpp), which would use what is destroyed at a return from `main`.
int end_of_process(int code);
/// 130 after Ctrl-C, 143 after SIGTERM, as shells expect, 1 after the time limit, which is reported; `otherwise` when
/// nothing was interrupted.
int exit_code_of_interrupt(int otherwise, const Arguments& arguments);

}  // namespace bolza::cli
