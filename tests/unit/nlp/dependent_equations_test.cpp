// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/dependent_equations.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <random>

#include "tests/unit/nlp/small_nlp.h"

namespace bolza::nlp::testing {
namespace {

/// A w = 0 for the rows that are no limits, and these.
class LinearRows final : public Functions {
 public:
  explicit LinearRows(Eigen::MatrixXd a) : a_(std::move(a)) {
    auto m = static_cast<std::size_t>(a_.rows()), n = static_cast<std::size_t>(a_.cols());
    nlp.lower.assign(n, -inf), nlp.upper.assign(n, inf);
    nlp.row_lower.assign(m, 0), nlp.row_upper.assign(m, 0);
    for (int r = 0; r < a_.rows(); ++r)
      for (int c = 0; c < a_.cols(); ++c) nlp.jacobian.row.push_back(r), nlp.jacobian.col.push_back(c);
    nlp.functions = this;
  }
  Nlp nlp;
  bool is_broken = false;

  void move_to(std::span<const double>) override {}
  bool objective(double&) override { return true; }
  const double* gradient() override { return nullptr; }
  const double* constraints() override { return nullptr; }
  const double* jacobian() override { return is_broken ? nullptr : (by_rows_ = a_).data(); }
  const double* hessian(double, std::span<const double>) override { return nullptr; }
  const double* gauss_newton(double) override { return nullptr; }

 private:
  Eigen::MatrixXd a_;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> by_rows_;
};

Eigen::MatrixXd random_matrix(int rows, int cols, std::mt19937& random) {
  std::normal_distribution<double> normal;
  return Eigen::MatrixXd::NullaryExpr(rows, cols, [&] { return normal(random); });
}

Eigen::Index rank_of(const Eigen::MatrixXd& a) {
  Eigen::FullPivLU<Eigen::MatrixXd> factors(a);
  factors.setThreshold(1e-9);
  return factors.rank();
}

Eigen::MatrixXd without_rows(Eigen::MatrixXd a, const std::vector<std::int32_t>& rows) {
  for (std::int32_t r : rows) a.row(r).setZero();
  return a;
}

TEST(DependentEquations, are_as_many_as_ranks_are_missing_and_the_others_independent) {
  std::mt19937 random(7);
  for (int missing = 0; missing < 5; ++missing) {
    Eigen::MatrixXd a = random_matrix(9, 12, random);
    Eigen::MatrixXd others = a(Eigen::seqN(1, 4, 2), Eigen::all);
    for (int r = 0; r < missing; ++r) a.row(2 * r) = random_matrix(1, 4, random) * others * 1e5;
    LinearRows rows(a);
    std::vector<double> w(12);
    std::vector<std::int32_t> dependent = dependent_equations(rows.nlp, w);
    EXPECT_EQ(static_cast<int>(dependent.size()), missing);
    EXPECT_EQ(rank_of(without_rows(a, dependent)), 9 - missing);
    EXPECT_TRUE(std::is_sorted(dependent.begin(), dependent.end()));
  }
}

TEST(DependentEquations, know_what_fixed_variables_leave) {
  LinearRows rows(Eigen::MatrixXd{{1, 2, 3}, {0, 0, 1}, {0, 0, 0}, {1, 1, 1}});
  std::vector<double> w(3);
  EXPECT_EQ(dependent_equations(rows.nlp, w), std::vector<std::int32_t>{2});
  rows.nlp.lower[2] = rows.nlp.upper[2] = 1;
  EXPECT_EQ(dependent_equations(rows.nlp, w), (std::vector<std::int32_t>{1, 2}));
}

TEST(DependentEquations, are_equations_and_have_finite_derivatives) {
  LinearRows rows(Eigen::MatrixXd{{1, 2}, {2, 4}, {3, 6}});
  rows.nlp.row_upper[0] = 1;
  std::vector<double> w(2);
  std::vector<std::int32_t> dependent = dependent_equations(rows.nlp, w);
  ASSERT_EQ(dependent.size(), 1U);
  EXPECT_NE(dependent[0], 0);
  Nlp left = without_equations(rows.nlp, dependent);
  auto r = static_cast<std::size_t>(dependent[0]);
  EXPECT_EQ(left.row_lower[r], -inf);
  EXPECT_EQ(left.row_upper[r], inf);
  rows.is_broken = true;
  EXPECT_TRUE(dependent_equations(rows.nlp, w).empty());
}

}  // namespace
}  // namespace bolza::nlp::testing
