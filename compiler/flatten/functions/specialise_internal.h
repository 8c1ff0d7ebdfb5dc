#pragma once
#include <set>

#include "compiler/flatten/model/frame_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"

namespace bolza::flatten {

/// The Program of a function at the sizes of a call; null when it was reported. Made once per shape.
/// Inputs whose values are needed at compile time, but not given, are left in `asked`, and the result is null without
/// message.
Frame* specialise(Model& model, const CallShape& shape, Span used_at, std::set<const Instance*>& asked);

}  // namespace bolza::flatten
