#pragma once
#include <map>
#include <utility>

#include "compiler/passes/applied.h"

namespace bolza::passes {

/// How a root depends on one slot: root = coefficient·slot + rest when `linear`.
struct LinearParts {
  bool linear = false;
  ExprId coefficient, rest;  ///< over the other slots of the shape
};

/// Facts of shapes, found once per (root, slot).
class Facts {
 public:
  explicit Facts(ir::Dag& dag) : dag_(dag) {}
  const LinearParts& linear_parts(ExprId root, std::uint32_t slot);
  /// Operators that the root reaches: what one evaluation costs.
  std::uint32_t operations(ExprId root);

 private:
  LinearParts find_parts(ExprId root, std::uint32_t slot);
  ir::Dag& dag_;
  std::map<std::pair<ExprId, std::uint32_t>, LinearParts> parts_;
  std::map<ExprId, std::uint32_t> operations_;
};

}  // namespace bolza::passes
