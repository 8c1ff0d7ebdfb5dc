// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "compiler/codegen/llvm/module_internal.h"
#include "runtime/abi/bolza.h"

namespace bolza::codegen {

/// One kind of one function as it is emitted: its tables and the names of its groups' kernels ("" for none).
struct EmittedKind {
  const bolza_kernels* kernels = nullptr;
  std::vector<std::string> points, single;
};
using KernelNames = std::map<std::pair<const bolza_function*, bolza_kind>, EmittedKind>;

/// Adds the problem as constant data to a module that has the kernels, and the exported function `symbol` that returns it.
void add_constant_tables(ModuleBuilder& module, const bolza_problem& problem, const KernelNames& kernels,
                         const std::string& symbol);

}  // namespace bolza::codegen
