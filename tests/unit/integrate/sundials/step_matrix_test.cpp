// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/sundials/step_matrix.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace bolza::integrate {
namespace {

using Eigen::Index;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// A band of three diagonals, the last row first so that pivoting has something to do, and one place given twice.
Eigen::MatrixXd make(std::size_t n, StepMatrix& matrix, double factor) {
  auto size = static_cast<Index>(n);
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(size, size);
  double* data = matrix.clear();
  auto slot = matrix.slot().begin();
  auto put = [&](std::size_t row, std::size_t col, double v) {
    A(static_cast<Index>(row), static_cast<Index>(col)) += v;
    data[*slot++] += v;
  };
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = i ? i - 1 : 0; k < std::min(n, i + 2); ++k)
      put((i + 1) % n, k, factor * static_cast<double>(1 + (7 * i + 3 * k) % 5));
  put(0, 0, 2);
  put(0, 0, -0.5);
  return A;
}

std::vector<std::pair<std::int32_t, std::int32_t>> places(std::size_t n) {
  std::vector<std::pair<std::int32_t, std::int32_t>> out;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = i ? i - 1 : 0; k < std::min(n, i + 2); ++k)
      out.emplace_back(static_cast<std::int32_t>((i + 1) % n), static_cast<std::int32_t>(k));
  out.emplace_back(0, 0), out.emplace_back(0, 0);
  return out;
}

// 5 and 20 unknowns are dense (inverted where that is allowed, else by lists of entries), 60 of three diagonals sparse
// unless an option says otherwise.
TEST(StepMatrix, solves_for_rows_of_right_hand_sides_in_every_form_again_and_again) {
  Context context = make_context();
  for (auto [n, kind] :
       {std::pair<std::size_t, const char*>{5, ""}, {5, "dense"}, {20, ""}, {60, ""}, {60, "band"}, {60, "dense"}}) {
    MethodOptions options;
    options.linear_solver = kind;
    StepMatrix matrix(n, places(n), context.get(), options);
    if (kind[0] == 0) matrix.allow_inverse();
    for (double factor : {1.0, -3.0}) {
      Eigen::MatrixXd A = make(n, matrix, factor);
      ASSERT_TRUE(matrix.factorise()) << n << kind;
      for (Index columns : {1, 4, 1, 70, 1}) {
        Rows x = Rows::Random(static_cast<Index>(n), columns), b = A * x;
        ASSERT_TRUE(matrix.solve(b.data(), static_cast<std::size_t>(columns)));
        EXPECT_LT((b - x).cwiseAbs().maxCoeff(), 1e-9) << n << kind;
      }
    }
  }
}

// Blocks that depend on each other one way only, with rows of very different size: KLU permutes and scales them.
TEST(StepMatrix, solves_blocks_of_sparse_matrices_for_many_right_hand_sides) {
  constexpr std::int32_t n = 90;
  std::vector<std::pair<std::int32_t, std::int32_t>> at;
  for (std::int32_t i = 0; i < n; ++i) {
    at.emplace_back(i, i);
    if (i % 3 != 2) at.emplace_back((i + 1) % n, i);         // within a block of three, lower
    if (i % 3 != 0) at.emplace_back(i - i % 3, i);           // and upper
    if (i + 7 < n && i % 5 == 0) at.emplace_back(i, i + 7);  // blocks further on
    if (i % 30 == 29) at.emplace_back(i / 2, i);
  }
  Context context = make_context();
  StepMatrix matrix(n, at, context.get(), {});
  for (double shift : {0.0, 2.5}) {
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, n);
    double* data = matrix.clear();
    for (std::size_t k = 0; k < at.size(); ++k) {
      auto [i, j] = at[k];
      double v = std::pow(10.0, i % 7 - 3) * (i == j ? 3 + shift : std::sin(1.0 + i + 2.0 * j));
      A(i, j) += v;
      data[matrix.slot()[k]] += v;
    }
    ASSERT_TRUE(matrix.factorise());
    for (Index columns : {3, 4, 32, 33, 155}) {
      Rows b = Rows::Random(n, columns), x = b;
      ASSERT_TRUE(matrix.solve(x.data(), static_cast<std::size_t>(columns)));
      Rows expected = A.partialPivLu().solve(b);
      EXPECT_LT((x - expected).cwiseAbs().maxCoeff(), 1e-11 * expected.cwiseAbs().maxCoeff()) << columns;
    }
  }
}

TEST(StepMatrix, says_that_it_is_singular) {
  Context context = make_context();
  StepMatrix matrix(3, {{0, 0}, {1, 1}}, context.get(), {});
  double* data = matrix.clear();
  data[matrix.slot()[0]] = 1, data[matrix.slot()[1]] = 2;
  EXPECT_FALSE(matrix.factorise());
}

}  // namespace
}  // namespace bolza::integrate
