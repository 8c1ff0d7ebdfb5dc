// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/codegen/kernel_shape.h"

namespace bolza::codegen {

/// Squares and products of a whole power up to 16, and its reciprocal.
inline constexpr std::uint32_t series_power_rows = 10;

/// Rows of coefficients that the recurrence of an operator keeps besides those of its value.
std::uint32_t rows_beside(ir::Op op);

/// Rows of coefficients that a series kernel keeps for each instance: one for every value that is not a variable, and what
/// the recurrences of its operators need besides.
std::size_t series_rows(const ir::Expressions& expressions, const KernelShape& shape);

}  // namespace bolza::codegen
