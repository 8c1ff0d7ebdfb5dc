// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "runtime/abi/bolza.h"

namespace bolza::abi {

/// Inputs of one evaluation at `n` points; see bolza_call for shapes.
struct Evaluation {
  std::size_t n = 0, ld = 0;
  const double* point = nullptr;
  const double* shared = nullptr;
  const double* weight = nullptr;     ///< hessian, vjp
  const double* direction = nullptr;  ///< jvp
  double* out = nullptr;              ///< [kernels.n_out × ld]
};

/// The distance between rows for n points: n rounded up to an odd multiple of 8.
std::size_t padded(std::size_t n);

/// Makes sure that the kernels of a kind are compiled. False: the provider cannot give them.
bool ensure(const bolza_problem& problem, bolza_function& function, bolza_kind kind);

/// Evaluates a function at all points: zeroes the rows that several groups add into, runs every group over chunks of points
/// (`threads` > 1: chunks are shared out, the result has the same bits). Returns the union of the kernels' status bits.
/// Requires the kind to be compiled. Allocates only scratch for Programs. Cost linear in n.
int evaluate(const bolza_function& function, bolza_kind kind, const Evaluation& evaluation, unsigned threads = 1);

/// A function's kernels at one point, called again and again: what `evaluate` sets up for every call is set up once.
class PointEvaluation {
 public:
  PointEvaluation() = default;
  /// The places of `evaluation` (whose n is 1) are read and written by every run, `shared` excepted.
  PointEvaluation(const bolza_kernels& kernels, const Evaluation& evaluation);
  const bolza_kernels* kernels() const { return kernels_; }
  /// Status bits. Allocates only scratch for Programs, once.
  int run(const double* shared);

 private:
  const bolza_kernels* kernels_ = nullptr;
  Evaluation evaluation_;
  std::vector<bolza_call> calls_;  ///< one per group
  std::vector<double> scratch_;
};

}  // namespace bolza::abi
