#pragma once
#include <string>
#include <vector>

#include "compiler/codegen/kernel_shape.h"

namespace bolza::codegen {

/// Names under which compiled code finds a foreign function: what calls it, and what that is told.
struct ForeignSymbols {
  std::string call, self;
};
ForeignSymbols foreign_symbols(const ir::Foreign& function);

/// A name that compiled code may use, and what it stands for.
struct Symbol {
  std::string name;
  const void* address = nullptr;
};

/// The symbols of all foreign functions of a compilation.
std::vector<Symbol> symbols_of_foreign(const ir::Expressions& expressions);

}  // namespace bolza::codegen
