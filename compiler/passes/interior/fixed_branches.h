// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/interior/interior_times.h"

namespace bolza::passes {

/// Gives expressions the form that they have in one piece of the horizon.
class Branches {
 public:
  virtual ~Branches() = default;
  virtual Applied in_piece(const Applied& what, std::size_t piece) = 0;
};

/// What a relation, |e|, min, max or sign over the operands x is where its difference is positive, or is not.
ExprId branch_of(ir::Dag& dag, ExprId node, std::span<const ExprId> x, bool is_positive);

/// Gives relations, |e|, min, max and sign of expressions of time the branch that they have in one piece of the horizon.
class FixedBranches final : public Branches {
 public:
  FixedBranches(ir::Dag& dag, InteriorTimes& times) : dag_(dag), times_(times) {}

  /// @param piece  between interior times `piece` − 1 and `piece`   Cost: nothing for what does not read time.
  Applied in_piece(const Applied& what, std::size_t piece) override;

 private:
  ir::Dag& dag_;
  InteriorTimes& times_;
};

}  // namespace bolza::passes
