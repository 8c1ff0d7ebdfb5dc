// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/ir/dag.h"

namespace bolza::ir {

/// Whether a node is the square root of a sum of squares, which has no derivative where all of them are zero: even powers,
/// products of squares, positive multiples. A positive constant in the sum keeps it from that.     Cost  the nodes of the
/// sum.
bool is_norm(const Dag& dag, ExprId e);

}  // namespace bolza::ir
