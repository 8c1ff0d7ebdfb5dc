#pragma once
#include <cstdint>
#include <vector>

#include "compiler/ir/flat_model.h"
#include "compiler/passes/scenarios/copies.h"

namespace bolza::passes {

/// What each piece of a horizon has for itself, and the ids of all variables of the model in pieces: `startTime` and
/// `finalTime` of the class become parameters behind the others, because each piece has its own.
class PieceIds {
 public:
  PieceIds(const ir::FlatModel& model, std::size_t n_pieces);

  std::size_t n() const { return copies_.n(); }
  bool is_own(std::size_t variable) const { return copies_.is_own(variable); }
  ir::VariableId of(ir::VariableId id, std::size_t piece) const;
  ir::VariableId first(std::size_t variable) const { return copies_.first(variable); }
  bool reads_own(std::span<const ir::VariableId> slots) const;
  ir::Term term(const ir::Term& term, std::size_t piece) const;
  /// Values of a variable's `size` elements, for each piece one after the other where the variable is a piece's own.
  ir::ElementValues values(const ir::ElementValues& values, std::size_t variable, std::uint32_t size) const;
  ir::ElementValues values_in(const ir::ElementValues& values, std::size_t piece) const;

  ir::VariableId start_time() const { return ir::VariableId(copies_.n_scalars()); }
  ir::VariableId final_time() const { return ir::VariableId(copies_.n_scalars() + 1); }

 private:
  Copies copies_;
};

}  // namespace bolza::passes
