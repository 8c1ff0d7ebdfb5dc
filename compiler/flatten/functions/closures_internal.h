// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/model/frame_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/outcome_internal.h"

namespace bolza::flatten {

class Typer;

/// What a function as an argument is specialised for.
Outcome<Closure> closure_of(Typer& typer, const Node& function);
/// Components that stand for what the function behind a functional input was given.
void capture(Frame& frame, const Instance& input, const Closure& closure);

}  // namespace bolza::flatten
