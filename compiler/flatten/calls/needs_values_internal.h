// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"

namespace bolza::flatten {

/// Whether a function cannot become a Program: it works on Strings, calls itself, or is (or calls) external C other than
/// mathematics. Its calls are computed at compile time.
bool needs_values(Model& model, const Instance& function);

}  // namespace bolza::flatten
