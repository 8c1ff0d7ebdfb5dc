// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "compiler/codegen/kernel_shape.h"
#include "compiler/ir/problem.h"

namespace bolza::codegen {

/// A group whose instances agree in everything that code depends on.
struct PreparedGroup {
  ir::Group group;                 ///< columns hold input positions; no two slots coincide in any instance
  std::vector<SlotClass> classes;  ///< [slots]
  std::vector<std::uint8_t> by;    ///< [slots] 1: a variable by which we differentiate
};

/// Splits the groups of a function where instances differ in which slots are the same variable, or in which are free
/// parameters (positions n_point … n_point + n_global − 1). Cost: linear in the integers of the tables when nothing is
/// split.
std::vector<PreparedGroup> prepare(ir::Dag& dag, const ir::Function& function, std::uint32_t n_global);

}  // namespace bolza::codegen
