// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

namespace bolza::integrate {

/// Inverses of very small matrices, by loops of a length that the compiler knows.
constexpr std::size_t most_inverted = 8;

/// inverse := A⁻¹, both [n × n] by columns, n up to `most_inverted`; by Gauss and Jordan with pivots in the column. False: A
/// is singular or not finite.
bool invert(std::size_t n, const double* A, double* inverse);
/// x := M b; M [n × n] by columns, x [n] apart from b.
void multiply(std::size_t n, const double* M, const double* b, double* x);

}  // namespace bolza::integrate
