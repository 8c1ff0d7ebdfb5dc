// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "runtime/nlp/interior/quasi_newton.h"
#include "runtime/nlp/sqp/kkt_factors.h"

namespace bolza::nlp::interior {

/// Solves with K₀ − P M⁻¹ P', P = [W; 0] of a quasi-Newton matrix, by factors of K₀ [NW, (A.28)].
class LowRank {
 public:
  /// For the factors as they are now. Cost  a solve for each column of W.
  void prepare(const QuasiNewton& matrix, std::size_t n, std::size_t m, KktFactors& factors);
  void leave() { columns_ = 0; }
  /// x, K₀⁻¹ r, becomes the solution with r. [n + m]
  void correct(std::span<double> x) const;

 private:
  std::size_t n_ = 0, size_ = 0, columns_ = 0;
  std::vector<double> W_, solved_;  // [columns × (n + m)]: P, K₀⁻¹ P
  std::vector<double> inverse_;     // [columns × columns] (M − P' K₀⁻¹ P)⁻¹
};

}  // namespace bolza::nlp::interior
