// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "runtime/integrate/sundials/klu_rows.h"
#include "runtime/integrate/sundials/sundials_internal.h"

namespace bolza::integrate {

/// Linear systems with many right-hand sides and one matrix, which is made again for every step of an integrator: dense,
/// banded or sparse, as NewtonSystem decides.
class StepMatrix {
 public:
  /// Places that may be nonzero, any order, repetitions allowed; the diagonal is among them anyway.
  StepMatrix(std::size_t n, std::vector<std::pair<std::int32_t, std::int32_t>> places, SUNContext context,
             const MethodOptions& options);
  /// A dense matrix of very few unknowns is inverted. Of 1 - γJ that is as good as its factors; matrices of algebraic
  /// equations lose digits by it.
  void allow_inverse() { may_invert_ = true; }
  /// Zeroes the matrix; entry k of `places` is added at slot()[k] of what is returned. The factors stay.
  double* clear();
  std::span<const std::size_t> slot() const { return system_.slot(); }
  /// False: the matrix is singular. Cost: O(n³), sparse: KLU.
  bool factorise();
  /// B := A⁻¹ B with the last factors, B [n × columns], its rows one after the other. False: a result is not finite.
  /// Cost: O(n² columns).
  bool solve(double* B, std::size_t columns);

 private:
  using Index = Eigen::Index;
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  bool is_dense() const { return dense_; }
  bool is_inverted() const;
  bool factorise_dense();
  bool solve_one(double* b);
  void list_entries();
  void solve_rows(Eigen::Ref<Rows> B);
  void multiply_rows(Eigen::Ref<Rows> B);
  bool solve_columns(Eigen::Ref<Rows> B);

  std::size_t n_;
  Vector x_, b_;                    // one right-hand side
  std::vector<Index> elimination_;  // dense: unknowns in the order in which they are eliminated
  NewtonSystem system_;
  bool dense_;
  // dense: factors P A = L U, L of unit diagonal, 1 / diagonal of U, and the rows of A that P takes
  Eigen::MatrixXd factors_, inverse_;  // inverse_: in the place of factors
  Eigen::VectorXd one_by_diagonal_, x_of_one_;
  std::vector<Index> order_;
  bool may_invert_ = false;
  struct Entry {
    std::int32_t row, col;
    double value;
  };
  bool is_listed_ = false;      // the entries are those of the last factors
  std::vector<Entry> entries_;  // of L column by column, then of U, over the diagonal of their rows, from the last column on
  std::size_t lower_ = 0, upper_ = 0;  // how many
  Rows rows_;
  KluRows klu_;            // sparse: the last factors, where many right-hand sides were given
  bool is_taken_ = false;  // they are those of the last factorisation
};

}  // namespace bolza::integrate
