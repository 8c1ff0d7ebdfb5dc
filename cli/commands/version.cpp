// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/print.h"
#include "runtime/abi/bolza.h"
#include "workflow/outside_libraries.h"

namespace bolza::cli {

int run_version(const Arguments& arguments) {
  std::string llvm = workflow::llvm_in_use(), blas = workflow::blas_in_use();
  if (arguments.print.json) {
    print_json({{"name", "bolza"}, {"version", BOLZA_VERSION}, {"abi", BOLZA_ABI_VERSION}, {"llvm", llvm}, {"blas", blas}});
    return fine;
  }
  std::printf("bolza %s (kernel interface %d)\n", BOLZA_VERSION, BOLZA_ABI_VERSION);
  std::printf("  LLVM  %s\n  BLAS  %s\n", llvm.c_str(), blas.empty() ? "none found" : blas.c_str());
  return fine;
}

}  // namespace bolza::cli
