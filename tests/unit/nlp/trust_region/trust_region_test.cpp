// SPDX-License-Identifier: Apache-2.0
// Pieces of the trust-region engine: exact subproblems, steps between bounds, secant updates.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "runtime/nlp/solve.h"
#include "runtime/nlp/trust_region/bounded_step.h"
#include "runtime/nlp/trust_region/curvature.h"
#include "tests/unit/nlp/formulas.h"

namespace bolza::nlp::testing {
namespace {

/// [n × n] symmetric with these eigenvalues.
Eigen::MatrixXd with_eigenvalues(const Eigen::VectorXd& values) {
  Eigen::MatrixXd random = Eigen::MatrixXd::Random(values.size(), values.size());
  Eigen::MatrixXd Q = Eigen::HouseholderQR<Eigen::MatrixXd>(random).householderQ();
  return Q * values.asDiagonal() * Q.transpose();
}

/// What characterises a global solution: (M + μ) s = −g, M + μ semidefinite, μ >= 0, μ (radius − |s|) = 0 [NW, theorem 4.1].
void expect_global(const Eigen::MatrixXd& M, const Eigen::VectorXd& g, double radius) {
  TrustRegionSubproblem problem;
  Eigen::VectorXd s;
  ASSERT_TRUE(problem.set_matrix(M));
  problem.solve(g, radius, s);
  EXPECT_LE(s.norm(), radius * (1 + 1e-10));
  double shift = s.norm() > 0 ? -(M * s + g).dot(s) / s.squaredNorm() : 0, size = M.norm() + g.norm();
  EXPECT_LE((M * s + shift * s + g).norm(), 1e-8 * size);
  EXPECT_GE(shift, -1e-9 * size);
  EXPECT_GE(problem.smallest_eigenvalue() + shift, -1e-9 * size);
  if (shift > 1e-7 * size) {
    EXPECT_NEAR(s.norm(), radius, 1e-8 * radius);
  }
}

TEST(TrustRegionSubproblem, is_solved_exactly_with_any_curvature) {
  std::srand(3);
  for (int n : {1, 2, 5, 20})
    for (double radius : {1e-3, 1.0, 1e3})
      for (double lowest : {1.0, 1e-9, 0.0, -2.0}) {
        Eigen::VectorXd values = Eigen::VectorXd::LinSpaced(n, lowest, 10);
        if (n == 1) values[0] = lowest;
        expect_global(with_eigenvalues(values), Eigen::VectorXd::Random(n), radius);
      }
}

TEST(TrustRegionSubproblem, goes_along_the_lowest_eigenvector_in_the_hard_case) {
  Eigen::MatrixXd M = Eigen::Vector3d(-1, 2, 3).asDiagonal();
  expect_global(M, Eigen::Vector3d(0, 1, 1), 5);
  expect_global(M, Eigen::Vector3d::Zero(), 5);
  TrustRegionSubproblem problem;
  Eigen::VectorXd s;
  problem.set_matrix(M);
  problem.solve(Eigen::Vector3d(0, 1, 1), 5, s);
  EXPECT_NEAR(std::abs(s[0]), std::sqrt(25 - 1.0 / 9 - 1.0 / 16), 1e-12);  // (M + 1) s = −g in the others
}

TEST(TrustRegionSubproblem, takes_the_shortest_step_where_a_direction_does_not_matter) {
  TrustRegionSubproblem problem;
  Eigen::VectorXd s;
  problem.set_matrix((Eigen::Matrix2d() << 1, 1, 1, 1).finished());
  problem.solve(Eigen::Vector2d(1, 1), 10, s);
  EXPECT_NEAR((s - Eigen::Vector2d(-0.5, -0.5)).norm(), 0, 1e-12);
}

TEST(BoundedStep, stays_between_bounds_and_is_no_worse_than_the_scaled_gradient) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + trial % 6;
    Eigen::VectorXd w(n), lower(n), upper(n), g(n), values(n), step;
    for (int i = 0; i < n; ++i) {
      w[i] = unit(random), g[i] = 4 * unit(random) - 2, values[i] = 6 * unit(random) - 2;
      lower[i] = unit(random) < 0.2 ? -infinite : w[i] - std::pow(unit(random), 4) - 1e-6;
      upper[i] = unit(random) < 0.2 ? infinite : w[i] + std::pow(unit(random), 4) + 1e-6;
    }
    AffineScaling scaling;
    scaling.set(w, g, with_eigenvalues(values), lower, upper);
    BoundedStep bounded;
    double radius = std::pow(10, 3 * unit(random) - 2);
    ASSERT_TRUE(bounded.compute(scaling, lower - w, upper - w, radius, 0.95, step));
    EXPECT_TRUE(((w + step).array() > lower.array()).all() && ((w + step).array() < upper.array()).all());
    EXPECT_LE(bounded.scaled().norm(), radius * (1 + 1e-10));
    EXPECT_NEAR(bounded.predicted(), scaling.model(bounded.scaled()), 1e-12);
    double length = radius / scaling.gradient.norm();  // along −gradient, cut at the bounds
    for (int i = 0; i < n; ++i) {
      double moved = -scaling.d[i] * scaling.gradient[i];
      if (moved != 0) length = std::min(length, 0.95 * (moved > 0 ? upper[i] - w[i] : lower[i] - w[i]) / moved);
    }
    for (double share : {1.0, 0.5, 0.1})
      EXPECT_LE(bounded.predicted(), scaling.model(-share * length * scaling.gradient) + 1e-12);
  }
}

