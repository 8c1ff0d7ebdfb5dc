// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/calls/effects_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"

namespace bolza::flatten {

/// Puts an effect into the model for every instance of the space; `fires` of the when-clause it stands in, or null.
void emit_effect(Model& model, const Space& space, const Effect& effect, const Node* fires, const NamedAxes& names);

}  // namespace bolza::flatten
