// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/instance/build_internal.h"

/// Outer components stand for inner ones: the name leads to the inner Instance, and nothing else is made.
namespace bolza::instance {

/// The component that the `outer` declaration in `parent` means: `inner` of that name in the nearest enclosing instance,
/// else one that is added to the root. Errors E218.
Result<const Instance*> inner_of(InstanceTree& tree, const Instance& parent, const ast::Component& component,
                                 const Scope& scope, Diagnostics& diagnostics);
/// E217 when the inner component lacks what the class of the outer one promises.
bool check_inner_fits(InstanceTree& tree, const Instance& inner, const ast::Component& outer, const Scope& scope,
                      Diagnostics& diagnostics);

}  // namespace bolza::instance
