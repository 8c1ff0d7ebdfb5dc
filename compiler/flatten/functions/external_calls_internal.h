// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/model/frame_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/outcome_internal.h"

namespace bolza::flatten {

/// An external function as a Program without statements: finds the C function, decides how it is called.
Outcome<Done> write_foreign(Model& model, Frame& frame, Span used_at);

}  // namespace bolza::flatten
