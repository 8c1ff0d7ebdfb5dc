// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/interior/interior_times.h"
#include "compiler/passes/interior/piece_ids.h"

namespace bolza::passes {

/// Where a piece ends: a parameter after the class's own times.
VariableId final_time_of(const PieceIds& ids, std::size_t piece);

/// Adds the times of the class and of the pieces as parameters, and the pieces as phases. Free times without a guess get one
/// between their neighbours.
/// @param old  the model before; its startTime and finalTime give theirs
void add_piece_times(ir::FlatModel& next, const ir::FlatModel& old, System& evaluated, InteriorTimes& times,
                     const PieceIds& ids);

/// Adds the constraint that one parameter is not larger than another.
void keep_order(ir::FlatModel& next, ir::Dag& dag, VariableId left, VariableId right, Span span);

/// Adds the constraints that no time overtakes the next one, where bounds do not say so.
void keep_order(ir::FlatModel& next, System& evaluated, InteriorTimes& times, const PieceIds& ids);

}  // namespace bolza::passes
