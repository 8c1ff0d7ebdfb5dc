// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <vector>

#include "compiler/flatten/tables/table_internal.h"

namespace bolza::flatten {

/// A function of u in pieces: piece k counts the knots that are not above u, and is
/// c[0] + d (c[1] + d (c[2] + d c[3])) with d = u − base. Piece 0 lies below all knots, the last one above.
struct Pieces {
  std::vector<double> knots;                        ///< [n]
  std::vector<double> bases;                        ///< [n + 1]
  std::array<std::vector<double>, 4> coefficients;  ///< [n + 1] each
  bool steps = false;                               ///< constant between the knots
};

/// Interpolates y over x. Slopes are those of the methods' papers: [AKIMA], [FRITSCH], [STEFFEN]; the modified
/// Akima weights are MATLAB's makima; `pchip` has Fritsch and Butland's slopes inside and three-point ones at the ends, as
/// MATLAB and SciPy do; `cubic` is the natural spline, whose curvature is continuous, and zero at the ends. With fewer than
/// three points every method is linear. Requires x not decreasing, sizes equal, not empty; two equal abscissas are a jump.
/// Cost: linear.
Pieces interpolate(const std::vector<double>& x, const std::vector<double>& y, Interpolation method, Extrapolation outside);
/// Straight pieces that are joined at their knots by parabolas, which begin and end `share` of the distance to the nearer
/// neighbour beside them, half of it at most: once continuously differentiable, with values between those of the lines.
/// The first and the last knot stay where `ends` is false, as a period asks for. Requires  straight pieces, more than one.
Pieces rounded(const Pieces& lines, double share, bool ends);
/// The derivative.
Pieces differentiate(const Pieces& pieces);

}  // namespace bolza::flatten
