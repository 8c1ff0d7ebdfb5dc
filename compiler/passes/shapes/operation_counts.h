// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <span>
#include <vector>

#include "compiler/ir/dag.h"

namespace bolza::passes {

/// Operators of expressions, counted once per root: what one evaluation costs.
class OperationCounts {
 public:
  explicit OperationCounts(const ir::Dag& dag) : dag_(dag) {}
  /// Operators that the root reaches.
  std::uint32_t of(ir::ExprId root);
  /// The same of several roots: what they share counts once.
  std::uint32_t of(const std::vector<ir::ExprId>& roots);

 private:
  std::uint32_t count(std::span<const ir::ExprId> roots) const;

  const ir::Dag& dag_;
  std::map<ir::ExprId, std::uint32_t> of_one_;
  std::map<std::vector<ir::ExprId>, std::uint32_t> of_several_;
};

}  // namespace bolza::passes
