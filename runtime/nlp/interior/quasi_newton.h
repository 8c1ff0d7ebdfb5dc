// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace bolza::nlp::interior {

/// A limited-memory BFGS matrix in compact form, B = σ I − W M⁻¹ W' with W = [σ S, Y] and M = [σ S'S, L; L', −D]
/// [NW, section 7.2]: the last pairs of steps s and changes y of the Lagrangian's gradient. Positive definite.
class QuasiNewton {
 public:
  explicit QuasiNewton(std::size_t n) : n_(n) {}

  /// Takes a pair, unless its curvature is not positive; after two that were left out in a row it begins again.
  /// @param s, y  [n]
  void update(std::span<const double> s, std::span<const double> y);

  double curvature() const { return sigma_; }                ///< σ
  std::size_t columns() const { return 2 * pairs_.size(); }  ///< of W
  /// @param to  [n] becomes column j of W
  void column(std::size_t j, double* to) const;
  double middle(std::size_t i, std::size_t j) const;  ///< of M

 private:
  struct Pair {
    std::vector<double> s, y;
  };
  double s_s(std::size_t i, std::size_t j) const;
  double s_y(std::size_t i, std::size_t j) const;

  std::size_t n_;
  double sigma_ = 1;
  std::vector<Pair> pairs_;  // the oldest first
  int left_out_ = 0;
};

}  // namespace bolza::nlp::interior
