#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "runtime/integrate/sundials/sundials_internal.h"

namespace bolza::integrate {

/// Linear systems with many right-hand sides and one matrix, which is made again for every step of an integrator: dense,
/// banded or sparse, as NewtonSystem decides.
class StepMatrix {
 public:
  /// Places that may be nonzero, any order, repetitions allowed; the diagonal is among them anyway.
  StepMatrix(std::size_t n, std::vector<std::pair<std::int32_t, std::int32_t>> places, SUNContext context,
             const MethodOptions& options);
  /// A dense matrix of few unknowns is inverted when it is used often. Of 1 - γJ that is as good as its factors; matrices of
  /// algebraic equations lose digits by it.
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
  bool factorise_dense();
  bool solve_one(double* b);
  void list_entries();
  void invert();
  void solve_rows(Eigen::Ref<Rows> B);

  std::size_t n_;
  Vector x_, b_;                    // one right-hand side
  std::vector<Index> elimination_;  // dense: unknowns in the order in which they are eliminated
  NewtonSystem system_;
  bool dense_;
  // dense: factors P A = L U, L of unit diagonal, 1 / diagonal of U, and the rows of A that P takes
  Eigen::MatrixXd factors_, inverse_;  // inverse_: of a very small matrix that is solved with often
  Eigen::VectorXd one_by_diagonal_, x_of_one_;
  std::vector<Index> order_;
  bool may_invert_ = false;
  int solves_ = 0;  // with the last factors
  struct Entry {
    Index row;
    double value;
  };
  bool is_listed_ = false;                          // the entries are those of the last factors
  std::vector<Entry> entries_;                      // of L and U that are not zero, column by column
  std::vector<std::size_t> lower_end_, upper_end_;  // [n] after those of a column
  Rows rows_;
};

}  // namespace bolza::integrate
