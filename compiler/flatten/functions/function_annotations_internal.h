// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/model/frame_internal.h"
#include "compiler/flatten/model/model_internal.h"

namespace bolza::flatten {

/// Notes in the Program of a function what its annotations say: derivatives, inverses, smoothOrder, inlining. Warnings W305.
void read_function_annotations(Model& model, Frame& frame);

}  // namespace bolza::flatten
