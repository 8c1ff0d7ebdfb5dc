#pragma once
#include <map>
#include <utility>

#include "compiler/ir/program.h"
#include "compiler/passes/system/applied.h"

namespace bolza::passes {

/// How a root depends on one slot: root = coefficient·slot + rest when `linear`.
struct LinearParts {
  bool linear = false;
  ExprId coefficient, rest;  ///< over the other slots of the shape
};

/// Facts of shapes, found once per (root, slot).
class Facts {
 public:
  explicit Facts(ir::Expressions& expressions) : expressions_(expressions), dag_(expressions.dag) {}
  const LinearParts& linear_parts(ExprId root, std::uint32_t slot);
  /// Parts of an equation root = 0 that is equivalent and linear in the slot: the root itself, or the root with the given
  /// inverse of a Program in it: f(a·x + b) = y becomes a·x + b − g(y) = 0.
  const LinearParts& solvable_parts(ExprId root, std::uint32_t slot);
  /// Parts of the root times the slot, where the slot is a divisor only: n/x + b = 0 becomes b·x + n = 0. Equivalent where
  /// n ≠ 0, and without the pole at 0, where a solution by iterations may have to start.
  LinearParts cleared_parts(ExprId root, std::uint32_t slot);
  /// Operators that the root reaches: what one evaluation costs.
  std::uint32_t operations(ExprId root);
  /// The same of several roots: what they share counts once.
  std::uint32_t operations(const std::vector<ExprId>& roots);

 private:
  LinearParts find_parts(ExprId root, ExprId of, std::uint32_t slot);
  bool reads(std::span<const ExprId> roots, std::uint32_t slot) const;
  LinearParts inverted(ExprId root, std::uint32_t slot);
  ir::Expressions& expressions_;
  ir::Dag& dag_;
  std::map<std::pair<ExprId, std::uint32_t>, LinearParts> parts_, solvable_;
  std::uint32_t count(std::span<const ExprId> roots) const;
  std::map<ExprId, std::uint32_t> operations_;
  std::map<std::vector<ExprId>, std::uint32_t> joint_operations_;
};

}  // namespace bolza::passes
