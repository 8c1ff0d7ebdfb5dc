// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <utility>

#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"

namespace bolza::flatten {

/// Maxima and minima over time as free parameters: maxOverTime(e) becomes m, with the path constraint e <= m. Of |e| and of
/// max(a, b) each side is a row of its own, so that what is smooth stays smooth.
class ExtremumSplit {
 public:
  ExtremumSplit(Model& model, ir::OptimizationProblem& problem, Work& work)
      : model_(model),
        problem_(problem),
        work_(work) {}

  /// The node with parameters in the place of its extrema.
  /// @param down  whether it is pressed down: a maximum may stand where it is increasing, a minimum where it is decreasing
  /// Errors  E367 an extremum of the wrong kind, or in something that is not monotone.
  Typed replace(const Node& node, bool down);

  /// The same of both sides of a constraint.
  Outcome<std::pair<const Node*, const Node*>> sides(const Node& left, const Node& right, ir::Relation relation);

 private:
  Typed parameter_for(const Node& extremum);
  void bound(const Node& part, const Node& limit, ir::Op op, Span span);

  Model& model_;
  ir::OptimizationProblem& problem_;
  Work& work_;
};

}  // namespace bolza::flatten
