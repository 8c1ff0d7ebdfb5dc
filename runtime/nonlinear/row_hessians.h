// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/abi/aligned.h"
#include "runtime/abi/bolza.h"
#include "runtime/nonlinear/model_at.h"

namespace bolza::nonlinear {

/// The Hessians of several rows of a function, each alone: one call of the Hessian kernel whose lanes are all at the same
/// point and have the unit vectors as weights.
class RowHessians {
 public:
  static constexpr std::size_t most = 64;  ///< rows of one call

  RowHessians() = default;
  RowHessians(const bolza_problem& problem, bolza_function* function);
  bool available() const { return function_ != nullptr; }
  const bolza_function& function() const { return *function_; }

  /// Of rows first … first + count, at most `most`. Status bits; bit 0 also when a value is not finite.
  int run(const bolza_model& model, const ModelAt::Point& point, const double* shared, std::size_t first, std::size_t count);
  /// Entry e of the pattern (hess_row, hess_col), of row first + r.
  double entry(std::size_t e, std::size_t r) const { return out_[e * ld_ + r]; }

 private:
  const bolza_function* function_ = nullptr;
  std::size_t ld_ = 0;
  abi::AlignedDoubles point_, weight_, out_;
};

}  // namespace bolza::nonlinear
