// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <vector>

#include "compiler/ir/program.h"
#include "compiler/passes/system/applied.h"

namespace bolza::passes {

/// Total derivatives with respect to time: Σ ∂root/∂v · der(v) + ∂root/∂time. Programs are differentiated by their tangents.
/// Shapes are differentiated once for each pattern of slots that vary.
class TimeDerivative {
 public:
  TimeDerivative(ir::Expressions& expressions, Composer& composer) : expressions_(expressions), composer_(composer) {}

  /// @param derivative  der(v); the time itself for the time; none for what is constant
  Applied of(const Applied& what, const std::function<VariableId(VariableId)>& derivative);
  /// Whether some of what the roots read may stay undifferentiated, because the author of a function says how it changes
  /// (`noDerivative`).
  bool may_hold(const std::vector<ExprId>& roots);

 private:
  /// Slots of the shape keep their numbers, derivatives follow in the order of their slots.
  const std::vector<ExprId>& shape_for(const std::vector<ExprId>& roots, const std::vector<std::uint8_t>& kinds);

  ir::Expressions& expressions_;
  Composer& composer_;
  std::map<std::pair<std::vector<ExprId>, std::vector<std::uint8_t>>, std::vector<ExprId>> memo_;
  std::vector<char> holds_;  // [programs looked at] an author says of it what may_hold asks
  bool any_holds_ = false;
};

}  // namespace bolza::passes
