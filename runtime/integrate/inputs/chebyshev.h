// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>

namespace bolza::integrate {

/// Point k of n of Chebyshev's second kind in [0, 1], from the left.
double chebyshev_point(std::size_t k, std::size_t n);

/// The polynomial through `values` at these points, at s; what is constant stays so to the last bit.
double chebyshev_value(std::span<const double> values, double s);

}  // namespace bolza::integrate
