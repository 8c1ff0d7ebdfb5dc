// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/model/frame_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/outcome_internal.h"

namespace bolza::flatten {

class Typer;

/// Sizes of everything in the function, inputs first (from the call), then in the order of declaration.
Outcome<Done> find_sizes(Model& model, Frame& frame, const CallShape& shape, Span used_at);
/// Sizes of the fields of an input, from the record that it is called with; reports those that do not fit.
Outcome<Done> sizes_of_fields(Typer& typer, const Instance& function, const Instance& input, const Node& value,
                              FieldSizes& into);
/// Whether a statement of the function gives a variable or a part of it a value. Cost: its statements.
bool is_assigned(const Instance& function, std::string_view name);

}  // namespace bolza::flatten
