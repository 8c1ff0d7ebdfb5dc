// SPDX-License-Identifier: Apache-2.0
// The table of libbolza_server.so.
#include "server/entry.h"

#include "server/client/client.h"
#include "server/library/serve.h"
#include "server/worker/worker.h"

extern "C" __attribute__((visibility("default"))) const bolza::server::ServerLibrary* bolza_server_library() {
  using namespace bolza::server;
  static const ServerLibrary library{server_library_version, serve, work, run_remotely, remote_jobs};
  return &library;
}
