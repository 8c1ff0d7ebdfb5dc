// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

namespace bolza::kkt {

// Inner loops of dense fronts, compiled for several processors and chosen at run time. Matrices by columns, lower triangles,
// leading dimension n.

/// With pivot k of one row, whose inverse stands at (k, k): subtracts u uᵀ/d from what follows, column k becomes L.
void subtract_single(double* a, std::size_t n, std::size_t k, std::vector<double>& work);
/// The same for a pivot of rows k and k + 1, whose inverse stands on the diagonal.
void subtract_pair(double* a, std::size_t n, std::size_t k, std::vector<double>& work);

/// C += AᵀB with A [rows × p], B [rows × q], C [p × q] by columns.
void add_product(const double* a, const double* b, double* c, std::size_t rows, std::size_t p, std::size_t q);

}  // namespace bolza::kkt
