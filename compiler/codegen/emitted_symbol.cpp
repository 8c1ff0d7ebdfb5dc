// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/emit_internal.h"

namespace bolza::codegen {

std::string emitted_symbol(const bolza_problem& problem) {
  std::string symbol = "bolza_";
  for (const char* c = problem.name; *c; ++c) {
    bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9');
    symbol += letter ? *c : '_';
  }
  return symbol;
}

}  // namespace bolza::codegen
