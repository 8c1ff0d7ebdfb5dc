// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/sundials/small_inverse.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>

namespace bolza::integrate {
namespace {

TEST(SmallInverse, times_its_matrix_is_one_where_pivots_have_to_be_found) {
  for (std::size_t n = 1; n <= most_inverted; ++n) {
    auto size = static_cast<Eigen::Index>(n);
    Eigen::MatrixXd A = Eigen::MatrixXd::NullaryExpr(size, size, [](Eigen::Index i, Eigen::Index j) {
      return std::sin(1.3 + 3 * static_cast<double>(i) * static_cast<double>(j) + static_cast<double>(i - j));
    });
    if (n > 1) A(0, 0) = 0;
    Eigen::MatrixXd inverse(size, size), identity = Eigen::MatrixXd::Identity(size, size);
    ASSERT_TRUE(invert(n, A.data(), inverse.data())) << n;
    double digits = 1e-14 * A.norm() * inverse.norm();
    EXPECT_LT((inverse * A - identity).cwiseAbs().maxCoeff(), digits) << n;
    Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(size, 1, 2), x(size);
    multiply(n, inverse.data(), b.data(), x.data());
    EXPECT_LT((x - inverse * b).cwiseAbs().maxCoeff(), 1e-14 * inverse.norm() * b.norm()) << n;
  }
}

TEST(SmallInverse, is_refused_of_what_is_singular_or_not_finite) {
  Eigen::Matrix2d inverse, singular{{1, 2}, {2, 4}}, undefined{{1, std::numeric_limits<double>::quiet_NaN()}, {0, 1}},
      infinite{{1, std::numeric_limits<double>::infinity()}, {0, 1}};
  EXPECT_FALSE(invert(2, singular.data(), inverse.data()));
  EXPECT_FALSE(invert(2, undefined.data(), inverse.data()));
  EXPECT_FALSE(invert(2, infinite.data(), inverse.data()));
}

}  // namespace
}  // namespace bolza::integrate
