// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "compiler/ir/dag.h"

namespace bolza::ir {

/// What takes the place of leaves: entry k for leaf k; an absent entry, or none at all, keeps the leaf.
struct Replacements {
  std::span<const ExprId> slots = {};
  std::span<const ExprId> data = {};
  std::span<const ExprId> weights = {};
  std::span<const ExprId> directions = {};
};

/// The roots with leaves replaced, all at once (replacements are not searched for leaves again), simplified locally.
/// Absent roots stay absent. Cost: linear in the nodes that the roots reach.
std::vector<ExprId> substitute(Dag& dag, std::span<const ExprId> roots, const Replacements& by);
ExprId substitute(Dag& dag, ExprId root, const Replacements& by);

/// The same with a function for every leaf but numbers; it may answer with the leaf itself.
std::vector<ExprId> rebuild(Dag& dag, std::span<const ExprId> roots, const std::function<ExprId(ExprId leaf)>& leaf);

/// The roots with slot k read as slot `numbers[k]`.
std::vector<ExprId> renumber_slots(Dag& dag, std::span<const ExprId> roots, std::span<const std::uint32_t> numbers);

/// The node `e` over other operands, as many as it has.
ExprId with_operands(Dag& dag, ExprId e, std::span<const ExprId> operands);

/// Which leaves of one kind the roots reach: ascending, without repetition.
std::vector<std::uint32_t> leaves_of(const Dag& dag, std::span<const ExprId> roots, Op kind);

}  // namespace bolza::ir
