// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/distributions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/normal_distribution.h"

namespace bolza::estimate {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr int most_terms = 100000;

// ln of x^a e^-x / Γ(a).
double log_gamma_density(double a, double x) { return a * std::log(x) - x - std::lgamma(a); }

// P(a, x) by its series [AS, 6.5.29], for x < a + 1.
double gamma_series(double a, double x) {
  double term = 1 / a, sum = term;
  for (int n = 1; n < most_terms && std::fabs(term) > 1e-17 * std::fabs(sum); ++n) {
    term *= x / (a + n);
    sum += term;
  }
  return sum * std::exp(log_gamma_density(a, x));
}

// A continued fraction b0 + a1/(b1 + a2/(b2 + …)) by the modified method of Lentz. term(n) gives (a_n, b_n).
template <class Term>
double continued_fraction(double b0, const Term& term) {
  constexpr double tiny = 1e-300;
  double f = b0 == 0 ? tiny : b0, c = f, d = 0;
  for (int n = 1; n < most_terms; ++n) {
    auto [a, b] = term(n);
    d = b + a * d;
    c = b + a / c;
    if (d == 0) d = tiny;
    if (c == 0) c = tiny;
    d = 1 / d;
    f *= c * d;
    if (std::fabs(c * d - 1) < 1e-16) break;
  }
  return f;
}

// Q(a, x) by its continued fraction [AS, 6.5.31], for x >= a + 1.
double gamma_fraction(double a, double x) {
  double f = continued_fraction(x + 1 - a, [&](int n) { return std::pair(-n * (n - a), x + 2 * n + 1 - a); });
  return std::exp(log_gamma_density(a, x)) / f;
}

// I_x(a, b) by its continued fraction [AS, 26.5.8], for x < (a + 1)/(a + b + 2).
double beta_fraction(double a, double b, double x) {
  auto term = [&](int n) {
    int m = n / 2;
    double top = n % 2 == 0 ? m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
                            : -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    return std::pair(top, 1.0);
  };
  double log_front = std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x);
  return std::exp(log_front) / (a * continued_fraction(1, term));
}

// The x >= 0 at which a falling function has the value p, to rounding.
template <class Falling>
double where_falls_to(double p, const Falling& f) {
  double low = 0, high = 1;
  while (f(high) > p && high < 1e300) {
    low = high;
    high *= 2;
  }
  for (int k = 0; k < 2100; ++k) {
    double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    (f(middle) > p ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace

double gamma_lower(double a, double x) {
  if (!(a > 0) || !(x >= 0)) return not_a_number;
  if (x == 0) return 0;
  return x < a + 1 ? gamma_series(a, x) : 1 - gamma_fraction(a, x);
}

double gamma_upper(double a, double x) {
  if (!(a > 0) || !(x >= 0)) return not_a_number;
  if (x == 0 || std::isinf(x)) return x == 0 ? 1 : 0;
  return x < a + 1 ? 1 - gamma_series(a, x) : gamma_fraction(a, x);
}

double chi_square_upper(double x, double freedom) { return gamma_upper(0.5 * freedom, 0.5 * x); }

double chi_square_quantile(double p, double freedom) {
  if (!(p >= 0 && p < 1) || !(freedom > 0)) return not_a_number;
  return where_falls_to(1 - p, [&](double x) { return chi_square_upper(x, freedom); });
}

double beta_regularised(double a, double b, double x) {
  if (!(a > 0) || !(b > 0) || !(x >= 0 && x <= 1)) return not_a_number;
  if (x == 0 || x == 1) return x;
  return x < (a + 1) / (a + b + 2) ? beta_fraction(a, b, x) : 1 - beta_fraction(b, a, 1 - x);
}

double student_two_sided(double t, double freedom) {
  if (!(t >= 0) || !(freedom > 0)) return not_a_number;
  if (std::isinf(freedom)) return 2 * normal_cdf(-t);
  if (std::isinf(t)) return 0;
  return beta_regularised(0.5 * freedom, 0.5, freedom / (freedom + t * t));
}

double student_quantile(double p, double freedom) {
  if (!(p > 0 && p < 1) || !(freedom > 0)) return not_a_number;
  if (std::isinf(freedom)) return normal_quantile(p);
  double tail = 2 * std::min(p, 1 - p);
  double t = where_falls_to(tail, [&](double x) { return student_two_sided(x, freedom); });
  return p < 0.5 ? -t : t;
}

}  // namespace bolza::estimate
