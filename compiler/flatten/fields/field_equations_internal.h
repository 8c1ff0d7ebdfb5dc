// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/typing/context_internal.h"

/// Equations of domains as equations of arrays. What is made has the place of what was written; its cost does not depend on
/// the number of points.
namespace bolza::flatten {

/// `… indomain omega`: one loop over the points inside, and an equation for each point next to a side or on it, where that
/// side does not give the value. `… indomain omega.left`: the equation on the side. Nothing after a message.
/// @param instance  of whose class it is an equation
std::vector<const ast::Equation*> equations_at_points(Model& model, const ast::Equation& equation, const Instance& instance,
                                                      const Context& context);
/// An initial equation for a field: `u = f(omega.x)` holds at its points but for those where a side gives the value. The
/// equation itself where it is about no field.
std::vector<const ast::Equation*> initial_at_points(Model& model, const ast::Equation& equation, const Context& context);
/// The same of a constraint, which holds at all points.
std::vector<const ast::Constraint*> constraints_at_points(Model& model, const ast::Constraint& constraint,
                                                          const Context& context);
/// Start values are no initial values where a side gives the value of the field.
void free_starts_on_sides(Model& model);

}  // namespace bolza::flatten
