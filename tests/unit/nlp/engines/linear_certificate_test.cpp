// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/engines/linear_certificate.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/unit/nlp/small_nlp.h"

namespace bolza::nlp {
namespace {

using testing::inf;

/// row_lower <= A w <= row_upper, lower <= w <= upper, dense by rows.
class Rows final : public Functions {
 public:
  Rows(std::vector<std::vector<double>> a, std::vector<double> row_lower, std::vector<double> row_upper,
       std::vector<double> lower, std::vector<double> upper)
      : a_(std::move(a)) {
    std::size_t n = lower.size(), m = row_lower.size();
    nlp.start.assign(n, 0);
    nlp.lower = std::move(lower);
    nlp.upper = std::move(upper);
    nlp.scale.assign(n, 1);
    nlp.role.assign(n, VariableRole::parameter);
    nlp.interval.assign(n, global);
    nlp.row_lower = std::move(row_lower);
    nlp.row_upper = std::move(row_upper);
    nlp.row_scale.assign(m, 1);
    nlp.row_role.assign(m, RowRole::point);
    nlp.row_interval.assign(m, global);
    nlp.linear.assign(m, 1);
    for (std::size_t r = 0; r < m; ++r)
      for (std::size_t c = 0; c < n; ++c) {
        nlp.jacobian.row.push_back(static_cast<std::int32_t>(r));
        nlp.jacobian.col.push_back(static_cast<std::int32_t>(c));
        entries_.push_back(a_[r][c]);
      }
    nlp.functions = this;
  }
  Nlp nlp;
  double jump = 0;  ///< of the first row, where the first variable is above 0

  void move_to(std::span<const double> w) override {
    values_.assign(a_.size(), 0);
    for (std::size_t r = 0; r < a_.size(); ++r)
      for (std::size_t c = 0; c < w.size(); ++c) values_[r] += a_[r][c] * w[c];
    if (w[0] > 0) values_[0] += jump;
  }
  bool objective(double& f) override {
    f = 0;
    return true;
  }
  const double* gradient() override { return nullptr; }
  const double* constraints() override { return values_.data(); }
  const double* jacobian() override { return entries_.data(); }
  const double* hessian(double /*sigma*/, std::span<const double> /*lambda*/) override { return nullptr; }
  const double* gauss_newton(double /*sigma*/) override { return nullptr; }

 private:
  std::vector<std::vector<double>> a_;
  std::vector<double> entries_, values_;
};

std::optional<LinearCertificate> of(const Rows& rows) {
  return linear_certificate(rows.nlp, std::vector<double>(rows.nlp.n(), 0.0));
}

TEST(LinearCertificate, is_found_where_a_sum_of_rows_exceeds_bounds) {
  Rows rows({{1, 1}}, {10}, {inf}, {-1, -1}, {1, 1});  // x + y >= 10 with |x|, |y| <= 1
  auto found = of(rows);
  ASSERT_TRUE(found);
  EXPECT_GT(found->margin, 1);
  EXPECT_LT(found->weight[0], 0);
}

TEST(LinearCertificate, needs_no_bounds) {
  Rows rows({{1, -1}, {2, -2}}, {1, 5}, {1, 5}, {-inf, -inf}, {inf, inf});  // x - y = 1, 2 x - 2 y = 5
  ASSERT_TRUE(of(rows));
}

TEST(LinearCertificate, leads_through_a_chain_of_variables_without_bounds) {
  constexpr std::size_t n = 60;  // u, x1 .. x59: x1 = u, x(k+1) = 1.05 x(k), and x59 = 40 with |u| <= 1, 1.05^58 = 16.9
  std::vector<std::vector<double>> a(n, std::vector<double>(n, 0.0));
  std::vector<double> side(n, 0.0), lower(n, -inf), upper(n, inf);
  for (std::size_t k = 1; k < n; ++k) {
    a[k - 1][k] = 1;
    a[k - 1][k - 1] = k == 1 ? -1 : -1.05;
  }
  a[n - 1][n - 1] = 1;
  side[n - 1] = 40;
  lower[0] = -1;
  upper[0] = 1;
  Rows rows(a, side, side, lower, upper);
  auto found = of(rows);
  ASSERT_TRUE(found);
  EXPECT_GT(found->margin, 1e-2);
  side[n - 1] = 16;
  EXPECT_FALSE(of(Rows(a, side, side, lower, upper)));
}

TEST(LinearCertificate, is_none_where_a_point_is_far_away) {
  Rows rows({{1, 0, 1e-5}, {1, -1, 0}}, {0, 1}, {0, 1}, {-inf, -inf, -inf}, {inf, 0, inf});
  EXPECT_FALSE(of(rows));  // x = 1, y = 0, z = -1e5
}

TEST(LinearCertificate, is_none_where_a_point_is_farther_away_than_is_likely) {
  Rows rows({{1, 0, 1e-7}, {1, -1, 0}, {0, 1, 0}}, {0, 1, 0}, {0, 1, 0}, {-inf, -inf, -inf}, {inf, inf, inf});
  EXPECT_FALSE(of(rows));  // x = 1, y = 0, z = -1e7
}

TEST(LinearCertificate, leaves_rows_out_that_jump) {
  Rows rows({{0, 0}}, {-inf}, {2}, {0, 0}, {1, 1});  // as `(if x > 0 then 8 else 0) <= 2` where entries are asked for
  rows.jump = 8;
  EXPECT_FALSE(linear_certificate(rows.nlp, {0.5, 0.5}));
}

TEST(LinearCertificate, leaves_rows_out_that_are_not_linear) {
  Rows rows({{1, 1}}, {10}, {inf}, {-1, -1}, {1, 1});
  rows.nlp.linear = {0};
  EXPECT_FALSE(of(rows));
}

TEST(LinearCertificate, is_never_one_of_rows_that_a_point_satisfies) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int sample = 0; sample < 40; ++sample) {
    std::vector<double> point(5), row_lower, row_upper;
    std::vector<std::vector<double>> a(7, std::vector<double>(5));
    for (double& x : point) x = number(random);
    for (auto& row : a) {
      double value = 0;
      for (std::size_t c = 0; c < 5; ++c) value += (row[c] = number(random)) * point[c];
      row_lower.push_back(value - (sample % 2 ? 0.1 : 0));  // equations, too
      row_upper.push_back(value);
    }
    Rows rows(a, row_lower, row_upper, std::vector<double>(5, sample % 3 ? -1 : -inf), std::vector<double>(5, 1));
    auto found = of(rows);
    EXPECT_TRUE(!found || found->margin < 1e-6) << sample << " " << found->margin;
  }
}

TEST(LinearCertificate, proves_by_its_own_weights) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int sample = 0; sample < 20; ++sample) {
    std::vector<std::vector<double>> a(3, std::vector<double>(4));
    for (auto& row : a)
      for (double& x : row) x = number(random);
    for (std::size_t c = 0; c < 4; ++c) a[2][c] = a[0][c] + a[1][c];  // at most 2, but to be 4
    Rows rows(a, {-inf, -inf, 4}, {1, 1, 5}, std::vector<double>(4, -inf), std::vector<double>(4, inf));
    auto found = of(rows);
    ASSERT_TRUE(found) << sample;
    double most = found->weight[0] + found->weight[1] + 4 * found->weight[2];
    EXPECT_LT(most, 0);
    for (std::size_t c = 0; c < 4; ++c) {
      double sum = 0;
      for (std::size_t r = 0; r < 3; ++r) sum += found->weight[r] * a[r][c];
      EXPECT_NEAR(sum, 0, 1e-7);
    }
  }
}

}  // namespace
}  // namespace bolza::nlp
