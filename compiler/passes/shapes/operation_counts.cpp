// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/shapes/operation_counts.h"

namespace bolza::passes {

std::uint32_t OperationCounts::count(std::span<const ir::ExprId> roots) const {
  std::uint32_t n = 0;
  for (ir::ExprId e : ir::reachable(dag_, roots))
    n += dag_.op(e) != ir::Op::number && dag_.op(e) != ir::Op::slot && dag_.op(e) != ir::Op::datum;
  return n;
}

std::uint32_t OperationCounts::of(ir::ExprId root) {
  auto [at, is_new] = of_one_.try_emplace(root, 0);
  if (is_new) at->second = count(std::span(&root, 1));
  return at->second;
}

std::uint32_t OperationCounts::of(const std::vector<ir::ExprId>& roots) {
  if (roots.size() == 1) return of(roots[0]);
  auto [at, is_new] = of_several_.try_emplace(roots, 0);
  if (is_new) at->second = count(roots);
  return at->second;
}

}  // namespace bolza::passes
