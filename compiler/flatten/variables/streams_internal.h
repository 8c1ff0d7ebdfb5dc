// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/model/model_internal.h"

namespace bolza::flatten {

/// Of a stream variable that has an id: makes the variable that `inStream` of it gives. Null for others.
const Instance* add_stream(Model& model, const Instance& instance);
/// Bounds and nominal values of the flow variables beside stream variables.
void find_flow_ranges(Model& model);

}  // namespace bolza::flatten
