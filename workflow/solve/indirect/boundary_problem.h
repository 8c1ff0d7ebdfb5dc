// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "workflow/model.h"
#include "workflow/solve/indirect/arc_structure.h"

namespace bolza::workflow {

/// A variable of a class of conditions on one arc: times and values.
using NamedValues = std::map<std::string, std::vector<double>>;

/// The conditions of a sequence of arcs as a model that can be solved, with a start from a direct solution.
struct BoundaryProblem {
  passes::OptimalitySystem system;
  passes::OptimalityText text;
  std::unique_ptr<Model> model;  ///< of the text, compiled
  abi::Solution start;
};

/// Errors  E498, E925, in `own`: they are about the arcs, not about the model.
Result<BoundaryProblem> boundary_problem(Model& model, passes::OptimalitySystem system, const ArcStructure& structure,
                                         const abi::Solution& direct, Diagnostics& own);

/// Times and values of everything in an arc of a solution of the conditions, under its name without the arc's.
NamedValues values_of_arc(const BoundaryProblem& problem, const abi::Solution& solution, std::size_t arc);

/// The value of a parameter of the conditions; NaN: there is none.
double parameter_of(const BoundaryProblem& problem, const abi::Solution& solution, const std::string& name);

inline constexpr const char* time_of_arc = "time";

}  // namespace bolza::workflow
