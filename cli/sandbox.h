// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cli/arguments.h"

namespace bolza::cli {

/// Runs the command again inside bubblewrap, where foreign code is trusted because it can reach nothing [docs/security.md]:
/// no network, the system and the inputs to be read alone, an empty folder to write in, limits. Outputs that the arguments
/// name are handed back when it ends; nothing else is. The exit code of that run; prints E978 and gives `bad_input` where
/// there is no sandbox: nothing runs without it.
///
/// Requires `--sandbox` among the words. Cost: two processes, and code is compiled again, as no cache is shared.
int run_in_sandbox(const Arguments& arguments, int argc, char** argv);

}  // namespace bolza::cli
