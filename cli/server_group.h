// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>

#include "cli/arguments.h"

namespace bolza::cli {

void add_serve(CLI::App& app, Arguments& a);
void add_worker(CLI::App& app, Arguments& a);
void add_jobs(CLI::App& app, Arguments& a);
/// --server and --token of commands that can be run elsewhere.
void add_remote(CLI::App& app, Arguments& a);

}  // namespace bolza::cli
