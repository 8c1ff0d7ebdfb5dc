// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// Replaces calls of Programs by expressions where control flow does not depend on data: straight-line bodies, constant trip
/// counts, branches as selections. The rest stays a call. Once per shape.
Result<Done> inline_functions(System& system, Diagnostics& diagnostics);

/// The same for calls that index reduction needed whole: their derivatives by time are given by the model, or
/// `InlineAfterIndexReduction` asked for it.
Result<Done> inline_reduced(System& system, Diagnostics& diagnostics);
/// What that makes of one equation.
Applied inlined_as_reduced(System& system, Composer& composer, const Applied& applied);

}  // namespace bolza::passes
