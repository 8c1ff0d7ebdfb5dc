// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/equations/clock_rates_internal.h"

#include <limits>
#include <numeric>

namespace bolza::flatten {
namespace {

__extension__ using Wide = __int128;

Wide divisor(Wide a, Wide b) {
  while (b != 0) {
    Wide rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

Rational reduced(Wide numerator, Wide denominator) {
  if (denominator < 0) {
    numerator = -numerator;
    denominator = -denominator;
  }
  if (Wide common = divisor(numerator, denominator); common > 1) {
    numerator /= common;
    denominator /= common;
  }
  constexpr Wide most = std::numeric_limits<std::int64_t>::max();
  if (denominator == 0 || numerator > most || numerator < -most || denominator > most) return {0, 0};
  return {static_cast<std::int64_t>(numerator), static_cast<std::int64_t>(denominator)};
}

}  // namespace

Rational fraction(std::int64_t numerator, std::int64_t denominator) { return reduced(numerator, denominator); }

Rational operator+(const Rational& a, const Rational& b) {
  Wide common = std::gcd(a.denominator, b.denominator);
  if (common == 0) return {0, 0};
  Wide left = b.denominator / common, right = a.denominator / common;
  return reduced(a.numerator * left + b.numerator * right, a.denominator * left);
}

Rational operator-(const Rational& a, const Rational& b) { return a + Rational{-b.numerator, b.denominator}; }

Rational operator*(const Rational& a, const Rational& b) {
  return reduced(Wide{a.numerator} * b.numerator, Wide{a.denominator} * b.denominator);
}

Rational operator/(const Rational& a, const Rational& b) {
  return reduced(Wide{a.numerator} * b.denominator, Wide{a.denominator} * b.numerator);
}

Rational common_divisor(const Rational& a, const Rational& b) {
  return reduced(divisor(Wide{a.numerator} * b.denominator, Wide{b.numerator} * a.denominator),
                 Wide{a.denominator} * b.denominator);
}

TickRate RateStep::forward(const TickRate& operand) const {
  return {operand.interval * factor, operand.shift + shift * operand.interval};
}

TickRate RateStep::backward(const TickRate& result) const {
  Rational interval = result.interval / factor;
  return {interval, result.shift - shift * interval};
}

}  // namespace bolza::flatten
