// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/model/frame_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/outcome_internal.h"

namespace bolza::flatten {

/// Writes the body of a specialised function as a Program.
Outcome<Done> write_program(Model& model, Frame& frame);

}  // namespace bolza::flatten
