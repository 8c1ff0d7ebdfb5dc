// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/model/frame_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"

namespace bolza::flatten {

/// Whether a function may be called at events though it is not a Program: it takes numbers, Strings, external objects and
/// records of these, and gives numbers and records of numbers.
bool can_be_interpreted(const Instance& function);
/// Such a function as a Program without statements that the interpreter runs. Its last inputs are the number of the call in
/// the model and the time, the last of the instances that the frame has made.
void write_interpreted(Model& model, Frame& frame);

}  // namespace bolza::flatten
