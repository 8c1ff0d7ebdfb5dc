// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

namespace bolza::linalg {

/// Zeros of the Jacobi polynomial P_n^(a,b) on (-1, 1), ascending; a, b > -1. Errors below 1e-15 for n up to about 50.
/// Cost O(n²).
std::vector<double> jacobi_zeros(std::size_t n, double a, double b);

/// Collocation points on [0, 1], ascending.
std::vector<double> gauss_points(std::size_t n);    ///< n ≥ 1, all interior, quadrature exact to degree 2n-1
std::vector<double> gauss_weights(std::size_t n);   ///< of gauss_points(n); they sum to 1
std::vector<double> radau_points(std::size_t n);    ///< n ≥ 1, the last one is 1, exact to degree 2n-2
std::vector<double> lobatto_points(std::size_t n);  ///< n ≥ 2, the first is 0 and the last is 1, exact to degree 2n-3

}  // namespace bolza::linalg
