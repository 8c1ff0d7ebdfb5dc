// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <set>

#include "compiler/flatten/model/frame_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"

namespace bolza::flatten {

/// A function that became a Program, or asks for values at compile time that the shape does not give.
struct Specialised {
  Frame* frame = nullptr;            ///< null where it asks
  std::set<const Instance*> needed;  ///< inputs, or fields of inputs
  bool recurs = false;               ///< it asks because it is under way, and other values may lead elsewhere

  bool asks() const { return frame == nullptr; }
};

/// The Program of a function at the sizes of a call. Made once per shape; a value is asked for only once.
Outcome<Specialised> specialise(Model& model, const CallShape& shape, Span used_at);

}  // namespace bolza::flatten
