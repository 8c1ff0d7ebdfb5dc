#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "runtime/integrate/sundials/sundials_internal.h"

namespace bolza::integrate {

/// Linear systems with many right-hand sides and one matrix, which is made anew for every step of an integrator: dense,
/// banded or sparse, as NewtonSystem decides.
class StepMatrix {
 public:
  /// Places that may be nonzero, any order, repetitions allowed; the diagonal is among them anyway.
  StepMatrix(std::size_t n, std::vector<std::pair<std::int32_t, std::int32_t>> places, SUNContext context,
             const MethodOptions& options);
  /// Zeroes the matrix; entry k of `places` is added at slot()[k] of what is returned. The factors stay.
  double* clear() { return system_.clear(system_.matrix()); }
  std::span<const std::size_t> slot() const { return system_.slot(); }
  /// False: the matrix is singular. Cost: O(n³), sparse: KLU.
  bool factorise();
  /// B := A⁻¹ B with the last factors, B [n × columns], its rows behind each other. False: a result is not finite.
  /// Cost: O(n² columns).
  bool solve(double* B, std::size_t columns);

 private:
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  bool is_dense() const;
  bool solve_one(double* b);

  std::size_t n_;
  Vector x_, b_;  // one right-hand side
  NewtonSystem system_;
  Eigen::PartialPivLU<Eigen::MatrixXd> dense_;
  Rows work_;
  Eigen::VectorXd x_of_one_;
};

}  // namespace bolza::integrate
