// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"

namespace bolza::flatten {

/// Whether calls of a function do anything but compute: it prints, writes files, calls C functions that give nothing back.
bool has_side_effects(Model& model, const Instance& function);
/// Whether a function, or one that it calls, is declared impure: another call of it may give something else.
bool is_impure(Model& model, const Instance& function);
/// Modelica.Utilities.Streams.error
bool is_error(const Instance& function);

}  // namespace bolza::flatten
