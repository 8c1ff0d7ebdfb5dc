// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <vector>

#include "compiler/flatten/tables/table_internal.h"

namespace bolza::flatten {

/// A function of u1 and u2 on rectangles: rectangle (i, j) counts the knots of each that are not above it, as Pieces do, and
/// is Σ c[k][l] d1^k d2^l with d = u − base of either.
struct Patches {
  std::array<std::vector<double>, 2> knots;                        ///< [n1], [n2]
  std::array<std::vector<double>, 2> bases;                        ///< [n1 + 1], [n2 + 1]
  std::array<std::array<std::vector<double>, 4>, 4> coefficients;  ///< [(n1 + 1) (n2 + 1)] each, row-major
};

/// Interpolates z[i][j] over (x[i], y[j]): linearly in each variable, or by bicubic polynomials whose slopes are Akima's
/// [AKIMA2]. Outside flat or, with `last_two`, along the tangents at the border. Requires x and y ascending, method linear
/// or akima. Cost: rows × columns.
/// @param rounding  of lines, along each variable: see rounded(); 0: none
Patches interpolate(const std::vector<double>& x, const std::vector<double>& y, const std::vector<std::vector<double>>& z,
                    Interpolation method, Extrapolation outside, double rounding = 0);
/// The derivative by variable 0 or 1.
Patches differentiate(const Patches& patches, std::size_t by);

}  // namespace bolza::flatten
