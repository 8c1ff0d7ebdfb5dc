// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/nlp/second_order.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/expects.h"

namespace bolza::nlp::testing {

SecondOrder SecondOrder::variable(double value, int index) {
  expects(index >= 0 && index < capacity, "a formula has at most twenty variables");
  SecondOrder x(value);
  x.used_ = index + 1;
  x.variables_ = std::uint32_t{1} << index;
  x.first_[index_of(index)] = 1;
  return x;
}

SecondOrder SecondOrder::chain(const SecondOrder& a, double f, double df, double ddf) {
  SecondOrder r(f);
  r.used_ = a.used_;
  r.variables_ = r.nonlinear_ = a.variables_;
  for (int i = 0, k = 0; i < a.used_; ++i) {
    double slope = a.first_[index_of(i)];
    r.first_[index_of(i)] = df * slope;
    for (int j = 0; j <= i; ++j, ++k)
      r.second_[index_of(k)] = df * a.second_[index_of(k)] + ddf * slope * a.first_[index_of(j)];
  }
  return r;
}

SecondOrder SecondOrder::sum(const SecondOrder& a, double factor, const SecondOrder& b) {
  SecondOrder r = a;
  r.value_ += factor * b.value_;
  r.used_ = std::max(a.used_, b.used_);
  r.variables_ |= b.variables_, r.nonlinear_ |= b.nonlinear_;
  for (int i = 0; i < b.used_; ++i) r.first_[index_of(i)] += factor * b.first_[index_of(i)];
  if (b.nonlinear_ == 0) return r;
  for (int k = 0; k < b.used_ * (b.used_ + 1) / 2; ++k) r.second_[index_of(k)] += factor * b.second_[index_of(k)];
  return r;
}

SecondOrder& SecondOrder::operator+=(const SecondOrder& b) { return *this = sum(*this, 1, b); }

SecondOrder SecondOrder::product(const SecondOrder& a, const SecondOrder& b) {
  SecondOrder r(a.value_ * b.value_);
  r.used_ = std::max(a.used_, b.used_);
  r.variables_ = a.variables_ | b.variables_;
  bool by_constant = a.variables_ == 0 || b.variables_ == 0;
  r.nonlinear_ = by_constant ? a.nonlinear_ | b.nonlinear_ : r.variables_;
  for (int i = 0, k = 0; i < r.used_; ++i) {
    double da = a.first_[index_of(i)], db = b.first_[index_of(i)];
    r.first_[index_of(i)] = da * b.value_ + a.value_ * db;
    for (int j = 0; j <= i; ++j, ++k)
      r.second_[index_of(k)] = a.second_[index_of(k)] * b.value_ + a.value_ * b.second_[index_of(k)] +
                               da * b.first_[index_of(j)] + a.first_[index_of(j)] * db;
  }
  return r;
}

SecondOrder SecondOrder::reciprocal(const SecondOrder& a) {
  double r = 1 / a.value_;
  return a.variables_ == 0 ? SecondOrder(r) : chain(a, r, -r * r, 2 * r * r * r);
}

SecondOrder square(const SecondOrder& a) { return SecondOrder::chain(a, a.value() * a.value(), 2 * a.value(), 2); }

SecondOrder power(const SecondOrder& a, double exponent) {
  auto term = [&](double factor, double e) { return factor == 0 ? 0 : factor * std::pow(a.value(), e); };
  return SecondOrder::chain(a, std::pow(a.value(), exponent), term(exponent, exponent - 1),
                            term(exponent * (exponent - 1), exponent - 2));
}

SecondOrder sqrt(const SecondOrder& a) { return power(a, 0.5); }

SecondOrder exp(const SecondOrder& a) {
  double e = std::exp(a.value());
  return SecondOrder::chain(a, e, e, e);
}

SecondOrder log(const SecondOrder& a) {
  double r = 1 / a.value();
  return SecondOrder::chain(a, std::log(a.value()), r, -r * r);
}

SecondOrder sin(const SecondOrder& a) {
  double s = std::sin(a.value());
  return SecondOrder::chain(a, s, std::cos(a.value()), -s);
}

SecondOrder cos(const SecondOrder& a) {
  double c = std::cos(a.value());
  return SecondOrder::chain(a, c, -std::sin(a.value()), -c);
}

SecondOrder normal_distribution(const SecondOrder& a) {
  double x = a.value(), density = std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
  return SecondOrder::chain(a, std::erfc(-x / std::numbers::sqrt2) / 2, density, -x * density);
}

Variables::Variables(std::span<const double> w) {
  for (std::size_t k = 0; k < w.size(); ++k) x_.push_back(SecondOrder::variable(w[k], static_cast<int>(k)));
}

}  // namespace bolza::nlp::testing
