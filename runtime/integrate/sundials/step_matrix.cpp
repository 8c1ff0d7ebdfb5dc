// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/sundials/step_matrix.h"

#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "runtime/integrate/sundials/small_inverse.h"

namespace bolza::integrate {

namespace {

constexpr std::size_t most_ordered = 100;  ///< unknowns of dense matrices whose order is chosen
constexpr Eigen::Index few_columns = 4;    ///< fewer right-hand sides are solved for by KLU itself
constexpr double good_pivot = 0.1;         ///< of the largest in its column: it stays where it is, for the zeros' sake

// The unknowns, each the one with the fewest neighbours among those that are left. [n]
std::vector<Eigen::Index> elimination_order(std::size_t n,
                                            const std::vector<std::pair<std::int32_t, std::int32_t>>& places) {
  std::vector<Eigen::Index> order(n);
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  if (n <= most_inverted || n > most_ordered) return order;
  std::vector<std::vector<bool>> near(n, std::vector<bool>(n));
  for (auto [row, col] : places)
    near[static_cast<std::size_t>(row)][static_cast<std::size_t>(col)] =
        near[static_cast<std::size_t>(col)][static_cast<std::size_t>(row)] = true;
  std::vector<bool> gone(n);
  auto neighbours = [&](std::size_t i) {
    std::vector<std::size_t> out;
    for (std::size_t j = 0; j < n; ++j)
      if (!gone[j] && j != i && near[i][j]) out.push_back(j);
    return out;
  };
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = n, fewest = n + 1;
    for (std::size_t i = 0; i < n; ++i)
      if (!gone[i] && neighbours(i).size() < fewest) {
        best = i;
        fewest = neighbours(i).size();
      }
    std::vector<std::size_t> left = neighbours(best);
    for (std::size_t i : left)
      for (std::size_t j : left) near[i][j] = true;
    gone[best] = true;
    order[k] = static_cast<Eigen::Index>(best);
  }
  return order;
}

}  // namespace

StepMatrix::StepMatrix(std::size_t n, std::vector<std::pair<std::int32_t, std::int32_t>> places, SUNContext context,
                       const MethodOptions& options)
    : n_(n),
      x_(make_vector(n, context)),
      b_(make_vector(n, context)),
      elimination_(elimination_order(n, places)),
      system_(n, std::move(places), x_.get(), context, direct_only(options)),
      dense_(SUNMatGetID(system_.matrix()) == SUNMATRIX_DENSE) {
  if (!is_dense()) SUNLinSolInitialize(system_.solver());
}

double* StepMatrix::clear() {
  if (!is_dense()) return system_.clear(system_.matrix());
  double* data = SUNDenseMatrix_Data(system_.matrix());
  std::fill_n(data, n_ * n_, 0.0);
  return data;
}

bool StepMatrix::is_inverted() const { return may_invert_ && n_ <= most_inverted; }

bool StepMatrix::factorise() {
  is_taken_ = false;
  if (!is_dense()) return SUNLinSolSetup(system_.solver(), system_.matrix()) == 0;
  is_listed_ = false;
  const double* A = SUNDenseMatrix_Data(system_.matrix());
  Index n = static_cast<Index>(n_);
  if (is_inverted()) {
    inverse_.resize(n, n);
    return invert(n_, A, inverse_.data());
  }
  factors_.resize(n, n);
  order_ = elimination_;
  for (Index j = 0; j < n; ++j) {
    const double* column = A + elimination_[static_cast<std::size_t>(j)] * n;
    for (Index i = 0; i < n; ++i) factors_(i, j) = column[elimination_[static_cast<std::size_t>(i)]];
  }
  return factorise_dense();
}

// Gauss with pivots in the column; what is zero is skipped, as most of it is.
bool StepMatrix::factorise_dense() {
  Index n = factors_.rows();
  one_by_diagonal_.resize(n);
  for (Index k = 0; k < n; ++k) {
    double* column = &factors_(0, k);
    Index pivot = k;
    for (Index i = k + 1; i < n; ++i)
      if (!(std::fabs(column[i]) <= std::fabs(column[pivot]))) pivot = i;
    if (!(std::fabs(column[pivot]) > 0)) return false;
    if (std::fabs(column[k]) >= good_pivot * std::fabs(column[pivot])) pivot = k;
    if (pivot != k) {
      factors_.row(k).swap(factors_.row(pivot));
      std::swap(order_[static_cast<std::size_t>(k)], order_[static_cast<std::size_t>(pivot)]);
    }
    double by = one_by_diagonal_[k] = 1 / column[k];
    bool any = false;
    for (Index i = k + 1; i < n; ++i) {
      any = any || column[i] != 0;
      column[i] *= by;
    }
    for (Index j = k + 1; j < n && any; ++j) {
      double* other = &factors_(0, j);
      if (double factor = other[k]; factor != 0)
        for (Index i = k + 1; i < n; ++i) other[i] -= factor * column[i];
    }
  }
  return true;
}

