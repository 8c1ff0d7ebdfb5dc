// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"

namespace bolza::flatten {

/// New auxiliary variables; the provisional id of the first.
std::uint32_t add_auxiliaries(Model& model, AuxiliaryRun run);
/// A new discrete variable for every instance of a space of `n`, which `number` counts.
const Node* new_discrete(Model& model, std::size_t n, AxisId number, const char* name, Basic basic, Span span);
/// A new discrete Boolean for every instance of a space of `n`, which `number` counts.
const Node* new_condition(Model& model, std::size_t n, AxisId number, const char* name, Span span);

}  // namespace bolza::flatten
