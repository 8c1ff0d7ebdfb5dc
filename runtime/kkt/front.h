// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bolza::kkt {

/// A dense symmetric matrix, part of which is eliminated: L D Lᵀ with pivots of one or two rows among the first `full`
/// rows, chosen so that no entry of L is larger than 1/threshold [DR].
class Front {
 public:
  /// n rows, the first `full` of which may be pivots; all entries zero.
  void reset(std::size_t n, std::size_t full);
  std::size_t n() const { return n_; }
  /// Lower triangle: i >= j.
  double& at(std::size_t i, std::size_t j) { return a_[j * n_ + i]; }
  /// A row that was scaled in an earlier front gets no larger a scale: what is left of it may be rounding.
  void limit_scale(std::size_t i, double most) { limit_[i] = most; }
  double scale_of(std::size_t position) const { return scale_[position]; }
  /// Whether a row that is no pivot had entries in the pivots' columns, by which it was scaled.
  bool is_scaled(std::size_t position) const { return most_[position] > 0; }
  void add(std::size_t i, std::size_t j, double value) { i >= j ? at(i, j) += value : at(j, i) += value; }

  /// Scales rows and columns alike so that the largest entries are near 1, eliminates, and takes the scales back from what
  /// is left. Rows move: `order()` says where to.
  /// @param to_the_end  take the largest pivots that are left where none is large enough, down to rounding
  void eliminate(double threshold, bool to_the_end);

  std::size_t pivots() const { return pivots_; }      ///< rows eliminated; those of `full` that are left follow them
  std::size_t negative() const { return negative_; }  ///< negative eigenvalues of D
  std::span<const std::int32_t> order() const { return order_; }  ///< [n] position → row as it was assembled
  /// Of what is left, at positions >= pivots().
  double left(std::size_t i, std::size_t j) const { return i >= j ? a_[j * n_ + i] : a_[i * n_ + j]; }

  /// What a solve needs: the pivots' columns of L, D⁻¹, scales. Appends to `numbers`.
  void store(std::vector<double>& numbers, std::vector<std::uint8_t>& is_pair) const;

 private:
  struct Choice {
    std::size_t first = 0, second = 0;  ///< rows; equal: a pivot of one
    bool found = false;
  };
  void scale();
  Choice choose(double threshold) const;
  double largest_in(std::size_t column, std::size_t besides) const;
  void swap(std::size_t i, std::size_t j);
  void single();
  void pair();

  std::size_t n_ = 0, full_ = 0, pivots_ = 0, negative_ = 0;
  std::vector<double> a_, scale_, limit_, most_, work_;
  std::vector<std::int32_t> order_;
  std::vector<std::uint8_t> is_pair_;  // [pivots] 1: first of two
};

/// The factors of a front as a solve reads them.
struct FrontFactors {
  std::size_t n = 0, pivots = 0;
  const double* numbers = nullptr;  ///< [pivots × n] L by columns with D⁻¹ on its diagonal, [n] scales
  const std::uint8_t* is_pair = nullptr;
  static std::size_t size(std::size_t n, std::size_t pivots) { return n * pivots + n; }

  /// x := in place, by position: eliminates. Those at >= pivots become the right-hand side of what is left.
  void forward(double* x) const;
  /// x at >= pivots are solved; the others become so.
  void backward(double* x) const;
};

}  // namespace bolza::kkt
