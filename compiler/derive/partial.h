// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>

#include "compiler/ir/program.h"

/// Symbolic derivatives. Everything here is closed: what it returns is ordinary nodes and Programs, simplified locally, that
/// can be differentiated again. Leaves other than slots (data, weights, directions) are constants.
///
/// Selection: the derivative of select is select(c, da, db), in reverse the adjoint of a branch is select(c, adjoint, 0),
/// and products with partial derivatives go under the selection: never a product with c. `guard` should have been applied
/// before, so that branches not taken are finite also where the condition is lost in a sum. Kinks: abs' = sign (0 at 0); min
/// and max take the side that their value takes; floor, ceil, sign, relations and conditions have derivative 0.
namespace bolza::derive {

/// Operands by which a node is differentiated: of an output of a call the call's arguments, else the node's own.
std::span<const ir::ExprId> operands_of(const ir::Dag& dag, ir::ExprId e);

/// Can the partial derivative of `e` by operand k be other than 0? (Integer and Boolean arguments of calls cannot.)
bool differentiable(const ir::Expressions& expressions, ir::ExprId e, std::size_t k);

/// w · ∂e/∂operand k, in the form with the fewest operations. May add Programs.
ir::ExprId chain(ir::Expressions& expressions, ir::ExprId e, std::size_t k, ir::ExprId w);

/// ∂e/∂operand k.
ir::ExprId partial(ir::Expressions& expressions, ir::ExprId e, std::size_t k);

/// w · ∂²e/∂operand k ∂operand m.
ir::ExprId second_chain(ir::Expressions& expressions, ir::ExprId e, std::size_t k, std::size_t m, ir::ExprId w);

/// a·b with an order of operands that does not depend on who asks, so that equal products are one node.
ir::ExprId times(ir::Dag& dag, ir::ExprId a, ir::ExprId b);

/// a + b; selections under one condition are added branch by branch.
ir::ExprId plus(ir::Dag& dag, ir::ExprId a, ir::ExprId b);

}  // namespace bolza::derive
