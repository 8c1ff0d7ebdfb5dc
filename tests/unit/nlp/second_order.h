// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bolza::nlp::testing {

/// The value of an expression of at most `capacity` variables with its gradient and Hessian, and which variables it depends
/// on: second-order forward differentiation [GRIEWANK, 13.2]. Whatever is not finite stays so through all operations.
///
/// Invariant: derivatives with respect to variables that are not in `variables()` are zero, second derivatives also of those
/// that are not in `nonlinear()`.
class SecondOrder {
 public:
  static constexpr int capacity = 20;

  SecondOrder(double constant = 0) : value_(constant) {}
  /// Variable number `index` at a value.
  static SecondOrder variable(double value, int index);

  double value() const { return value_; }
  double derivative(int i) const { return first_[index_of(i)]; }
  double derivative(int i, int j) const { return i < j ? second_[place(j, i)] : second_[place(i, j)]; }
  std::uint32_t variables() const { return variables_; }  ///< bit i: depends on variable i
  std::uint32_t nonlinear() const { return nonlinear_; }  ///< bit i: the derivative by variable i is not constant

  /// f(a) from the value and the derivatives of f there.
  static SecondOrder chain(const SecondOrder& a, double f, double df, double ddf);

  SecondOrder& operator+=(const SecondOrder& b);
  friend SecondOrder operator+(const SecondOrder& a, const SecondOrder& b) { return sum(a, 1, b); }
  friend SecondOrder operator-(const SecondOrder& a, const SecondOrder& b) { return sum(a, -1, b); }
  friend SecondOrder operator-(const SecondOrder& a) { return sum(0, -1, a); }
  friend SecondOrder operator*(const SecondOrder& a, const SecondOrder& b) { return product(a, b); }
  friend SecondOrder operator/(const SecondOrder& a, const SecondOrder& b) { return product(a, reciprocal(b)); }

 private:
  static SecondOrder sum(const SecondOrder& a, double factor, const SecondOrder& b);  ///< a + factor b
  static SecondOrder product(const SecondOrder& a, const SecondOrder& b);
  static SecondOrder reciprocal(const SecondOrder& a);
  static std::size_t index_of(int i) { return static_cast<std::size_t>(i); }
  static std::size_t place(int i, int j) { return static_cast<std::size_t>(i * (i + 1) / 2 + j); }  ///< i >= j

  double value_ = 0;
  int used_ = 0;  ///< variables from here on do not occur
  std::uint32_t variables_ = 0, nonlinear_ = 0;
  std::array<double, capacity> first_{};
  std::array<double, capacity*(capacity + 1) / 2> second_{};  ///< lower triangle by rows
};

SecondOrder square(const SecondOrder& a);
SecondOrder power(const SecondOrder& a, double exponent);
SecondOrder sqrt(const SecondOrder& a);
SecondOrder exp(const SecondOrder& a);
SecondOrder log(const SecondOrder& a);
SecondOrder sin(const SecondOrder& a);
SecondOrder cos(const SecondOrder& a);
SecondOrder normal_distribution(const SecondOrder& a);  ///< the integral of exp(-t²/2)/√(2π) up to a

/// The variables of a formula, numbered from 1 as in print.
class Variables {
 public:
  explicit Variables(std::span<const double> w);
  int size() const { return static_cast<int>(x_.size()); }
  const SecondOrder& operator[](int number) const { return x_.at(static_cast<std::size_t>(number - 1)); }

 private:
  std::vector<SecondOrder> x_;
};

}  // namespace bolza::nlp::testing
