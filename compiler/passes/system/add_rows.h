// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// Adds an origin for something that has no equation of its own.
std::uint32_t add_origin(System& system, Span span);
/// Adds the row 0 = root to a section.
void add_row(System& system, ir::Section& section, const Applied& what, std::uint32_t origin);
/// Adds left − right, a row with a relation.
void add_constraint(System& system, ir::ConstraintSection& section, const Applied& left, const Applied& right,
                    ir::Relation relation, std::uint32_t origin);
/// left − right as one expression.
Applied difference(ir::Dag& dag, const Applied& left, const Applied& right);
/// Both as the two roots of one shape.
Applied pair_of(ir::Dag& dag, const Applied& left, const Applied& right);

}  // namespace bolza::passes
