// SPDX-License-Identifier: Apache-2.0
#include "runtime/linalg/collocation_points.h"

#include <cmath>
#include <numbers>

#include "base/expects.h"

namespace bolza::linalg {
namespace {

struct Jet {
  double value, slope;
};

/// P_n^(a,b)(x) and its derivative by the three-term recurrence.
Jet jacobi(std::size_t n, double a, double b, double x) {
  if (n == 0) return {1, 0};
  Jet before{1, 0}, now{(a - b + (a + b + 2) * x) / 2, (a + b + 2) / 2};
  for (std::size_t k = 2; k <= n; ++k) {
    double m = static_cast<double>(k), s = 2 * m + a + b;
    double left = 2 * m * (m + a + b) * (s - 2);
    double constant = (s - 1) * (a * a - b * b), linear = (s - 1) * s * (s - 2);
    double back = 2 * (m + a - 1) * (m + b - 1) * s;
    Jet next{((constant + linear * x) * now.value - back * before.value) / left,
             ((constant + linear * x) * now.slope + linear * now.value - back * before.slope) / left};
    before = now;
    now = next;
  }
  return now;
}

/// Newton's method with the zeros found so far divided out, then a few steps without them: deflation keeps the zeros apart,
/// the last steps remove its rounding errors.
double find_zero(std::size_t n, double a, double b, double x, const std::vector<double>& found) {
  for (int step = 0; step < 100; ++step) {
    Jet p = jacobi(n, a, b, x);
    double deflation = 0;
    for (double z : found) deflation += 1 / (x - z);
    double dx = p.value / (p.slope - deflation * p.value);
    x -= dx;
    if (std::abs(dx) < 1e-14) break;
  }
  for (int step = 0; step < 3; ++step) {
    Jet p = jacobi(n, a, b, x);
    x -= p.value / p.slope;
  }
  return x;
}

std::vector<double> to_unit_interval(std::vector<double> x) {
  for (double& v : x) v = (1 + v) / 2;
  return x;
}

}  // namespace

std::vector<double> jacobi_zeros(std::size_t n, double a, double b) {
  std::vector<double> zeros;
  for (std::size_t k = 0; k < n; ++k) {
    double guess = -std::cos((2.0 * static_cast<double>(k) + 1) / (2.0 * static_cast<double>(n)) * std::numbers::pi);
    if (k > 0) guess = (guess + zeros.back()) / 2;
    zeros.push_back(find_zero(n, a, b, guess, zeros));
  }
  return zeros;
}

std::vector<double> gauss_points(std::size_t n) {
  expects(n >= 1, "a Gauss rule has at least one point");
  return to_unit_interval(jacobi_zeros(n, 0, 0));
}

std::vector<double> gauss_weights(std::size_t n) {
  std::vector<double> weights;
  for (double x : jacobi_zeros(n, 0, 0)) {
    double slope = jacobi(n, 0, 0, x).slope;
    weights.push_back(1 / ((1 - x * x) * slope * slope));
  }
  return weights;
}

std::vector<double> radau_points(std::size_t n) {
  expects(n >= 1, "a Radau rule has at least one point");
  std::vector<double> x = jacobi_zeros(n - 1, 1, 0);
  x.push_back(1);
  return to_unit_interval(std::move(x));
}

std::vector<double> lobatto_points(std::size_t n) {
  expects(n >= 2, "a Lobatto rule has at least two points");
  std::vector<double> x{-1};
  for (double z : jacobi_zeros(n - 2, 1, 1)) x.push_back(z);
  x.push_back(1);
  return to_unit_interval(std::move(x));
}

}  // namespace bolza::linalg
