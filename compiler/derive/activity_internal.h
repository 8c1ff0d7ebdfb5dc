// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "compiler/ir/program.h"

namespace bolza::derive {

/// Which locals and arrays of a Program can depend differentiably on its real inputs, whatever the path taken.
struct Activity {
  std::vector<char> locals, arrays;

  bool operator()(std::uint32_t local) const { return local < locals.size() && locals[local]; }
  /// The active locals that an expression depends on differentiably.
  std::vector<std::uint32_t> active_slots(const ir::Expressions& expressions, ir::ExprId e) const;
  bool depends(const ir::Expressions& expressions, ir::ExprId e) const { return !active_slots(expressions, e).empty(); }
};

Activity activity_of(const ir::Expressions& expressions, const ir::Program& program);

}  // namespace bolza::derive
