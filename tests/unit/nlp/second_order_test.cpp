// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/nlp/second_order.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/unit/nlp/hock_schittkowski/hock_schittkowski.h"

namespace bolza::nlp::testing {
namespace {

/// Every operation, without a value where it is not smooth for positive x.
SecondOrder all_operations(X x) {
  SecondOrder a = square(x[1]) * x[2] - x[3] / (x[1] + 2), b = power(x[2], 3) + power(x[3], -0.7) - 1.5 * x[1];
  SecondOrder c = sin(a) * cos(b) + exp(0.3 * a) - log(x[1] * x[3]) + sqrt(x[2] + x[3]);
  c += normal_distribution(a - b) / 3;
  return -c + 2 * b;
}

std::vector<double> near(const std::vector<double>& w, double relative, std::mt19937& random) {
  std::uniform_real_distribution<double> part(-relative, relative);
  std::vector<double> moved = w;
  for (double& x : moved) x += part(random) * std::max(1.0, std::abs(x));
  return moved;
}

std::vector<double> copied(const double* values, std::size_t count) { return {values, values + count}; }

/// The gradient of the Lagrangian sigma f + lambda' g; empty where a value is not finite.
std::vector<double> slope_of(FormulaNlp& problem, double sigma, const std::vector<double>& lambda) {
  const double* df = problem.gradient();
  if (!df || !problem.jacobian()) return {};
  std::vector<double> slope = copied(df, problem.nlp.n());
  for (double& s : slope) s *= sigma;
  const double* dg = problem.jacobian();
  for (std::size_t k = 0; k < problem.nlp.jacobian.size(); ++k)
    slope[static_cast<std::size_t>(problem.nlp.jacobian.col[k])] +=
        lambda[static_cast<std::size_t>(problem.nlp.jacobian.row[k])] * dg[k];
  return slope;
}

double lagrangian(FormulaNlp& problem, double sigma, const std::vector<double>& lambda) {
  double f = 0;
  if (!problem.objective(f) || !problem.constraints()) return NAN;
  double sum = sigma * f;
  for (std::size_t r = 0; r < lambda.size(); ++r) sum += lambda[r] * problem.constraints()[r];
  return sum;
}

std::vector<double> times_matrix(const Pattern& pattern, const double* entries, const std::vector<double>& d) {
  std::vector<double> product(d.size(), 0.0);
  for (std::size_t k = 0; k < pattern.size(); ++k) {
    auto i = static_cast<std::size_t>(pattern.row[k]), j = static_cast<std::size_t>(pattern.col[k]);
    product[i] += entries[k] * d[j];
    if (i != j) product[j] += entries[k] * d[i];
  }
  return product;
}

TEST(SecondOrder, has_the_derivatives_of_difference_quotients) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<double> w = near({1.3, 1.2, 1.1}, 0.3, random);
    SecondOrder f = all_operations(Variables(w));
    for (int i = 0; i < 3; ++i) {
      // central quotients: of order 1e-10 by h², and 1e-16 / h by rounding
      const double h = 1e-5;
      auto moved = [&](double by) {
        std::vector<double> to = w;
        to[static_cast<std::size_t>(i)] += by;
        return all_operations(Variables(to));
      };
      SecondOrder ahead = moved(h), behind = moved(-h);
      EXPECT_NEAR(f.derivative(i), (ahead.value() - behind.value()) / (2 * h), 1e-7) << "variable " << i;
      for (int j = 0; j < 3; ++j)
        EXPECT_NEAR(f.derivative(i, j), (ahead.derivative(j) - behind.derivative(j)) / (2 * h), 1e-6) << i << ", " << j;
    }
  }
}

TEST(SecondOrder, knows_which_variables_an_expression_depends_on) {
  Variables x(std::vector<double>{0, 0, 0, 0});
  SecondOrder f = 3 * x[1] - x[2] * x[4] + 2;
  EXPECT_EQ(f.variables(), 0b1011u);
  EXPECT_EQ(f.nonlinear(), 0b1010u);
  EXPECT_EQ((x[3] / 2 - 1).nonlinear(), 0u);
  EXPECT_EQ(sin(x[3]).nonlinear(), 0b100u);
}

TEST(SecondOrder, stays_not_finite) {
  Variables x(std::vector<double>{-1});
  EXPECT_FALSE(std::isfinite((2 + log(x[1])).value()));
  EXPECT_FALSE(std::isfinite((1 / (x[1] + 1)).value()));
}

