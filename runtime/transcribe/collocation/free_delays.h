// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "runtime/abi/bolza.h"

namespace bolza::transcribe {

/// A delayed value of states whose delay is a decision: minus Σ coefficient · x(t − delay) as a function of the states of
/// the intervals that may hold t − delay, and of free parameters. The states are the polynomials of their intervals, and the
/// value at the start before it, and around a mesh point those of both sides go over into each other; so its derivative by
/// the delay is −ẋ, and its second one continuous. On a regular mesh many points pass mesh points at once: kinks of all of
/// them would be a kink of the objective, at which engines come to no end.
struct FreeDelay {
  double time = 0;                                      ///< t
  double constant = 0;                                  ///< delay = constant + Σ slope · parameter
  std::vector<std::pair<std::int32_t, double>> slopes;  ///< entry of `shared`, slope
  std::vector<double> coefficients;                     ///< [sources]
  std::vector<double> mesh;                             ///< [intervals + 1] times
  std::vector<double> nodes;                            ///< [q] places of states in an interval
  bool reaches_start = false;                           ///< the first interval is that of the horizon

  /// How many states its function reads: input 1 + (source · intervals + interval) · q + node is one of them, input 0 none.
  std::size_t n_states() const { return coefficients.size() * (mesh.size() - 1) * nodes.size(); }
};

/// The function of a free delay with kernels of its own: value, first and second derivatives. It is not moved, because its
/// parts point at each other.
class FreeDelayFunction {
 public:
  FreeDelayFunction(const FreeDelay& delay, const bolza_model& model);
  FreeDelayFunction(const FreeDelayFunction&) = delete;
  FreeDelayFunction& operator=(const FreeDelayFunction&) = delete;

  bolza_function* function() { return &function_; }

 private:
  std::vector<double> data_;
  std::vector<std::int32_t> jac_row_, jac_col_, hess_row_, hess_col_;
  bolza_group groups_[3] = {};
  bolza_kernels kernels_[3] = {};
  bolza_function function_ = {};
};

}  // namespace bolza::transcribe