TEST(Curvature, holds_the_secant_equation_after_a_structured_update) {
  FormulaNlp problem({.start = {0.5, 2}, .residuals = [](X x) -> Residuals {
                        return {-13 + x[1] + ((5 - x[2]) * x[2] - 2) * x[2], -29 + x[1] + ((x[2] + 1) * x[2] - 14) * x[2]};
                      }});
  Curvature curvature(problem.nlp, Hessian::gauss_newton, HybridRule::structured, 0.8);
  auto gradient_at = [&](Eigen::Vector2d w) {
    problem.move_to({w.data(), 2});
    return Eigen::Vector2d(problem.gradient()[0], problem.gradient()[1]);
  };
  Eigen::Vector2d from(0.5, 2), to(0.7, 2.1), g = gradient_at(from);
  ASSERT_TRUE(curvature.start());
  Eigen::Vector2d s = to - from, y = gradient_at(to) - g;
  ASSERT_TRUE(curvature.advance(s, y));
  // a change of the objective as no Gauss-Newton model predicts it: the other one is taken
  double plain = g.dot(s) + 0.5 * s.dot(curvature.matrix() * s);
  Eigen::Matrix2d gauss_newton = curvature.matrix();
  curvature.judge(s, g, plain + 0.5 * s.dot(y - gauss_newton * s), false, true);
  EXPECT_GT((curvature.matrix() - gauss_newton).norm(), 1);
  EXPECT_LE((curvature.matrix() * s - y).norm(), 1e-10 * y.norm());
  EXPECT_LE((curvature.matrix() - curvature.matrix().transpose()).norm(), 1e-10);
  EXPECT_TRUE(curvature.forget());
  EXPECT_EQ((curvature.matrix() - gauss_newton).norm(), 0);
}

/// At the optimum, 0, Gauss and Newton's matrix is 4 and the Hessian 4 (1 - 0.9): their own steps shorten the distance by a
/// factor of 0.9 each, 175 for a tolerance of 1e-8.
TEST(TrustRegion, converges_faster_with_what_gauss_newton_matrices_lack) {
  Formulas formulas{.start = {1}, .residuals = [](X x) -> Residuals { return {x[1] + 1, 0.9 * square(x[1]) + x[1] - 1}; }};
  auto iterations = [&](const char* rule) {
    FormulaNlp problem(formulas);
    Report report = solve(
        problem.nlp, {.engine = "trust-region", .hessian = Hessian::gauss_newton, .engine_options = {{"hybrid", rule}}});
    EXPECT_EQ(report.status, Status::solved) << rule;
    return report.iterations;
  };
  EXPECT_GT(iterations("none"), 100);
  EXPECT_LT(iterations("fraction"), 60);  // it looks at 25 steps before it switches
  EXPECT_LT(iterations("structured"), 15);
}

TEST(TrustRegion, puts_variables_onto_the_bounds_that_hold_them) {
  FormulaNlp problem({.start = {0.5, 0.5, 0.5}, .lower = {0, 0, 0}, .upper = {1, 1, 1}, .residuals = [](X x) -> Residuals {
                        return {x[1] + 1, x[2] - 3, x[3] - 0.25};
                      }});
  Report report = solve(problem.nlp, {.engine = "trust-region", .hessian = Hessian::gauss_newton});
  EXPECT_EQ(report.iterate.w[0], 0);
  EXPECT_EQ(report.iterate.w[1], 1);
  EXPECT_NEAR(report.iterate.w[2], 0.25, 1e-8);
}

/// A gradient with errors of 1e-6, as integrators leave them.
class WithErrors final : public Functions {
 public:
  explicit WithErrors(FormulaNlp& exact) : exact_(exact), gradient_(exact.nlp.n()) {}
  void move_to(std::span<const double> w) override { at_ = w[0], exact_.move_to(w); }
  bool objective(double& f) override { return exact_.objective(f); }
  const double* gradient() override {
    const double* g = exact_.gradient();
    for (std::size_t v = 0; v < gradient_.size(); ++v) gradient_[v] = g[v] + 1e-6 * (1 + std::sin(1e9 * at_));
    return gradient_.data();
  }
  const double* constraints() override { return exact_.constraints(); }
  const double* jacobian() override { return exact_.jacobian(); }
  const double* hessian(double sigma, std::span<const double> lambda) override { return exact_.hessian(sigma, lambda); }
  const double* gauss_newton(double sigma) override { return exact_.gauss_newton(sigma); }

 private:
  FormulaNlp& exact_;
  std::vector<double> gradient_;
  double at_ = 0;
};

TEST(TrustRegion, ends_where_errors_of_the_gradient_are_larger_than_the_tolerance) {
  FormulaNlp exact({.start = {3, 2}, .objective = [](X x) { return 1e3 + square(x[1] - 1) + square(square(x[2]) + x[1]); }});
  for (Hessian hessian : {Hessian::exact, Hessian::lbfgs}) {
    WithErrors errors(exact);
    Nlp nlp = exact.nlp;
    nlp.functions = &errors;
    Report report = solve(nlp, {.engine = "trust-region", .hessian = hessian});
    EXPECT_TRUE(is_solution(report.status)) << report.message;
    EXPECT_LT(report.iterations, 100);
    EXPECT_NEAR(report.objective, 1e3 + 0.5, 1e-9);  // x = (1/2, 0)
  }
}

}  // namespace
}  // namespace bolza::nlp::testing
