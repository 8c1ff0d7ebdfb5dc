#pragma once
#include "compiler/flatten/model_internal.h"
#include "compiler/flatten/sides_internal.h"
#include "compiler/flatten/space_internal.h"

namespace bolza::flatten {

/// Rows of an equation, discrete or not; `initial`: of the initial equations.
void emit_equation(Model& model, const Space& space, const Sides& sides, bool initial, Span span, const NamedAxes& names);

}  // namespace bolza::flatten
