// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "compiler/ir/program.h"

namespace bolza::derive {

/// The roots with operands of operators of restricted domain (op.h: sqrt, log, division, pow …) that are evaluated only
/// under a condition replaced: op(arg) becomes op(select(condition, arg, safe)). Values are the same; a branch that is not
/// taken is finite in value and derivatives. To be applied before differentiating; applying it again changes nothing more
/// than it must.
///
/// An operator that some root needs under no condition, or under both, is left alone.
/// Cost: about linear; operators reached under more than 8 different combinations of conditions get what these have in
/// common.
std::vector<ir::ExprId> guard(ir::Dag& dag, std::span<const ir::ExprId> roots);

}  // namespace bolza::derive
