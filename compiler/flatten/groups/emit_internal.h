// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/groups/equation_leaves_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"

namespace bolza::flatten {

/// Where rows go.
struct Target {
  ir::Section* section = nullptr;
  ExpressionPlace place = ExpressionPlace::equation;
  Span span;
  const NamedAxes* names = nullptr;
};

/// One row 0 = residual for every element of `residual` and every instance of the space; asks for no split itself.
/// Long sums become groups of their own that add to the row.
void emit_rows(Model& model, const Space& space, const Node& residual, const Target& target);
/// One row with the roots {left, right} for every element and instance. Gives the number of rows.
std::uint32_t emit_pairs(Model& model, const Space& space, const Node& left, const Node& right, const Target& target);
/// Adds a scalar to one row of a section (objective, integrand) for every instance of the space.
void emit_sum(Model& model, const Space& space, const Node& term, const Target& target, std::uint32_t row);

}  // namespace bolza::flatten
