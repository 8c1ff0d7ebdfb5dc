// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cli/arguments.h"
#include "server/entry.h"

namespace bolza::cli {

/// libbolza_server.so, opened; null where it is not there, which is printed (E906).
const server::ServerLibrary* open_server(const Arguments& arguments);

/// `bolza solve … --server URL`: the job of this command line, with the texts of the files that it names, is run there. The
/// exit code that it would have here.
int run_on_server(const Arguments& arguments);

}  // namespace bolza::cli
