// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "compiler/ir/group.h"

namespace bolza::ir {

/// A shape in the form in which equal shapes have equal root ids (docs/architecture.md, groups).
///
/// Slots and data are numbered by first occurrence, walking each root from left to right, depth first. Literals have become
/// data, one per place where they stand, except 0, 1, −1, 2, ½, exponents of `^`, and arguments of calls.
struct CanonicalShape {
  /// Where datum k comes from: a datum of the shape before, or a literal.
  struct DataSource {
    bool is_literal = false;
    std::uint32_t datum = 0;
    double literal = 0;
  };
  std::vector<ExprId> roots;
  std::vector<std::uint32_t> slots;  ///< [new slot] → old slot
  std::vector<DataSource> data;      ///< [new datum]
};

/// @param representative  [old slots] the slot to read instead of slot k (slots of equal columns have one representative);
///                        empty: every slot for itself.
/// Cost: linear in the nodes that the roots reach.
CanonicalShape canonical_shape(Dag& dag, std::span<const ExprId> roots, std::span<const std::uint32_t> representative = {});

/// The group in canonical shape: slots of equal columns merged, columns and data renumbered, unused ones dropped.
Group canonical(Dag& dag, const Group& group);
Term canonical(Dag& dag, const Term& term);

/// Joins groups of equal roots, in the order of their first occurrence. Requires canonical groups.
std::vector<Group> join_equal_shapes(std::vector<Group> groups);

/// Brings the groups of a section to canonical shape and joins equal ones.
void roll(Dag& dag, Section& section);

}  // namespace bolza::ir
