// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cmath>
#include <cstddef>

namespace bolza::testing {

/// A number with exact first and second derivatives by n inputs (forward mode): the tests' own source of derivatives.
template <std::size_t n>
struct Jet {
  double v = 0;
  std::array<double, n> d{};
  std::array<double, n*(n + 1) / 2> h{};  // lower triangle, row by row

  Jet() = default;
  Jet(double value) : v(value) {}  // NOLINT(google-explicit-constructor): constants mix with jets
  static Jet input(double value, std::size_t k) {
    Jet x(value);
    x.d[k] = 1;
    return x;
  }
};

/// f(a) from value and derivatives of f at a.
template <std::size_t n>
Jet<n> chain(const Jet<n>& a, double f, double df, double d2f) {
  Jet<n> r(f);
  for (std::size_t i = 0, k = 0; i < n; ++i) {
    r.d[i] = df * a.d[i];
    for (std::size_t j = 0; j <= i; ++j, ++k) r.h[k] = df * a.h[k] + d2f * a.d[i] * a.d[j];
  }
  return r;
}

template <std::size_t n>
Jet<n> operator+(const Jet<n>& a, const Jet<n>& b) {
  Jet<n> r(a.v + b.v);
  for (std::size_t i = 0; i < n; ++i) r.d[i] = a.d[i] + b.d[i];
  for (std::size_t k = 0; k < r.h.size(); ++k) r.h[k] = a.h[k] + b.h[k];
  return r;
}
template <std::size_t n>
Jet<n> operator*(const Jet<n>& a, const Jet<n>& b) {
  Jet<n> r(a.v * b.v);
  for (std::size_t i = 0, k = 0; i < n; ++i) {
    r.d[i] = a.d[i] * b.v + a.v * b.d[i];
    for (std::size_t j = 0; j <= i; ++j, ++k) r.h[k] = a.h[k] * b.v + a.v * b.h[k] + a.d[i] * b.d[j] + a.d[j] * b.d[i];
  }
  return r;
}
template <std::size_t n>
Jet<n> operator-(const Jet<n>& a) {
  return chain(a, -a.v, -1, 0);
}
template <std::size_t n>
Jet<n> operator-(const Jet<n>& a, const Jet<n>& b) {
  return a + (-b);
}
template <std::size_t n>
Jet<n> reciprocal(const Jet<n>& a) {
  return chain(a, 1 / a.v, -1 / (a.v * a.v), 2 / (a.v * a.v * a.v));
}
template <std::size_t n>
Jet<n> operator/(const Jet<n>& a, const Jet<n>& b) {
  return a * reciprocal(b);
}
#define BOLZA_MIXED(op)                           \
  template <std::size_t n>                        \
  Jet<n> operator op(double a, const Jet<n>& b) { \
    return Jet<n>(a) op b;                        \
  }                                               \
  template <std::size_t n>                        \
  Jet<n> operator op(const Jet<n>& a, double b) { \
    return a op Jet<n>(b);                        \
  }
BOLZA_MIXED(+)
BOLZA_MIXED(-)
BOLZA_MIXED(*)
BOLZA_MIXED(/)
#undef BOLZA_MIXED

using std::cos, std::exp, std::log, std::sin, std::sqrt;  // generic lambdas are called with doubles too

template <std::size_t n>
Jet<n> sin(const Jet<n>& a) {
  return chain(a, std::sin(a.v), std::cos(a.v), -std::sin(a.v));
}
template <std::size_t n>
Jet<n> cos(const Jet<n>& a) {
  return chain(a, std::cos(a.v), -std::sin(a.v), -std::cos(a.v));
}
template <std::size_t n>
Jet<n> exp(const Jet<n>& a) {
  return chain(a, std::exp(a.v), std::exp(a.v), std::exp(a.v));
}
template <std::size_t n>
Jet<n> log(const Jet<n>& a) {
  return chain(a, std::log(a.v), 1 / a.v, -1 / (a.v * a.v));
}
template <std::size_t n>
Jet<n> sqrt(const Jet<n>& a) {
  double r = std::sqrt(a.v);
  return chain(a, r, 0.5 / r, -0.25 / (r * a.v));
}

}  // namespace bolza::testing
