// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include "compiler/ir/dag.h"

namespace bolza::derive {

/// w · ∂e/∂operand k, in the form with the fewest operations.
using First = ir::ExprId (*)(ir::Dag&, ir::ExprId e, std::size_t k, ir::ExprId w);
/// w · ∂²e/∂operand k ∂operand m.
using Second = ir::ExprId (*)(ir::Dag&, ir::ExprId e, std::size_t k, std::size_t m, ir::ExprId w);

/// The derivatives of one operator with one or two operands. Null: zero wherever it exists.
struct DerivativeRule {
  constexpr DerivativeRule(ir::Op op, First first, Second second) : op(op), first(first), second(second) {}
  ir::Op op;
  First first;
  Second second;
};

/// The rule of an operator with one or two operands. An operator that is not discontinuous and has no first derivative in
/// the table does not compile.
const DerivativeRule& rule_of(ir::Op op);

}  // namespace bolza::derive
