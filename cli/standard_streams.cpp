// SPDX-License-Identifier: Apache-2.0
#include "cli/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/print.h"
#include "runtime/result/codes.h"

namespace bolza::cli {

void open_closed_streams() {
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    // the lowest free number is this stream's: those before it are open
    if (::open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY) < 0) return;
  }
}

void write_past_limits_fails() { std::signal(SIGXFSZ, SIG_IGN); }

int after_output(int code, const Arguments& arguments) {
  bool failed_before = std::ferror(stdout) != 0;
  errno = 0;
  bool good = std::fflush(stdout) == 0 && !failed_before;
  if (good) return code;
  Sources sources;
  Diagnostics diagnostics;
  diagnostics.error(result::cannot_write, {},
                    {"standard output", errno != 0 ? std::strerror(errno) : "it took a part of it"});
  Arguments plain = arguments;
  plain.print.json = false;  // where JSON goes to is what failed
  print_diagnostics(diagnostics, sources, plain);
  return code == fine || code == warned ? static_cast<int>(bad_input) : code;
}

}  // namespace bolza::cli