void StepMatrix::list_entries() {
  entries_.resize(n_ * n_);
  auto n = static_cast<std::int32_t>(n_);
  std::size_t count = 0;
  auto take = [&](std::int32_t j, std::int32_t from, std::int32_t to, const double* by) {  // what is zero is written over
    const double* column = &factors_(0, j);
    for (std::int32_t i = from; i < to; ++i) {
      entries_[count] = {i, j, by ? column[i] * by[i] : column[i]};
      count += column[i] != 0;
    }
  };
  for (std::int32_t j = 0; j + 1 < n; ++j) take(j, j + 1, n, nullptr);
  lower_ = count;
  for (std::int32_t j = n; j-- > 1;) take(j, 0, j, one_by_diagonal_.data());
  upper_ = count - lower_;
}

// With the inverse, or with one entry of the factors after the other.
bool StepMatrix::solve_one(double* data) {
  Index n = static_cast<Index>(n_);
  x_of_one_.resize(n);
  double *x = x_of_one_.data(), sum = 0;
  if (is_inverted()) {
    multiply(n_, inverse_.data(), data, x);
    for (std::size_t i = 0; i < n_; ++i) {
      data[i] = x[i];
      sum += 0 * x[i];
    }  // no order is chosen for it
    return sum == 0;
  }
  if (!std::exchange(is_listed_, true)) list_entries();
  for (Index i = 0; i < n; ++i) x[i] = data[order_[static_cast<std::size_t>(i)]];
  const Entry *entry = entries_.data(), *end = entry + lower_;
  for (; entry != end; ++entry) x[entry->row] -= entry->value * x[entry->col];
  x_of_one_.array() *= one_by_diagonal_.array();
  for (end += upper_; entry != end; ++entry) x[entry->row] -= entry->value * x[entry->col];
  for (Index i = 0; i < n; ++i) {
    data[elimination_[static_cast<std::size_t>(i)]] = x[i];
    sum += 0 * x[i];
  }
  return sum == 0;
}

// B := A⁻¹ B by the inverse.
void StepMatrix::multiply_rows(Eigen::Ref<Rows> B) {
  rows_.setZero(B.rows(), B.cols());
  for (Index i = 0; i < B.rows(); ++i)
    for (Index j = 0; j < B.rows(); ++j)
      if (inverse_(i, j) != 0) rows_.row(i) += inverse_(i, j) * B.row(j);
  B = rows_;
}

// B := A⁻¹ B by whole rows at once.
void StepMatrix::solve_rows(Eigen::Ref<Rows> B) {
  rows_.resize(B.rows(), B.cols());
  for (Index i = 0; i < B.rows(); ++i) rows_.row(i) = B.row(order_[static_cast<std::size_t>(i)]);
  for (Index j = 0; j < B.rows(); ++j)
    for (Index i = j + 1; i < B.rows(); ++i)
      if (factors_(i, j) != 0) rows_.row(i) -= factors_(i, j) * rows_.row(j);
  for (Index j = B.rows(); j-- > 0;) {
    rows_.row(j) *= one_by_diagonal_[j];
    for (Index i = 0; i < j; ++i)
      if (factors_(i, j) != 0) rows_.row(i) -= factors_(i, j) * rows_.row(j);
  }
  for (Index i = 0; i < B.rows(); ++i) B.row(elimination_[static_cast<std::size_t>(i)]) = rows_.row(i);
}

// Banded and sparse: B := A⁻¹ B by one column after the other; many of KLU at once.
bool StepMatrix::solve_columns(Eigen::Ref<Rows> B) {
  if (B.cols() >= few_columns && (is_taken_ || (is_taken_ = klu_.take(system_.solver())))) {
    klu_.solve(B);
    return true;
  }
  for (Index k = 0; k < B.cols(); ++k) {
    Eigen::Map<Eigen::VectorXd> b(N_VGetArrayPointer(b_.get()), B.rows()), x(N_VGetArrayPointer(x_.get()), B.rows());
    b = B.col(k);
    if (SUNLinSolSolve(system_.solver(), system_.matrix(), x_.get(), b_.get(), 0) != 0) return false;
    B.col(k) = x;
  }
  return true;
}

bool StepMatrix::solve(double* data, std::size_t columns) {
  if (is_dense() && columns == 1) return solve_one(data);
  Eigen::Map<Rows> B(data, static_cast<Index>(n_), static_cast<Index>(columns));
  if (is_dense() && is_inverted()) multiply_rows(B);
  else if (is_dense()) solve_rows(B);
  else if (!solve_columns(B)) return false;
  return B.allFinite();
}

}  // namespace bolza::integrate
