// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "base/result.h"
#include "compiler/driver/compile.h"

namespace bolza::workflow {

/// The user's settings: `bolza/settings` in $XDG_CONFIG_HOME, else in ~/.config; "" where neither variable is set.
std::string settings_file();

/// Adds the folders that lines `trust = FOLDER` of the settings name; nothing where there is no such file. Lines that begin
/// with # say nothing. Errors  E948: another line, a file that others may write, a folder without `/` at its start.
Result<Done> add_trusted_folders(instance::Trust& trust, Diagnostics& diagnostics);

}  // namespace bolza::workflow
