// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace bolza::cli {

/// "did you mean `--mesh`?" for arguments that the command does not know, and for a command that does not exist, on stderr.
/// @param commands  names of all
void suggest(const CLI::App& app, const std::vector<std::string>& commands, int argc, char** argv);

}  // namespace bolza::cli
