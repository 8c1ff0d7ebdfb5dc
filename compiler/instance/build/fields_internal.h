// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/instance/build_internal.h"

/// Fields of PDEModelica: `field Real u(domain = omega)` has a value at every point of the grid of omega.
namespace bolza::instance {

/// Finds the domain of a field and adds its dimensions, which are the last ones.
/// Errors  E501, E502, and those of looking the domain up.
Result<Done> set_domain(InstanceTree& tree, Instance& field, const ast::Component& declaration, const Selection& selection,
                        const Scope& scope, Diagnostics& diagnostics);

/// Attributes and the value of a field are said of one point: they become arrays over the points where they name a
/// coordinate (or another field), and hold for all points where they do not. What is an array already stays as it is.
void spread_over_domain(InstanceTree& tree, Instance& field);

}  // namespace bolza::instance
