// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "compiler/derive/jacobian.h"

namespace bolza::derive {

/// One entry of a lower triangle over slots: row ≥ column.
struct HessianEntry {
  std::uint32_t row = 0, column = 0;
  ir::ExprId value;
};

struct WeightedHessian {
  std::vector<HessianEntry> entries;    ///< ascending by (row, column); a pair is there iff it interacts non-linearly
  std::vector<GradientEntry> gradient;  ///< Σ_r weight(r) · ∂root_r/∂slot, ascending
};

/// The lower triangle of the Hessian of Σ_r weight(r)·root_r and its gradient, in one reverse sweep that carries
/// second-order adjoints only for pairs that interact (edge pushing), so the pattern is exact and symmetry is used. A slot
/// pair in two columns of one variable is the caller's to add twice: (row, column) and (column, row) are one entry here.
/// Cost: about the operations of the roots times the width of the interactions.
WeightedHessian hessian(ir::Expressions& expressions, std::span<const ir::ExprId> roots);

/// The same for Σ_r factor_r · root_r; an absent factor leaves its root out.
WeightedHessian weighted_hessian(ir::Expressions& expressions, std::span<const ir::ExprId> roots,
                                 std::span<const ir::ExprId> factors);

}  // namespace bolza::derive
