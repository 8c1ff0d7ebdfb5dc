// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "compiler/ir/flat_model.h"

namespace bolza::passes {

/// Pieces from `first` on, those before `end`.
struct PieceRange {
  std::size_t first = 0, end = 1;
};

/// What each piece of a horizon has for itself, and the ids of all variables of the model in pieces. Pieces are numbered
/// through all phases of a model; a piece has copies of what varies in its phase.
class PieceIds {
 public:
  /// Of a model of one phase: copies of a variable are an array. `startTime` and `finalTime` of the class become parameters
  /// after the others, because each piece has its own.
  PieceIds(const ir::FlatModel& model, std::size_t n_pieces);
  /// Of a model with phases.
  /// @param phase   [scalars] of what varies with time
  /// @param pieces  [phases] how many each has
  PieceIds(const ir::FlatModel& model, std::span<const std::uint32_t> phase, std::span<const std::size_t> pieces);

  std::size_t n() const { return first_piece_.back(); }
  bool are_of_phases() const { return of_phases_; }
  PieceRange of_phase(std::size_t phase) const { return {first_piece_[phase], first_piece_[phase + 1]}; }
  /// Those of the phase that variables are of; one alone where none of them varies.
  PieceRange pieces_of(std::span<const ir::VariableId> slots) const;
  bool is_own(std::size_t variable) const { return own_[variable] != 0; }
  bool is_own(ir::VariableId id) const { return distance_[id.index()] != 0; }
  bool reads_own(std::span<const ir::VariableId> slots) const;
  /// Are elements of this variable in different phases? Then each has copies for itself.
  bool is_apart(std::size_t variable) const { return apart_[variable] != 0; }
  /// The id of a variable, or of its copy in this piece, in the model with pieces. In a piece of another phase it is that of
  /// its first one.
  ir::VariableId of(ir::VariableId id, std::size_t piece) const;
  ir::VariableId first(std::size_t variable) const { return variable_first_[variable]; }
  std::uint32_t n_scalars() const { return n_scalars_; }

  ir::VariableId start_time() const { return ir::VariableId(std::size_t{n_scalars()}); }
  ir::VariableId final_time() const { return ir::VariableId(std::size_t{n_scalars()} + 1); }

  ir::Term term(const ir::Term& term, std::size_t piece) const;
  /// Values of a variable's elements: one for each element of each copy where they differ.
  ir::ElementValues values(const ir::ElementValues& values, std::size_t variable) const;
  /// Values in one piece.
  ir::ElementValues values_in(const ir::ElementValues& values, std::size_t piece) const;

 private:
  void number(const ir::FlatModel& model);

  bool of_phases_ = false;
  std::vector<std::uint32_t> phase_;            ///< [scalars of the model]
  std::vector<std::size_t> first_piece_;        ///< [phases + 1]
  std::vector<std::uint8_t> own_, apart_;       ///< [variables]
  std::vector<std::uint32_t> size_;             ///< [variables] of one copy
  std::vector<ir::VariableId> variable_first_;  ///< [variables]
  std::vector<ir::VariableId> first_;           ///< [scalars of the model] its id, or that of its first copy
  std::vector<std::uint32_t> distance_;         ///< [scalars of the model] of its copies; 0: it has none
  std::uint32_t n_scalars_ = 0;
};

}  // namespace bolza::passes
