// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/solve.h"

#include <gtest/gtest.h>

#include "runtime/nlp/engine_table.h"
#include "runtime/nlp/reduce.h"
#include "runtime/nlp/residuals.h"
#include "runtime/nlp/scale.h"
#include "small_nlp.h"

namespace bolza::nlp {
namespace {

constexpr double optimum = 17.0140171402243;

TEST(nlp_solve, finds_the_published_optimum_with_every_engine_and_hessian) {
  for (const Engine* engine : engines())
    for (Hessian hessian : {Hessian::exact, Hessian::lbfgs}) {
      if (!engine->available() || !engine->constraints ||
          !(hessian == Hessian::exact ? engine->exact_hessian : engine->lbfgs))
        continue;
      testing::Hs071 hs;
      EngineOptions options{.engine = std::string(engine->name), .hessian = hessian};
      Report report = solve(hs.nlp, options);
      EXPECT_EQ(report.status, Status::solved);
      EXPECT_NEAR(report.objective, optimum, 1e-6);
      EXPECT_NEAR(report.iterate.w[1], 4.74299963, 1e-5);
      EXPECT_LT(report.dual_infeasibility, 1e-5);
      EXPECT_LT(report.primal_infeasibility, 1e-6);
    }
}

TEST(nlp_solve, gives_multipliers_that_are_derivatives_of_the_optimum) {
  auto best = [](auto change) {
    testing::Hs071 hs;
    change(hs.nlp);
    return solve(hs.nlp, {.tol = 1e-11});
  };
  Report report = best([](Nlp&) {});
  const double d = 1e-5;
  auto quotient = [&](auto change) {
    return (best([&](Nlp& n) { change(n, d); }).objective - best([&](Nlp& n) { change(n, -d); }).objective) / (2 * d);
  };
  // d f*/d g_U = -λ; at the active lower side of row 0 λ < 0.
  EXPECT_NEAR(report.iterate.lambda[0], -quotient([](Nlp& n, double v) { n.row_lower[0] += v; }), 1e-6);
  EXPECT_LT(report.iterate.lambda[0], 0);
  EXPECT_NEAR(report.iterate.lambda[1], -quotient([](Nlp& n, double v) { n.row_lower[1] += v, n.row_upper[1] += v; }), 1e-6);
  EXPECT_NEAR(report.iterate.z_lower[0], quotient([](Nlp& n, double v) { n.lower[0] += v; }), 1e-6);
  // the fixed variable
  EXPECT_NEAR(report.iterate.z_lower[4] - report.iterate.z_upper[4],
              quotient([](Nlp& n, double v) { n.lower[4] += v, n.upper[4] += v; }), 1e-6);
}

// What engines see does not depend on units: variables times 1000, rows and the objective by 10.
TEST(nlp_solve, measures_residuals_in_units_and_in_scales) {
  testing::Hs071 hs;
  hs.nlp.scale.assign(hs.nlp.n(), 1), hs.nlp.row_scale.assign(hs.nlp.m(), 1), hs.nlp.objective_scale = 1;
  Report plain = solve(hs.nlp, {});
  plain.iterate.w[0] += 0.01, plain.iterate.w[1] -= 0.01;
  measure_residuals(hs.nlp, plain);
  EXPECT_GT(plain.primal_infeasibility, 0.01);
  EXPECT_GT(plain.dual_infeasibility, 0.01);
  EXPECT_EQ(plain.scaled.primal, plain.primal_infeasibility);
  EXPECT_EQ(plain.scaled.dual, plain.dual_infeasibility);
  hs.nlp.scale.assign(hs.nlp.n(), 1000), hs.nlp.row_scale.assign(hs.nlp.m(), 10), hs.nlp.objective_scale = 10;
  Report scaled = plain;
  measure_residuals(hs.nlp, scaled);
  EXPECT_EQ(scaled.primal_infeasibility, plain.primal_infeasibility);
  EXPECT_EQ(scaled.dual_infeasibility, plain.dual_infeasibility);
  EXPECT_DOUBLE_EQ(scaled.scaled.primal, plain.primal_infeasibility / 10);
  EXPECT_DOUBLE_EQ(scaled.scaled.dual, plain.dual_infeasibility * 1000 / 10);
  EXPECT_DOUBLE_EQ(scaled.scaled.complementarity, plain.complementarity / 10);
}

TEST(nlp_solve, stops_when_a_row_of_fixed_variables_contradicts_them) {
  testing::Hs071 hs;
  hs.nlp.row_lower[2] = 1.5;
  EXPECT_EQ(solve(hs.nlp, {}).status, Status::infeasible);
}

TEST(nlp_solve, warm_starts_in_fewer_iterations) {
  testing::Hs071 hs;
  Report cold = solve(hs.nlp, {});
  Report warm = solve(hs.nlp, {.warm_start = true}, &cold.iterate);
  EXPECT_EQ(warm.status, Status::solved);
  EXPECT_LT(warm.iterations, cold.iterations);
  EXPECT_NEAR(warm.objective, optimum, 1e-6);
}

TEST(nlp_solve, reports_limits_and_interruption_with_the_last_iterate) {
  testing::Hs071 hs;
  Report limited = solve(hs.nlp, {.max_iterations = 2});
  EXPECT_EQ(limited.status, Status::iteration_limit);
  EXPECT_EQ(limited.iterate.w.size(), 5u);
  static bool stop;
  stop = false;
  EngineOptions options{.budget = Budget(&stop),
                        .progress = [](void*, const EngineProgress& p) { stop = p.iteration == 3; }};
  Report interrupted = solve(hs.nlp, options);
  EXPECT_EQ(interrupted.status, Status::interrupted);
  EXPECT_EQ(interrupted.iterations, 3);
  EXPECT_NE(interrupted.iterate.w[3], 1);
}

TEST(nlp_solve, reports_values_that_are_not_finite_at_the_start) {
  testing::Hs071 hs;
  hs.broken_below = true;  // the start has x4 = 1
  EXPECT_EQ(solve(hs.nlp, {}).status, Status::evaluation_error);
}

TEST(nlp_solve, steps_around_values_that_are_not_finite_on_the_way) {
  testing::Hs071 hs;
  hs.broken_below = true;
  hs.nlp.start[3] = 4;
  Report report = solve(hs.nlp, {});
  EXPECT_EQ(report.status, Status::solved);
  EXPECT_NEAR(report.objective, optimum, 1e-6);
  EXPECT_GT(hs.refused, 0);
}

TEST(nlp_options, name_what_is_wrong_and_a_near_match) {
  testing::Hs071 hs;
  EXPECT_NE(solve(hs.nlp, {.engine_options = {{"mu_stratgy", "adaptive"}}}).message.find("did you mean `mu_strategy`"),
            std::string::npos);
  EXPECT_NE(solve(hs.nlp, {.engine_options = {{"mu_strategy", "fast"}}}).message.find("not one of its settings"),
            std::string::npos);
  EXPECT_NE(solve(hs.nlp, {.engine_options = {{"max_iter", "1.5"}}}).message.find("an integer is expected"),
            std::string::npos);
  EXPECT_EQ(solve(hs.nlp, {.engine = "ipotp"}).status, Status::bad_option);
  EXPECT_EQ(solve(hs.nlp, {.hessian = Hessian::gauss_newton}).status, Status::bad_option);
}

TEST(nlp_options, of_the_user_win_over_ours) {
  testing::Hs071 hs;
  EXPECT_EQ(solve(hs.nlp, {.engine_options = {{"max_iter", "1"}}}).status, Status::iteration_limit);
}

TEST(nlp_reduce, removes_fixed_variables_and_empty_rows_and_keeps_entries_in_order) {
  testing::Hs071 hs;
  Reduced r = reduce(hs.nlp);
  EXPECT_EQ(r.nlp.n(), 4u);
  EXPECT_EQ(r.nlp.m(), 2u);
  EXPECT_EQ(r.nlp.jacobian.size(), 8u);
  EXPECT_EQ(r.nlp.hessian.size(), 10u);
  EXPECT_EQ(r.nlp.constant_entries, 0u);
  EXPECT_EQ(r.dropped, std::vector<std::int32_t>{2});
  std::vector<double> w{2, 3, 4, 5};
  r.nlp.functions->move_to(w);
  EXPECT_EQ(r.nlp.functions->constraints()[0], 120);
  EXPECT_EQ(r.nlp.functions->gradient()[3], 18);
}

/// min (x − 3)² + x y + y²/2 subject to y − x = 0: x = 1.2, the multiplier −2.4.
class EqualPair final : public Functions {
 public:
  EqualPair() {
    nlp.start = {0.5, -4}, nlp.lower = {-10, -testing::inf}, nlp.upper = {10, testing::inf}, nlp.scale = {1, 7};
    nlp.role.assign(2, VariableRole::parameter), nlp.interval.assign(2, global);
    nlp.row_lower = nlp.row_upper = {0}, nlp.row_scale = {1};
    nlp.row_role = {RowRole::point}, nlp.row_interval = {global}, nlp.linear = {1};
    nlp.jacobian = {{0, 0}, {0, 1}}, nlp.constant_entries = 2;
    nlp.hessian = {{0, 1, 1}, {0, 0, 1}};
    nlp.functions = this;
  }
  Nlp nlp;
  void move_to(std::span<const double> w) override { x = w[0], y = w[1]; }
  bool objective(double& f) override { return f = (x - 3) * (x - 3) + x * y + y * y / 2, true; }
  const double* gradient() override { return g[0] = 2 * (x - 3) + y, g[1] = x + y, g; }
  const double* constraints() override { return row = y - x, &row; }
  const double* jacobian() override { return entries; }
  const double* hessian(double sigma, std::span<const double>) override { return h[0] = 2 * sigma, h[1] = h[2] = sigma, h; }
  const double* gauss_newton(double) override { return nullptr; }

