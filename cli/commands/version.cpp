#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/print.h"
#include "runtime/abi/bolza.h"

namespace bolza::cli {

int run_version(const Arguments& arguments) {
  if (arguments.json) print_json({{"name", "bolza"}, {"version", BOLZA_VERSION}, {"abi", BOLZA_ABI_VERSION}});
  else std::printf("bolza %s (kernel interface %d)\n", BOLZA_VERSION, BOLZA_ABI_VERSION);
  return fine;
}

}  // namespace bolza::cli
