// SPDX-License-Identifier: Apache-2.0
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

/// In which slots roots are linear, or can be made so; found once per (root, slot).
class Linearity {
 public:
  explicit Linearity(ir::Expressions& expressions) : expressions_(expressions), dag_(expressions.dag) {}
  const LinearParts& linear_parts(ExprId root, std::uint32_t slot);
  /// Parts of an equation root = 0 that is equivalent and linear in the slot: the root itself, or the root with the given
  /// inverse of a Program in it: f(a·x + b) = y becomes a·x + b − g(y) = 0.
  const LinearParts& solvable_parts(ExprId root, std::uint32_t slot);
  /// Parts of the root times the slot, where the slot is a divisor only: n/x + b = 0 becomes b·x + n = 0. Equivalent where
  /// n ≠ 0, and without the pole at 0, where a solution by iterations may have to start.
  LinearParts cleared_parts(ExprId root, std::uint32_t slot);

 private:
  LinearParts find_parts(ExprId root, ExprId of, std::uint32_t slot);
  bool reads(std::span<const ExprId> roots, std::uint32_t slot) const;
  LinearParts inverted(ExprId root, std::uint32_t slot);
  ir::Expressions& expressions_;
  ir::Dag& dag_;
  std::map<std::pair<ExprId, std::uint32_t>, LinearParts> parts_, solvable_;
};

}  // namespace bolza::passes
