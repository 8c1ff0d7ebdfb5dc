// SPDX-License-Identifier: Apache-2.0
// The commands of the server room: serve, worker, jobs.
#include "cli/commands.h"
#include "cli/server_library.h"

namespace bolza::cli {

int run_serve(const Arguments& arguments) {
  const server::ServerLibrary* library = open_server(arguments);
  return library ? library->serve(arguments.serve) : bad_input;
}

int run_worker(const Arguments& arguments) {
  const server::ServerLibrary* library = open_server(arguments);
  return library ? library->work(arguments.serve.work) : bad_input;
}

int run_jobs(const Arguments& arguments) {
  const server::ServerLibrary* library = open_server(arguments);
  if (!library) return bad_input;
  server::RemoteJobsRequest request{.server = arguments.server, .token = arguments.token, .json = arguments.json};
  if (!arguments.names.empty()) request.action = arguments.names[0];
  if (arguments.names.size() > 1) request.job = arguments.names[1];
  if (!arguments.output.empty())
    request.outputs[arguments.output.ends_with(".csv") ? "result.csv" : "result.mat"] = arguments.output;
  if (!arguments.report.empty()) request.outputs["report.html"] = arguments.report;
  return library->remote_jobs(request);
}

}  // namespace bolza::cli
