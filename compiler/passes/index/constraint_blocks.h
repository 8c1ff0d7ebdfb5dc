// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/union_find.h"
#include "compiler/passes/index/pantelides.h"

namespace bolza::passes {

/// The columns of a signature, joined where one differentiated row (a constraint) has leading entries of both: the choice of
/// states is made for each set alone. A constraint is of the set of the column that it is matched with.
UnionFind constraint_blocks(const Signature& signature, const Offsets& offsets);

}  // namespace bolza::passes
