// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "compiler/flatten/model/model_internal.h"
#include "compiler/instance/lookup.h"

namespace bolza::flatten {

/// Gives expandable connectors the members that connections name [MLS, 9.1.3], through connected buses and nested ones,
/// until nothing is added; then takes away what neither a connection nor an expression names. Before variables get ids.
/// Errors  E347. Cost: the connect equations of the whole model, once for every bus that a name passes through.
void complete_buses(Model& model);

/// The component that the first `known` names of a side of a connection lead to: all of them, or those up to an expandable
/// connector that does not have the next one. Nothing, without message, where they lead elsewhere.
std::optional<instance::Resolved> known_part(Model& model, const ast::Expr& side, const Scope& scope, std::size_t& known);

}  // namespace bolza::flatten
