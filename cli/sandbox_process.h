// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "cli/control_group.h"

namespace bolza::cli {

/// Whether bubblewrap runs `/bin/true` within these walls; nothing is printed.
bool stands(const std::vector<std::string>& walls);

struct SandboxEnd {
  int code = 0;           ///< exit code of the command; 128 + the signal where that ended it
  bool by_force = false;  ///< by its time, or killed by nobody here: the system had no memory left
};

/// Runs bubblewrap with these words, `--` and the command, under the filter of system calls and in the group, and waits for
/// it. SIGINT, SIGTERM and SIGHUP are handed to the command, which has some seconds to write what it has; a second one, or
/// `most_seconds` (0: no limit), ends the sandbox with all that is in it.
SandboxEnd run_within(const std::vector<std::string>& walls, const std::vector<std::string>& command,
                      const ControlGroup& group, double most_seconds);

}  // namespace bolza::cli
