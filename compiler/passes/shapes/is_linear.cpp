// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/shapes/is_linear.h"

#include <algorithm>

#include "compiler/ir/substitute.h"

namespace bolza::passes {

bool is_linear(const System& system, Linearity& linearity, const Applied& value) {
  auto varies = [&](std::uint32_t slot) { return system.varies(value.slots[slot]); };
  for (std::uint32_t slot = 0; slot < value.slots.size(); ++slot) {
    if (!varies(slot)) continue;
    if (system.role(value.slots[slot]) == ScalarRole::time) return false;
    const LinearParts& parts = linearity.linear_parts(value.root(), slot);
    if (!parts.linear) return false;
    std::vector<std::uint32_t> in = ir::leaves_of(system.dag(), std::span(&parts.coefficient, 1), ir::Op::slot);
    if (std::any_of(in.begin(), in.end(), varies)) return false;
  }
  return true;
}

}  // namespace bolza::passes
