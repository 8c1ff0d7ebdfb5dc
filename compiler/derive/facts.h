// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "compiler/ir/program.h"

namespace bolza::derive {

enum class Dependence : std::uint8_t { free, linear, nonlinear };

/// What is known of a coefficient: a literal ±1, another literal, an expression of data (known per instance), or of slots
/// too.
enum class Coefficient : std::uint8_t { unit, literal, data, variable };

/// How a root depends on a slot. Linear: root = coefficient·slot + rest, neither of which reads the slot.
struct SlotFact {
  std::uint32_t root = 0, slot = 0;
  Dependence dependence = Dependence::nonlinear;
  Coefficient kind = Coefficient::variable;  ///< linear only
  ir::ExprId coefficient;                    ///< linear only; a number for unit and literal
  /// Solvable for the slot whatever the values of slots and data: linear with a literal coefficient other than 0.
  bool solvable = false;
};

/// The facts of every (root, slot) pair where the root reads the slot, ascending. Structural: "linear" is never wrong,
/// "nonlinear" may be (x·x/x). Conditions and relations count as non-linear dependence.
std::vector<SlotFact> slot_facts(ir::Expressions& expressions, std::span<const ir::ExprId> roots);

/// Pairs (row ≥ column) of slots that interact non-linearly in some root: the pattern of every weighted Hessian.
std::vector<std::pair<std::uint32_t, std::uint32_t>> nonlinear_interactions(ir::Expressions& expressions,
                                                                            std::span<const ir::ExprId> roots);

struct SlotSolution {
  ir::ExprId value;        ///< the slot for which root = 0, free of the slot
  ir::ExprId coefficient;  ///< ∂root/∂slot, must not be 0
  Coefficient kind = Coefficient::variable;
};

/// Solves 0 = root for a slot that the root depends on linearly; nothing when it does not, or when the coefficient is the
/// number 0. With kind `data` or `variable` the caller decides whether the coefficient can be 0.
std::optional<SlotSolution> solve_for(ir::Expressions& expressions, ir::ExprId root, std::uint32_t slot);

}  // namespace bolza::derive
