// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bolza {

/// P(Z <= x), standard normal. Relative accuracy about 1e-13.
double normal_cdf(double x);
/// Inverse of normal_cdf, 0 < p < 1; ±∞ at the ends, NaN outside.
double normal_quantile(double p);

}  // namespace bolza
