// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/newton/damped_newton.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/nlp/formulas.h"

namespace bolza::nlp::testing {
namespace {

SecondOrder nothing(X x) { return 0 * x[1]; }

Report solved(const Formulas& formulas, double tol = 1e-10) {
  FormulaNlp functions(formulas);
  Iterate start{.w = formulas.start};
  return solve_by_newton(functions.nlp, {.engine = "newton", .tol = tol, .max_iterations = 100}, start);
}

TEST(DampedNewton, solves_a_linear_system_in_one_step) {
  Report r = solved(
      {.start = {0, 0}, .objective = nothing, .rows = [](X x) { return Rows{x[1] + 2 * x[2] == 5, 3 * x[1] - x[2] == 1}; }});
  EXPECT_EQ(r.status, Status::solved) << r.message;
  EXPECT_NEAR(r.iterate.w[0], 1, 1e-12);
  EXPECT_NEAR(r.iterate.w[1], 2, 1e-12);
  EXPECT_LE(r.iterations, 2);
}

TEST(DampedNewton, does_not_depend_on_how_rows_are_scaled) {
  auto of = [](double factor) {
    return solved({.start = {-1.2, 1}, .objective = nothing, .rows = [factor](X x) {
                     return Rows{factor * (x[2] - x[1] * x[1]) == 0, 1 - x[1] == 0};
                   }});
  };
  Report a = of(10), b = of(1e-3);
  EXPECT_EQ(a.status, Status::solved) << a.message;
  EXPECT_EQ(a.iterations, b.iterations);
  EXPECT_NEAR(a.iterate.w[1], 1, 1e-9);
  EXPECT_NEAR(b.iterate.w[1], 1, 1e-9);
}

TEST(DampedNewton, damps_where_full_steps_diverge) {
  // x / sqrt(1 + x²): from |x| > 1
  Report r = solved(
      {.start = {3}, .objective = nothing, .rows = [](X x) { return Rows{x[1] * power(1 + x[1] * x[1], -0.5) == 0}; }});
  EXPECT_EQ(r.status, Status::solved) << r.message;
  EXPECT_NEAR(r.iterate.w[0], 0, 1e-9);
}

TEST(DampedNewton, keeps_within_bounds) {
  Report r = solved({.start = {5}, .lower = {0}, .upper = {infinite}, .objective = nothing, .rows = [](X x) {
                       return Rows{log(x[1]) == -4};
                     }});
  EXPECT_EQ(r.status, Status::solved) << r.message;
  EXPECT_NEAR(r.iterate.w[0], std::exp(-4.0), 1e-9);
}

TEST(DampedNewton, takes_more_equations_than_unknowns_that_agree) {
  Report r = solved({.start = {2, 0}, .objective = nothing, .rows = [](X x) {
                       return Rows{x[1] * x[1] == 1, x[1] + x[2] == 3, x[1] * x[2] == 2};
                     }});
  EXPECT_EQ(r.status, Status::solved) << r.message;
  EXPECT_NEAR(r.iterate.w[0], 1, 1e-8);
}

TEST(DampedNewton, says_that_equations_disagree) {
  Report r = solved({.start = {0}, .objective = nothing, .rows = [](X x) { return Rows{x[1] == 1, x[1] == 2}; }});
  EXPECT_EQ(r.status, Status::infeasible);
  EXPECT_NE(r.message.find("disagree"), std::string::npos) << r.message;
}

TEST(DampedNewton, says_that_equations_are_missing) {
  Report r = solved({.start = {0, 0}, .objective = nothing, .rows = [](X x) { return Rows{x[1] + x[2] == 1}; }});
  EXPECT_EQ(r.status, Status::failed);
  EXPECT_NE(r.message.find("1 equations for 2 unknowns"), std::string::npos) << r.message;
}

TEST(DampedNewton, says_that_equations_do_not_determine_an_unknown) {
  Report r = solved(
      {.start = {0, 0}, .objective = nothing, .rows = [](X x) { return Rows{x[1] + x[2] == 1, 2 * x[1] + 2 * x[2] == 2}; }});
  EXPECT_EQ(r.status, Status::failed);
  EXPECT_NE(r.message.find("do not determine 1 of 2"), std::string::npos) << r.message;
}

TEST(DampedNewton, ends_where_there_is_no_solution) {
  Report r = solved({.start = {1}, .objective = nothing, .rows = [](X x) { return Rows{x[1] * x[1] == -1}; }});
  EXPECT_NE(r.status, Status::solved);
}

}  // namespace
}  // namespace bolza::nlp::testing
