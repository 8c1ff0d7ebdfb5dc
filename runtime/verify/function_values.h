// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <vector>

#include "runtime/abi/bolza.h"

namespace bolza::verify {

/// A function of the problem by its values alone: derivatives are differences of them, so that they owe nothing to the
/// symbolic derivatives that a solve takes.
class FunctionValues {
 public:
  /// `function` may be null: no rows.     @param shared  [n_shared] its constants and parameters
  FunctionValues(const bolza_problem& problem, bolza_function* function, std::vector<double> shared);

  /// Whether there are kernels for what rows there are.
  bool possible() const { return possible_; }
  Eigen::Index rows() const { return rows_; }
  const std::vector<double>& shared() const { return shared_; }

  /// [rows × n] at points [n_point × n]. What is not finite stays so.     Cost  n evaluations.
  Eigen::MatrixXd at(const Eigen::MatrixXd& points) const;

  /// ∂/∂(row `column` of the points) [rows × n], by central differences; one-sided where one side is not finite.
  /// @param size  of that quantity: no step is shorter than `least_share` · size.     Cost  2n evaluations.
  Eigen::MatrixXd slope(const Eigen::MatrixXd& points, Eigen::Index column, double size) const;

  /// ∂/∂(entry of `shared`) [rows × n].     Cost  2n evaluations.
  Eigen::MatrixXd slope_by_shared(const Eigen::MatrixXd& points, std::size_t entry) const;

 private:
  Eigen::MatrixXd with(const Eigen::MatrixXd& points, const std::vector<double>& shared) const;

  bolza_function* function_;
  std::vector<double> shared_;
  Eigen::Index rows_ = 0;
  bool possible_ = true;
};

/// The length of a difference step about a value, a share of it or of a hundredth of the quantity's size.
double difference_step(double value, double size);

}  // namespace bolza::verify
