// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>

#include "compiler/ir/dag.h"

namespace bolza::passes {

/// What an operator becomes where operands are truth values between 0 and 1.
struct Blended {
  ir::ExprId e;
  bool is_truth = false;  ///< a truth value itself
};

/// not a: 1 − a, a and b: a b, a or b: a + b − a b, a = b: 1 − a − b + 2 a b, if w then a else b: b + w (a − b); exact where
/// the values are 0 and 1, and linear in each. Any other operator as it is.
Blended blended_operator(ir::Dag& dag, ir::ExprId e, std::span<const ir::ExprId> x);

}  // namespace bolza::passes
