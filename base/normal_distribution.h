// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bolza {

/// P(Z <= x), standard normal. Relative accuracy about 1e-13.
double normal_cdf(double x);
/// Inverse of normal_cdf, 0 < p < 1; ±∞ at the ends, NaN outside.
double normal_quantile(double p);
/// The x between `low` and `high` below which a share of the standard normal distribution between them lies, wherever they
/// are: relative accuracy of x - low about 1e-13 in a tail, which no probability has to be large enough for.
/// Requires  low < high, 0 < share < 1; the ends may be infinite.  Cost  some microseconds.
double normal_quantile_between(double low, double high, double share);

}  // namespace bolza
