// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "runtime/abi/aligned.h"
#include "runtime/abi/bolza.h"
#include "runtime/abi/evaluate.h"

namespace bolza::nonlinear {

/// One kind of one function of a model, evaluated at one point at a time.
/// A null function, or one whose kernels the provider cannot give, is not available.
class KernelAt {
 public:
  KernelAt() = default;
  KernelAt(const bolza_problem& problem, bolza_function* function, bolza_kind kind);

  bool available() const { return function_ != nullptr; }
  const bolza_function* function() const { return function_; }

  /// Rows first, first + 1, … of the point: row 0 is the time, then x, z, u.
  void set(std::size_t first, std::span<const double> values) {
    for (std::size_t i = 0; i < values.size(); ++i) point_[(first + i) * ld_] = values[i];
  }
  /// Of hessian and vjp kernels: multipliers of the rows; missing ones are 0.
  void set_weight(std::span<const double> weight);
  /// Status bits; bit 0 also when a value of `out` is not finite. Allocates only scratch of Programs.
  int run(const double* shared);
  double out(std::size_t row) const { return out_[row * ld_]; }
  /// The point as it was set, [n_point].
  std::vector<double> point() const;

 private:
  const bolza_function* function_ = nullptr;
  bolza_kind kind_ = BOLZA_VALUE;
  std::size_t ld_ = 1;
  abi::AlignedDoubles point_, out_, weight_;
  abi::PointEvaluation evaluation_;
};

}  // namespace bolza::nonlinear
