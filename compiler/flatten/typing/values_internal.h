// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/lower_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"

namespace bolza::flatten {

/// The value of a binding or attribute for the element at all indices of `target`; levels and `each` seen to.
/// Needs a space of all elements of `target` (`space_of(model, target, true)`).
Typed value_for(Model& model, Work& work, const Instance& target, const instance::ScopedExpr& given, bool is_binding,
                Indices& indices);
/// The same as a scalar node; its indices become axes of the work's space.
Typed element_for(Model& model, Work& work, const Instance& target, const instance::ScopedExpr& given, bool is_binding);
/// The element of a component at its own axes.
const Node* own_element(Model& model, Work& work, const Instance& instance);

}  // namespace bolza::flatten
