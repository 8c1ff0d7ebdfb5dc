// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/mesh/time_points.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/unit/workflow/models.h"

namespace bolza::workflow {
namespace {

/// A problem whose right-hand side is u and that.
std::unique_ptr<Model> with_rate(const std::string& rate, const std::string& more = "") {
  return model_of(
      "optimization P(objective = x(finalTime), startTime = 0, finalTime = 100)\n  parameter Real p(free = true, "
      "start = 60);\n  parameter Real c = 7.77;\n  Real x(start = 0, fixed = true);\n  input Real u(min = 0);\n" +
      more + "equation\n  der(x) = u + " + rate + ";\nend P;\n");
}

/// What a mesh of 50 even intervals lacks.
TimePoints lacks(const std::string& rate, TimeSearch search = {}) {
  auto model = with_rate(rate);
  TimeTerms terms(model->problem, 0);
  std::vector<double> mesh;
  for (int k = 0; k <= 50; ++k) mesh.push_back(2 * k);
  search.shared = model->problem.shared_values;
  search.mesh = mesh;
  return time_points(terms, search);
}

double nearest(const std::vector<double>& points, double t) {
  double distance = INFINITY;
  for (double p : points) distance = std::min(distance, std::abs(p - t));
  return distance;
}

TEST(TimeTerms, are_what_time_and_parameters_determine) {
  auto model = with_rate("x*exp(-((time - c)/0.01)^2) + p*sin(time) + 3*time + x*time + x^2");
  TimeTerms terms(model->problem, 0);
  ASSERT_EQ(terms.size(), 2u);
  bool sine = terms.text(0).find("sin") != std::string::npos;
  EXPECT_NE(terms.text(sine ? 1 : 0).find("exp(-((time - c)/0.01)^2)"), std::string::npos) << terms.text(sine ? 1 : 0);
  EXPECT_TRUE(terms.is_free(sine ? 0 : 1));
  EXPECT_FALSE(terms.is_free(sine ? 1 : 0));
  std::vector<double> times{7.77, 7.78}, values(2);
  terms.evaluate(sine ? 1 : 0, model->problem.shared_values, times, values);
  EXPECT_DOUBLE_EQ(values[0], 1);
  EXPECT_NEAR(values[1], std::exp(-1), 1e-9);
}

TEST(TimePoints, are_none_where_cubics_follow) {
  for (const char* rate : {"1", "time^2", "sin(0.5*time)", "x*exp(-time)", "abs(x) + time*x"})
    EXPECT_TRUE(lacks(rate).add.empty()) << rate;
}

TEST(TimePoints, are_dense_at_a_pulse_and_nowhere_else) {
  TimePoints points = lacks("exp(-((time - 33.437)/0.01)^2)");
  EXPECT_LT(nearest(points.add, 33.437), 1e-6);  // its peak
  EXPECT_GE(points.add.size(), 6u);
  EXPECT_LE(points.add.size(), 30u);
  for (double t : points.add) EXPECT_NEAR(t, 33.437, 0.1);
  EXPECT_EQ(points.left, 0u);
  EXPECT_GT(points.worst, 0.5);
  EXPECT_LT(nearest(points.look_at, 33.437), 1e-6);
}

TEST(TimePoints, see_a_pulse_on_a_trend) {
  EXPECT_LT(nearest(lacks("1e6*time^2 - 0.1*exp(-((time - 33.437)/0.01)^2)").add, 33.437), 1e-6);
}

TEST(TimePoints, see_widths_of_a_hundred_thousandth) {
  EXPECT_LT(nearest(lacks("exp(-((time - 61.80339)/0.001)^2)").add, 61.80339), 1e-6);
}

TEST(TimePoints, are_jumps_to_the_last_digit) {
  TimePoints points = lacks("(if sin(0.1*time) > 0.3 then 1 else 0)");
  for (double place : {std::asin(0.3), M_PI - std::asin(0.3), 2 * M_PI + std::asin(0.3)})
    EXPECT_LT(nearest(points.add, 10 * place), 1e-12 * 100);
}

TEST(TimePoints, are_beside_kinks) {
  TimePoints points = lacks("max(0, 1 - abs(sin(0.05*time) - 0.4)/0.02)");
  for (double s : {0.38, 0.4, 0.42}) EXPECT_LT(nearest(points.add, 20 * std::asin(s)), 0.01) << s;
}

TEST(TimePoints, see_through_functions_of_time_that_have_loops) {
  auto model = model_of(
      "function f\n  input Real t;\n  output Real y;\nalgorithm\n  y := 0;\n  for i in 1:3 loop\n    if abs(t - 20.171*i) < "
      "0.02 then\n      y := 1;\n    end if;\n  end for;\nend f;\noptimization P(objective = x(finalTime), startTime = 0, "
      "finalTime = 100)\n  Real x(start = 0, fixed = true);\n  input Real u(min = 0);\nequation\n  der(x) = u + "
      "f(time);\nend "
      "P;\n");
  TimeTerms terms(model->problem, 0);
  std::vector<double> mesh{0, 50, 100};
  TimePoints points = time_points(terms, {.shared = model->problem.shared_values, .mesh = mesh});
  for (int i = 1; i <= 3; ++i) EXPECT_LT(nearest(points.add, 20.171 * i - 0.02), 1e-6);
}

TEST(TimePoints, leave_free_parameters_until_there_is_a_solution) {
  EXPECT_FALSE(lacks("exp(-((time - p)/0.01)^2)").add.empty());
  EXPECT_TRUE(lacks("exp(-((time - p)/0.01)^2)", {.leave_free = true}).add.empty());
}

TEST(TimePoints, leave_pulses_in_all_intervals_where_these_are_to_stay) {
  const char* train = "exp(-(sin(3*time)/0.05)^2)";
  TimePoints points = lacks(train, {.leave_dense = true});
  EXPECT_TRUE(points.add.empty());
  EXPECT_TRUE(points.dense);
  EXPECT_FALSE(lacks(train, {.most = 5000}).add.empty());
}

TEST(TimePoints, leave_waves_to_the_estimates) {
  TimePoints points = lacks("sin(30*time)");
  EXPECT_TRUE(points.add.empty());
  EXPECT_FALSE(points.dense);
  EXPECT_EQ(points.left, 0u);
}

TEST(TimePoints, are_so_many_at_most_and_name_what_is_left) {
  TimePoints points = lacks("exp(-(sin(60*time)/0.05)^2)", {.most = 100});
  EXPECT_LE(points.add.size(), 100u);
  EXPECT_GT(points.left, 0u);
  EXPECT_NE(points.text.find("sin(time*60)"), std::string::npos) << points.text;
  EXPECT_LE(points.look_at.size(), 2001u);
}

TEST(TimePoints, leave_out_what_is_not_finite) { EXPECT_TRUE(lacks("sqrt(-1 - time)*0").add.empty()); }

}  // namespace
}  // namespace bolza::workflow
