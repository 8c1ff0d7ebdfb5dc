// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bolza::estimate {

/// Distribution functions of statistics: relative accuracy about 1e-13 for up to some hundred degrees of freedom, 1e-11 for
/// a hundred thousand. Arguments outside their domain give NaN.

/// Regularised incomplete gamma functions P(a, x) and Q = 1 − P, a > 0, x >= 0 [AS, 6.5]. Cost O(√a).
double gamma_lower(double a, double x);
double gamma_upper(double a, double x);

/// P(X > x), χ² with `freedom` degrees of freedom > 0: the p-value of a sum of squares.
double chi_square_upper(double x, double freedom);
double chi_square_quantile(double p, double freedom);

/// Regularised incomplete beta function I_x(a, b), a, b > 0, 0 <= x <= 1 [AS, 26.5]. Cost O(√max(a, b)).
double beta_regularised(double a, double b, double x);

/// P(|T| > t) for t >= 0, Student's t: the p-value of a two-sided test.
double student_two_sided(double t, double freedom);
/// Inverse of P(T <= t), 0 < p < 1. `freedom` infinite: normal.
double student_quantile(double p, double freedom);

}  // namespace bolza::estimate
