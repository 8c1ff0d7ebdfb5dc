// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/engines/saddle_point.h"

#include <gtest/gtest.h>

#include "runtime/nlp/solve.h"
#include "tests/unit/nlp/small_nlp.h"

namespace bolza::nlp {
namespace {

using testing::inf;

/// ½ (a x² + b y²) with the row x + slope·y.
class Quadratic final : public Functions {
 public:
  Quadratic(double a, double b, double slope = 0) : a_(a), b_(b), slope_(slope) {
    nlp.start = {0, 0}, nlp.lower = {-inf, -inf}, nlp.upper = {inf, inf}, nlp.scale = {1, 1};
    nlp.role.assign(2, VariableRole::parameter), nlp.interval.assign(2, global);
    nlp.row_lower = {-inf}, nlp.row_upper = {inf}, nlp.row_scale = {1}, nlp.linear = {1};
    nlp.row_role.assign(1, RowRole::point), nlp.row_interval.assign(1, global);
    nlp.jacobian = {{0, 0}, {0, 1}}, nlp.constant_entries = 2;
    nlp.hessian = {{0, 1}, {0, 1}};
    nlp.functions = this;
  }
  Nlp nlp;
  void move_to(std::span<const double> w) override { x_ = w[0], y_ = w[1]; }
  bool objective(double& f) override { return f = (a_ * x_ * x_ + b_ * y_ * y_) / 2, true; }
  const double* gradient() override { return out_[0] = a_ * x_, out_[1] = b_ * y_, out_; }
  const double* constraints() override { return row_ = x_ + slope_ * y_, &row_; }
  const double* jacobian() override { return entries_[0] = 1, entries_[1] = slope_, entries_; }
  const double* hessian(double sigma, std::span<const double>) override {
    return second_[0] = sigma * a_, second_[1] = sigma * b_, second_;
  }
  const double* gauss_newton(double) override { return nullptr; }

 private:
  double a_, b_, slope_, x_ = 0, y_ = 0, row_ = 0, out_[2] = {}, entries_[2] = {}, second_[2] = {};
};

Iterate origin() { return {{0, 0}, {0}, {0, 0}, {0, 0}}; }

TEST(Curvature, tells_minima_from_saddles_and_maxima) {
  EXPECT_FALSE(curves_downwards(Quadratic(1, 2).nlp, origin()));
  EXPECT_TRUE(curves_downwards(Quadratic(1, -1).nlp, origin()));
  EXPECT_TRUE(curves_downwards(Quadratic(-1, -2).nlp, origin()));
  EXPECT_FALSE(curves_downwards(Quadratic(1, 0).nlp, origin())) << "nothing determines y";
}

TEST(Curvature, counts_along_what_equations_leave_only) {
  Quadratic held(-1, 2, 1);  // x + y = 0: along (1, -1) the curvature is a + b = 1
  held.nlp.row_lower = held.nlp.row_upper = {0};
  EXPECT_FALSE(curves_downwards(held.nlp, origin()));
  Quadratic free(-2, 1, 1);  // a + b = -1
  free.nlp.row_lower = free.nlp.row_upper = {0};
  EXPECT_TRUE(curves_downwards(free.nlp, origin()));
}

TEST(Curvature, counts_no_direction_that_an_active_bound_or_side_closes) {
  Quadratic f(1, -1);
  f.nlp.lower[1] = 0;
  Iterate at = origin();
  EXPECT_TRUE(curves_downwards(f.nlp, at)) << "a bound without a multiplier closes nothing";
  at.z_lower[1] = 1;
  EXPECT_FALSE(curves_downwards(f.nlp, at));
  Quadratic g(-1, 1);
  g.nlp.row_upper = {0};
  at = origin(), at.lambda = {1};
  EXPECT_FALSE(curves_downwards(g.nlp, at));
  g.nlp.row_upper = {5};
  at.lambda = {0};
  EXPECT_TRUE(curves_downwards(g.nlp, at)) << "the side is far";
}

TEST(Curvature, is_told_of_a_start_that_is_stationary) {
  for (const char* engine : {"ipopt", "hqp"}) {
    EngineOptions options;
    options.engine = engine;
    Quadratic saddle(1, -1), bowl(1, 1);
    saddle.nlp.lower[1] = -1, saddle.nlp.upper[1] = 1;
    Report report = solve(saddle.nlp, options);
    EXPECT_TRUE(report.is_saddle || report.objective < -0.4) << engine;
    EXPECT_FALSE(solve(bowl.nlp, options).is_saddle) << engine;
  }
  EngineOptions options;
  EXPECT_FALSE(solve(testing::Hs071().nlp, options).is_saddle);
}

}  // namespace
}  // namespace bolza::nlp
