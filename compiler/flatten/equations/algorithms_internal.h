// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"

namespace bolza::flatten {

void translate_algorithms(Model& model, const Instance& component);

}  // namespace bolza::flatten
