// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/instance/instance.h"

namespace bolza::instance {

/// The function `equalityConstraint` of the type of a component, or of an array of it [MLS, 9.4]; null where the type has
/// none.
Result<const Instance*> equality_constraint(InstanceTree& tree, const Instance& component, Span used_at,
                                            Diagnostics& diagnostics);
/// Whether its type has one.
bool is_overconstrained(InstanceTree& tree, const Instance& component);

}  // namespace bolza::instance
