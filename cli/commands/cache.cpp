#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/print.h"
#include "workflow/kernel_cache.h"

namespace bolza::cli {

int run_cache(const Arguments& arguments) {
  bool clear = !arguments.names.empty() && arguments.names[0] == "clear";
  if (!arguments.names.empty() && !clear) {
    std::fprintf(stderr, "error: `bolza cache` knows one action, `clear`, not `%s`\n", arguments.names[0].c_str());
    return bad_input;
  }
  workflow::KernelCache state = clear ? workflow::clear_kernel_cache() : workflow::kernel_cache();
  double megabytes = static_cast<double>(state.bytes) / 1e6;
  if (arguments.json) {
    print_json({{"folder", state.folder}, {"entries", state.entries}, {"bytes", state.bytes}, {"cleared", clear}});
  } else if (state.folder.empty()) {
    std::puts("there is no cache: neither BOLZA_CACHE, XDG_CACHE_HOME nor HOME is set");
  } else if (clear) {
    std::printf("removed %llu kernels, %.1f MB, from %s\n", static_cast<unsigned long long>(state.entries), megabytes,
                state.folder.c_str());
  } else {
    std::printf("%s: %llu kernels, %.1f MB\n", state.folder.c_str(), static_cast<unsigned long long>(state.entries),
                megabytes);
  }
  return fine;
}

}  // namespace bolza::cli
