// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <exception>
#include <new>

#include "base/memory_policy.h"
#include "base/printable.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/overwriting.h"
#include "cli/process_limits.h"
#include "cli/sandbox.h"
#include "cli/server_library.h"
#include "cli/standard_streams.h"
#include "compiler/foreign/modelica_utilities.h"
#include "workflow/outside_libraries.h"

namespace {

using namespace bolza::cli;

int run(int argc, char** argv, Parsed& parsed) {
  try {
    parsed = parse_arguments(argc, argv);
    if (parsed.done) return parsed.exit_code;
    if (int code = refuse_overwriting(parsed.arguments); code != fine) return code;
    if (!parsed.arguments.remote.server.empty() && parsed.arguments.command != "jobs")
      return run_on_server(parsed.arguments);
    if (parsed.arguments.sandbox.wanted) return run_in_sandbox(parsed.arguments, argc, argv);
    begin_limits(parsed.arguments);
    for (const Command& command : command_table)
      if (command.name == parsed.arguments.command) return end_of_process(command.run(parsed.arguments));
    return our_bug;
  } catch (const std::bad_alloc&) {
    return out_of_memory(parsed.arguments);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bolza: internal error: %s\nThis is a defect of bolza; please report it with the model file.\n",
                 e.what());
    return our_bug;
  }
}

}  // namespace

int main(int argc, char** argv) {
  open_closed_streams();
  write_past_limits_fails();
  if (!bounds_memory(argc, argv)) bolza::keep_freed_memory();
  bolza::workflow::set_blas_defaults();
  bolza::foreign::set_message_sink([](const char* text, bool warning) {
    std::fprintf(stderr, "%s%s\n", warning ? "warning: " : "", bolza::printable(text).c_str());
  });
  Parsed parsed;
  int code = run(argc, argv, parsed);
  return after_output(code, parsed.arguments);
}
