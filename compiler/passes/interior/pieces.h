#pragma once
#include "compiler/passes/interior/fixed_branches.h"

namespace bolza::passes {

/// The model with a copy of everything that varies for each piece of the horizon.
/// @param evaluated  the same model with the numbers of its parameters
/// @param branches  what relations are in each piece
/// @param times      of the evaluated model, in their order
ir::FlatModel cut_into_pieces(const ir::FlatModel& model, System& evaluated, InteriorTimes& times, Branches& branches);

}  // namespace bolza::passes
