// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/flatten/typing/sides_internal.h"

namespace bolza::flatten {

/// Rows of an equation, discrete or not; `initial`: of the initial equations.
void emit_equation(Model& model, const Space& space, const Sides& sides, bool initial, Span span, const NamedAxes& names);

}  // namespace bolza::flatten
