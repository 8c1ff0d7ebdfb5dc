// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "compiler/passes/interior/piece_ids.h"
#include "compiler/passes/system/transformation.h"

namespace bolza::passes {

/// Gives controls the value that they have in each piece, by both of their bounds there.
/// @param model  before it was cut     @param next  the same in pieces
/// @param held   [pieces] values of controls by their names in `model`; empty: nothing is done
/// @return the first name that is no input, "" where all are
std::string hold_controls(const ir::FlatModel& model, ir::FlatModel& next, const PieceIds& ids, const HeldControls& held);

}  // namespace bolza::passes
