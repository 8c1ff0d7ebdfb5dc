// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "compiler/driver/pontryagin.h"
#include "runtime/abi/solution.h"
#include "workflow/model.h"

namespace bolza::workflow {

/// The arcs of an optimum with the times where they meet.
struct ArcStructure {
  passes::ArcSequence sequence;
  std::vector<double> times;  ///< [arcs + 1], from the start to the final time of the system
};

/// Reads the arcs from a direct solution, interval by interval of its mesh: a control whose mean is at a bound is there, one
/// between its bounds is free where H is not affine in it and no limit is active, else singular; a path constraint or a
/// bound of a state is active where it holds as an equation throughout. An interval between two bounds is where a control
/// switches, and its mean says when.
/// Requires  a solution with a mesh.     Cost  linear in intervals × (controls + limits).
ArcStructure arcs_of(const Model& model, passes::OptimalitySystem& system, const abi::Solution& direct);

/// "u at its upper bound, v singular; h <= 3 holds as an equation".
std::string text_of(const passes::OptimalitySystem& system, const passes::OptimalityArc& arc);

/// What of an arc belongs to a phase of the problem.
passes::OptimalityArc part_of(const passes::OptimalitySystem& system, const passes::OptimalityArc& arc, std::size_t phase);
/// The same of a part.
std::string text_of(const passes::OptimalitySystem& system, const passes::OptimalityArc& part, std::size_t phase);

}  // namespace bolza::workflow
