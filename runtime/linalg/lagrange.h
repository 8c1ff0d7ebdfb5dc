// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

namespace bolza::linalg {

/// Lagrange polynomials ℓ_r of distinct nodes, ℓ_r(node_k) = 1 if r = k, else 0. All results have one entry per node.
/// Cost O(n²) each, the integrals O(n³). Errors grow slowly with n: below 1e-13 for the collocation points of up to 20
/// points.

/// ℓ_r(t).
std::vector<double> lagrange_values(std::span<const double> nodes, double t);
/// ℓ_r'(t).
std::vector<double> lagrange_slopes(std::span<const double> nodes, double t);
/// ∫ from 0 to t of ℓ_r, exact for these polynomials.
std::vector<double> lagrange_integrals(std::span<const double> nodes, double t);

}  // namespace bolza::linalg
