// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace bolza::integrate {

/// Past values of some quantities: per accepted step the polynomial through its values at six Chebyshev points, which
/// reproduces the dense output of every method up to order five. Before the first step: the values at the start.
class History {
 public:
  explicit History(std::size_t quantities) : n_(quantities) {}

  /// Forgets everything; `values` [quantities] hold for t <= t0.
  void begin(double t0, std::span<const double> values);
  /// Adds [end of the last, b]; `at` gives the quantities at a time in it. A jump may lie between two steps. Cost: six
  /// calls.
  void append(double b, const std::function<bool(double t, std::span<double> values)>& at);
  /// Quantity i at t; beyond the last step by extrapolation. At a jump the value after it when `right`.
  double value(std::size_t i, double t, bool right) const;
  /// Drops what lies before t.
  void forget_before(double t);
  double end() const { return end_; }

 private:
  static constexpr std::size_t nodes = 6;
  struct Piece {
    double begin, end;
    std::vector<double> values;  ///< [quantities × nodes]
  };
  std::size_t n_;
  double start_ = 0, end_ = 0;
  std::vector<double> first_;
  std::vector<Piece> pieces_;
};

}  // namespace bolza::integrate
