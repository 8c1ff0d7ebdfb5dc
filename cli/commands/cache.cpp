// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/commands.h"
#include "cli/print.h"
#include "workflow/kernel_cache.h"

namespace bolza::cli {

namespace {

std::string entries_of(std::uint64_t entries, const char* what, std::uint64_t bytes) {
  char megabytes[32];
  std::snprintf(megabytes, sizeof megabytes, "%.1f", static_cast<double>(bytes) / 1e6);
  return std::to_string(entries) + " " + what + ", " + megabytes + " MB";
}

std::string contents(const workflow::KernelCache& state) {
  return entries_of(state.entries, "kernels", state.bytes) + "; " +
         entries_of(state.parsed_entries, "parsed files", state.parsed_bytes);
}

}  // namespace

int run_cache(const Arguments& arguments) {
  bool clear = !arguments.words.empty() && arguments.words[0] == "clear";
  if (!arguments.words.empty() && !clear) {
    std::fprintf(stderr, "error: `bolza cache` knows one action, `clear`, not `%s`\n", arguments.words[0].c_str());
    return bad_input;
  }
  workflow::KernelCache state = clear ? workflow::clear_kernel_cache() : workflow::kernel_cache();
  if (arguments.print.json) {
    print_json({{"folder", state.folder},
                {"entries", state.entries},
                {"bytes", state.bytes},
                {"parsed_entries", state.parsed_entries},
                {"parsed_bytes", state.parsed_bytes},
                {"cleared", clear}});
  } else if (state.folder.empty()) {
    std::puts("there is no cache: neither BOLZA_CACHE, XDG_CACHE_HOME nor HOME is set");
  } else if (clear) {
    std::printf("removed %s, from %s\n", contents(state).c_str(), state.folder.c_str());
  } else {
    std::printf("%s: %s\n", state.folder.c_str(), contents(state).c_str());
  }
  return fine;
}

}  // namespace bolza::cli
