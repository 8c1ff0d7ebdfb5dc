#pragma once
#include "compiler/passes/interior/interior_times.h"

namespace bolza::passes {

/// Gives relations, |e|, min, max and sign of expressions of time the branch that they have in one piece of the horizon.
class FixedBranches {
 public:
  FixedBranches(ir::Dag& dag, InteriorTimes& times) : dag_(dag), times_(times) {}

  /// @param piece  between interior times `piece` − 1 and `piece`   Cost: nothing for what does not read time.
  Applied in_piece(const Applied& what, std::size_t piece);

 private:
  ExprId branch(const Kink& kink, std::span<const ExprId> x, bool is_behind);

  ir::Dag& dag_;
  InteriorTimes& times_;
};

}  // namespace bolza::passes
