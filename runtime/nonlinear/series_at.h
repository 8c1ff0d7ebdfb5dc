// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "runtime/abi/aligned.h"
#include "runtime/abi/bolza.h"

namespace bolza::nonlinear {

/// Taylor coefficients in time of one function, one after the other: see BOLZA_TAYLOR.
class SeriesAt {
 public:
  SeriesAt() = default;
  /// @param kind  BOLZA_TAYLOR, BOLZA_TAYLOR_JACOBIAN or BOLZA_TAYLOR_HESSIAN     @param order  coefficients 0 … order
  SeriesAt(const bolza_problem& problem, bolza_function* function, bolza_kind kind, std::size_t order);

  /// False: there is no function, or it has no recurrence (Programs).
  bool available() const { return function_ != nullptr; }
  const bolza_function* function() const { return function_; }
  std::size_t order() const { return order_; }

  void set(std::size_t row, std::size_t k, double value) { point_[row * ld_ + k] = value; }
  /// Of the Hessian kernel: coefficient k of a row's multiplier, 0 unless it is set.
  void set_weight(std::size_t row, std::size_t k, double value) { weight_[row * ld_ + k] = value; }
  /// Coefficient k of all rows; those before it have been computed, or it is computed again. Status bits.
  int run(std::size_t k, const double* shared);
  double out(std::size_t row, std::size_t k) const { return out_[row * ld_ + k]; }

 private:
  const bolza_function* function_ = nullptr;
  const bolza_kernels* kernels_ = nullptr;
  std::size_t order_ = 0, ld_ = 0;
  abi::AlignedDoubles point_, weight_, out_, scratch_;
  std::vector<std::size_t> first_;  ///< [groups] of scratch
};

}  // namespace bolza::nonlinear