 private:
  double x = 0, y = 0, g[2] = {}, h[3] = {}, row = 0;
  double entries[2] = {-1, 1};
};

TEST(nlp_reduce, puts_one_variable_in_the_place_of_an_equal_one) {
  for (bool said : {false, true})
    for (const char* engine : {"ipopt", "hqp"}) {
      EqualPair pair;
      if (said) pair.nlp.equal = {{1, 0, 0}};
      Report report = solve(pair.nlp, {.engine = engine});
      ASSERT_EQ(report.status, Status::solved) << engine;
      EXPECT_NEAR(report.iterate.w[0], 1.2, 1e-7) << engine;
      EXPECT_NEAR(report.iterate.w[1], 1.2, 1e-7) << engine;
      EXPECT_NEAR(report.iterate.lambda[0], -2.4, 1e-6) << engine;
    }
  EqualPair pair;
  pair.nlp.equal = {{1, 0, 0}};
  Reduced r = reduce(pair.nlp);
  EXPECT_EQ(r.nlp.n(), 1u);
  EXPECT_EQ(r.nlp.m(), 0u);
  std::vector<double> w{2};
  r.nlp.functions->move_to(w);
  EXPECT_EQ(r.nlp.functions->gradient()[0], 4);  // 2 (x − 3) + 3 x
  const double* h = r.nlp.functions->hessian(1, {});
  double sum = 0;
  for (std::size_t k = 0; k < r.nlp.hessian.size(); ++k) sum += h[k];
  EXPECT_EQ(sum, 5);
}

TEST(nlp_reduce, fixes_what_equals_a_fixed_variable) {
  EqualPair pair;
  pair.nlp.equal = {{1, 0, 0}}, pair.nlp.lower[0] = pair.nlp.upper[0] = 2;
  Report report = solve(pair.nlp, {});
  ASSERT_EQ(report.status, Status::solved);
  EXPECT_EQ(report.iterate.w[1], 2);
  EXPECT_NEAR(report.iterate.lambda[0], -4, 1e-12);
  EXPECT_NEAR(report.iterate.z_lower[0] - report.iterate.z_upper[0], 4, 1e-12);
}

TEST(nlp_scale, changes_a_point_by_rounding_alone) {
  testing::Hs071 hs;
  Scaled s = scale(hs.nlp);
  Iterate it{{1.1, 2.3, 3.7, 1.9, 1}, {0.3, -0.7, 0}, {1, 2, 3, 4, 5}, {0, 0, 0, 0, 0}};
  Iterate back = to_physical(s, to_scaled(s, it));
  for (std::size_t k = 0; k < it.w.size(); ++k) EXPECT_DOUBLE_EQ(back.w[k], it.w[k]);
  for (std::size_t k = 0; k < it.lambda.size(); ++k) EXPECT_DOUBLE_EQ(back.lambda[k], it.lambda[k]);
  for (std::size_t k = 0; k < it.z_lower.size(); ++k) EXPECT_DOUBLE_EQ(back.z_lower[k], it.z_lower[k]);
  std::vector<double> scaled = to_scaled(s, it).w;
  s.nlp.functions->move_to(scaled);
  hs.move_to(it.w);
  EXPECT_DOUBLE_EQ(s.nlp.functions->constraints()[0] * s.row[0], hs.constraints()[0]);
}

TEST(nlp_scale, makes_the_same_iterates_of_the_same_problem_in_other_units) {
  testing::Hs071 hs;
  Scaled s = scale(hs.nlp);
  std::vector<double> factor{1e6, 1e-6, 30, 7, 0.3};
  Nlp other = hs.nlp;
  for (std::size_t k = 0; k < factor.size(); ++k)
    other.scale[k] *= factor[k], other.start[k] *= factor[k], other.lower[k] *= factor[k], other.upper[k] *= factor[k];
  Scaled in_other_units = scale(other);
  for (std::size_t k = 0; k < factor.size(); ++k) {
    EXPECT_NEAR(in_other_units.nlp.start[k] / s.nlp.start[k], 1, 1e-15);
    EXPECT_NEAR(in_other_units.nlp.upper[k] / s.nlp.upper[k], 1, 1e-15);
  }
}

}  // namespace
}  // namespace bolza::nlp
