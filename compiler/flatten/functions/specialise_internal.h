#pragma once
#include <set>

#include "compiler/flatten/model/frame_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"

namespace bolza::flatten {

/// A function that became a Program, or why it did not: it was reported, or values are needed at compile time that the shape
/// does not give, without message.
struct Specialised {
  Frame* frame = nullptr;
  std::set<const Instance*> needed;  ///< inputs, or fields of inputs

  bool asks() const { return frame == nullptr && !needed.empty(); }
  bool failed() const { return frame == nullptr && needed.empty(); }
};

/// The Program of a function at the sizes of a call. Made once per shape.
Specialised specialise(Model& model, const CallShape& shape, Span used_at);

}  // namespace bolza::flatten
