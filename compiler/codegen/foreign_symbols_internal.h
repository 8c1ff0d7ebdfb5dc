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

/// The symbols of all foreign functions of a compilation.
std::vector<Symbol> symbols_of_foreign(const ir::Expressions& expressions);

}  // namespace bolza::codegen
