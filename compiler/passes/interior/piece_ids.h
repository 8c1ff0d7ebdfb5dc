#pragma once
#include <cstdint>

#include "compiler/ir/flat_model.h"
#include "compiler/passes/scenarios/copies.h"

namespace bolza::passes {

/// What each piece of a horizon has for itself, and the ids of all variables of the model in pieces: `startTime` and
/// `finalTime` of the class become parameters after the others, because each piece has its own.
struct PieceIds : Copies {
  PieceIds(const ir::FlatModel& model, std::size_t n_pieces);

  ir::VariableId start_time() const { return ir::VariableId(std::size_t{n_scalars()}); }
  ir::VariableId final_time() const { return ir::VariableId(std::size_t{n_scalars()} + 1); }
  /// Values of one piece.
  ir::ElementValues values_in(const ir::ElementValues& values, std::size_t piece) const;
};

}  // namespace bolza::passes
