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
  server::RemoteJobsRequest request{
      .server = arguments.remote.server, .token = arguments.remote.token, .json = arguments.print.json};
  if (!arguments.words.empty()) request.action = arguments.words[0];
  if (arguments.words.size() > 1) request.job = arguments.words[1];
  if (!arguments.outputs.result.empty())
    request.outputs[arguments.outputs.result.ends_with(".csv") ? "result.csv" : "result.mat"] = arguments.outputs.result;
  if (!arguments.outputs.page.empty()) request.outputs["report.html"] = arguments.outputs.page;
  return library->remote_jobs(request);
}

}  // namespace bolza::cli
