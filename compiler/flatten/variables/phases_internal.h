// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/model/model_internal.h"

namespace bolza::flatten {

/// How many phases a component that is a phase, or an array of phases, stands for.
std::uint32_t number_of_phases(const Instance& phase);
/// Numbers the phases of a component; their names are there, their horizons follow with `complete_horizons`.
void lay_out_phases(Model& model, const Instance& phase);
/// Fills ir::Phase when all variables have ids and bindings. A phase without start begins where the one before it ends, the
/// first one at zero.   Errors  E389 without an end, E390 a horizon of the class around, or `static`.
void complete_horizons(Model& model);

}  // namespace bolza::flatten