TEST(FormulaNlp, gives_derivatives_of_every_example_that_are_those_of_difference_quotients) {
  std::mt19937 random(2);
  for (const HockSchittkowski& hs : hock_schittkowski()) {
    SCOPED_TRACE("HS" + std::to_string(hs.number));
    FormulaNlp problem(hs.formulas);
    std::vector<double> at = near(hs.formulas.start, 0.02, random), lambda = near(filled(problem.nlp.m(), 1), 0.9, random);
    for (std::size_t v = 0; v < at.size(); ++v) at[v] = std::clamp(at[v], problem.nlp.lower[v], problem.nlp.upper[v]);
    std::vector<double> direction = near(filled(at.size(), 0), 1, random), ahead = at, behind = at;
    const double h = 1e-6;
    for (std::size_t v = 0; v < at.size(); ++v) {
      direction[v] *= std::max(1e-3, std::abs(at[v]));
      ahead[v] += h * direction[v], behind[v] -= h * direction[v];
    }
    problem.move_to(ahead);
    double value_ahead = lagrangian(problem, 0.7, lambda);
    std::vector<double> slope_ahead = slope_of(problem, 0.7, lambda);
    problem.move_to(behind);
    double value_behind = lagrangian(problem, 0.7, lambda);
    std::vector<double> slope_behind = slope_of(problem, 0.7, lambda);
    problem.move_to(at);
    std::vector<double> slope = slope_of(problem, 0.7, lambda);
    ASSERT_EQ(slope.size(), at.size());
    double along = 0, size = std::abs(lagrangian(problem, 0.7, lambda));
    for (std::size_t v = 0; v < at.size(); ++v)
      along += slope[v] * direction[v], size = std::max(size, std::abs(slope[v] * direction[v]));
    // rounding: 1e-16 / h of what is subtracted
    EXPECT_NEAR(along, (value_ahead - value_behind) / (2 * h), 1e-7 * std::max(1.0, size));
    std::vector<double> second = times_matrix(problem.nlp.hessian, problem.hessian(0.7, lambda), direction);
    double steepest = 1;
    for (double s : slope) steepest = std::max(steepest, std::abs(s));
    for (std::size_t v = 0; v < at.size(); ++v)
      EXPECT_NEAR(second[v], (slope_ahead[v] - slope_behind[v]) / (2 * h), 1e-6 * std::max(steepest, std::abs(second[v])));
  }
}

TEST(FormulaNlp, has_the_hessian_as_gauss_newton_matrix_where_residuals_are_linear) {
  FormulaNlp problem({.start = {1, 2}, .residuals = [](X x) -> Residuals { return {x[1] - 3 * x[2], 2 * x[2] + 1}; }});
  std::vector<double> exact = copied(problem.hessian(0.5, {}), 3), product = copied(problem.gauss_newton(0.5), 3);
  EXPECT_EQ(exact, product);
  EXPECT_EQ(exact, (std::vector<double>{1, -3, 13}));
}

TEST(FormulaNlp, counts_evaluations_once_a_point) {
  FormulaNlp problem({.start = {1, 2}, .objective = [](X x) { return x[1] * x[2]; }});
  double f = 0;
  for (double w : {1.0, 1.0, 2.0}) {
    problem.move_to(std::vector<double>{w, w});
    problem.objective(f), problem.objective(f), problem.gradient();
  }
  EXPECT_EQ(f, 4);
  EXPECT_EQ(problem.evaluations.objective, 2);
  EXPECT_EQ(problem.evaluations.gradient, 2);
  EXPECT_EQ(problem.evaluations.constraints, 0);
}

/// Whether the statement was copied right: the printed point has the printed value and satisfies the constraints.
TEST(HockSchittkowski, has_printed_points_that_are_feasible_and_have_the_printed_values) {
  int points = 0;
  for (const HockSchittkowski& hs : hock_schittkowski()) {
    if (hs.point.empty()) continue;
    ++points;
    SCOPED_TRACE("HS" + std::to_string(hs.number));
    FormulaNlp problem(hs.formulas);
    problem.move_to(hs.point);
    double f = 0;
    ASSERT_TRUE(problem.objective(f));
    // points are printed with seven digits or more
    EXPECT_NEAR(f, hs.optimum, 1e-5 * std::max(1.0, std::abs(hs.optimum)));
    for (std::size_t r = 0; r < problem.nlp.m(); ++r) {
      double g = problem.constraints()[r], size = std::max(1.0, std::abs(g));
      for (std::size_t k = 0; k < problem.nlp.jacobian.size(); ++k)
        if (problem.nlp.jacobian.row[k] == static_cast<std::int32_t>(r))
          size = std::max(size,
                          std::abs(problem.jacobian()[k] * hs.point[static_cast<std::size_t>(problem.nlp.jacobian.col[k])]));
      EXPECT_GE(g, problem.nlp.row_lower[r] - 1e-5 * size) << "row " << r;
      EXPECT_LE(g, problem.nlp.row_upper[r] + 1e-5 * size) << "row " << r;
    }
  }
  EXPECT_GE(points, 50);
}

}  // namespace
}  // namespace bolza::nlp::testing
