// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "compiler/ir/modes.h"
#include "compiler/passes/interior/piece_ids.h"
#include "compiler/passes/modes/mode_branches.h"

namespace bolza::passes {

/// The reinits of a model that is cut into modes: what fires them, and what they set. Where a mode ends with one, the next
/// begins with that.
class Jumps {
 public:
  /// Takes the reinits out of the model.
  explicit Jumps(ir::FlatModel& model);

  bool empty() const { return jumps_.empty(); }
  /// Puts definitions of the literal model into them, and tells their relations to `branches`.
  void define(System& literal, ModeBranches& branches);
  std::vector<ir::ModeJump> listed(const System& literal, ModeBranches& branches) const;
  /// Adds what holds where modes end with jumps: the relation that fires is zero, the state of the next mode is what is set.
  /// @param of  the model that was cut; FlatModel::jumped gets the states
  void link(const ir::FlatModel& of, ir::FlatModel& pieces, const PieceIds& ids, const ModeBranches& branches,
            const ir::ModeSequence& sequence) const;

 private:
  struct Jump {
    Applied fires, value;
    VariableId state;
    std::uint32_t origin = 0;
  };
  std::vector<Jump> jumps_;
};

}  // namespace bolza::passes
