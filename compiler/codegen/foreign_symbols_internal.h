// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "compiler/codegen/object_loader.h"
#include "compiler/ir/program.h"

namespace bolza::codegen {

/// Names under which compiled code finds a foreign function: what calls it, and what that is given.
struct ForeignSymbols {
  std::string call, self;
};
ForeignSymbols foreign_symbols(const ir::Foreign& function);

/// The flag that loops look at (base/interrupt.h).
inline constexpr const char* interrupt_symbol = "bolza_interrupted";

/// What compiled code of this process may refer to: all foreign functions of a compilation, the flag.
std::vector<Symbol> outside_symbols(const ir::Expressions& expressions);

}  // namespace bolza::codegen
