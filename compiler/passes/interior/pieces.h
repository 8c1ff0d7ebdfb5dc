// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/interior/fixed_branches.h"
#include "compiler/passes/interior/piece_ids.h"

namespace bolza::passes {

/// The model with a copy of everything that varies for each piece of the horizon.
/// @param evaluated  the same model with the numbers of its parameters
/// @param branches  what relations are in each piece
/// @param times      of the evaluated model, in their order
ir::FlatModel cut_into_pieces(const ir::FlatModel& model, System& evaluated, InteriorTimes& times, Branches& branches);

/// The same of a model with phases, each with pieces of its own, whose phases have been assigned in `evaluated`. All pieces
/// become phases: `first.x` is piece[1].first.x.
/// @param ids     of the phases' pieces
/// @param switches  the first of the parameters at which pieces follow each other, phase by phase, in the model
ir::FlatModel cut_phases_into_pieces(const ir::FlatModel& model, System& evaluated, const PieceIds& ids, VariableId switches,
                                     Branches& branches);

/// Is the value of a variable at a time its value at an end of its phase?  @param at_end  the final time, else the start
bool is_at_end_of_phase(System& evaluated, VariableId of, const ir::Term& time, bool at_end);

}  // namespace bolza::passes
