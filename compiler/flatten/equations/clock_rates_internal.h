// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>

namespace bolza::flatten {

/// A fraction in lowest terms with a positive denominator; a denominator of 0: it does not fit into 63 bits.
struct Rational {
  std::int64_t numerator = 0, denominator = 1;

  bool fits() const { return denominator != 0; }
  bool is_whole() const { return denominator == 1; }
  double value() const { return static_cast<double>(numerator) / static_cast<double>(denominator); }
  friend bool operator==(const Rational&, const Rational&) = default;
};

Rational fraction(std::int64_t numerator, std::int64_t denominator);
Rational operator+(const Rational& a, const Rational& b);
Rational operator-(const Rational& a, const Rational& b);
Rational operator*(const Rational& a, const Rational& b);
/// Requires b other than 0.
Rational operator/(const Rational& a, const Rational& b);
/// The largest fraction of which both are whole multiples; requires that they are not negative.
Rational common_divisor(const Rational& a, const Rational& b);

/// Ticks at shift + k·interval, k = 0, 1, …: in seconds, or in ticks of the base clock.
struct TickRate {
  Rational interval, shift;
  friend bool operator==(const TickRate&, const TickRate&) = default;
};

/// How the clock of a converted value follows from that of its operand.
struct RateStep {
  Rational factor{1, 1};  ///< of the interval; 0: it is inferred
  Rational shift{0, 1};   ///< in intervals of the operand's clock

  TickRate forward(const TickRate& operand) const;
  TickRate backward(const TickRate& result) const;
};

}  // namespace bolza::flatten
