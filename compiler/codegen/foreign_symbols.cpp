// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/foreign_symbols_internal.h"

#include "base/digest.h"
#include "base/interrupt.h"

namespace bolza::codegen {

ForeignSymbols foreign_symbols(const ir::Foreign& function) {
  std::string name = "bolza_foreign_" + digest(function.identity);
  return {name + "_call", name + "_self"};
}

std::vector<Symbol> outside_symbols(const ir::Expressions& expressions) {
  std::vector<Symbol> symbols{{interrupt_symbol, const_cast<const bool*>(&interrupt_flag())}};
  for (const ir::Program& program : expressions.programs) {
    if (!program.foreign) continue;
    ForeignSymbols names = foreign_symbols(*program.foreign);
    symbols.push_back({names.call, reinterpret_cast<const void*>(program.foreign->call)});
    symbols.push_back({names.self, program.foreign->self.get()});
  }
  return symbols;
}

}  // namespace bolza::codegen
