// SPDX-License-Identifier: Apache-2.0
// What every engine makes of problems that have no solution, or one that is hard to see.
#include <cmath>

#include "runtime/nlp/solve.h"
#include "tests/unit/nlp/conformance/cases.h"
#include "tests/unit/nlp/conformance/engines_fixture.h"
#include "tests/unit/nlp/conformance/kkt.h"

namespace bolza::nlp::testing {
namespace {

struct Outcome {
  std::string_view topic;
  Formulas formulas;
  std::vector<double> optima;  ///< values at minima, the best first
};

EngineOptions quick(const EngineCase& the_case) {
  EngineOptions options = the_case.options();
  options.max_iterations = 300;
  return options;
}

/// Solves each and compares with its optima.
void expect_solved(const std::vector<Outcome>& outcomes) {
  for (const Outcome& outcome : outcomes)
    for (const EngineCase& the_case : cases_for(FormulaNlp(outcome.formulas).nlp)) {
      FormulaNlp problem(outcome.formulas);
      Report report = solve(problem.nlp, quick(the_case));
      judge(the_case, outcome.topic, complaint_about(problem, the_case, report, outcome.optima));
    }
}

/// Solves each and expects the status, with an iterate all the same.
void expect_status(const std::vector<Outcome>& outcomes, Status status) {
  for (const Outcome& outcome : outcomes)
    for (const EngineCase& the_case : cases_for(FormulaNlp(outcome.formulas).nlp)) {
      FormulaNlp problem(outcome.formulas);
      Report report = solve(problem.nlp, quick(the_case));
      std::string complaint = wrong_lengths(problem.nlp, report);
      if (report.status != status)
        complaint += std::string(name_of(report.status)) + " instead of " + name_of(status) + ": " + report.message;
      else if (report.message.empty()) complaint += "no message";
      judge(the_case, outcome.topic, complaint);
    }
}

Residuals distance_from_origin(X x) {
  Residuals r;
  for (int i = 1; i <= x.size(); ++i) r.push_back(x[i]);
  return r;
}

TEST_F(NlpEngines, say_so_when_constraints_contradict_each_other) {
  expect_status({{"infeasible: two linear rows",
                  {.start = {0, 0},
                   .rows = [](X x) -> Rows { return {x[1] + x[2] >= 3, x[1] + x[2] <= 1}; },
                   .residuals = distance_from_origin}},
                 {"infeasible: a linear row and bounds",
                  {.start = {0.5, 0.5},
                   .lower = {0, 0},
                   .upper = {1, 1},
                   .rows = [](X x) -> Rows { return {x[1] + x[2] >= 3}; },
                   .residuals = distance_from_origin}},
                 {"infeasible: linear equations",
                  {.start = {0, 0, 0},
                   .rows = [](X x) -> Rows { return {x[1] + x[2] == 1, x[1] + x[2] == 2}; },
                   .residuals = distance_from_origin}},
                 {"infeasible: a circle and a half plane",
                  {.start = {0, 0},
                   .rows = [](X x) -> Rows { return {square(x[1]) + square(x[2]) <= 1, x[1] + x[2] >= 3}; },
                   .residuals = distance_from_origin}},
                 {"infeasible: an equation without a real solution",
                  {.start = {1, 1},
                   .rows = [](X x) -> Rows { return {square(x[1]) + square(x[2] - 2) + 1 == 0}; },
                   .residuals = distance_from_origin}}},
                Status::infeasible);
}

TEST_F(NlpEngines, say_so_when_the_objective_has_no_lower_bound) {
  expect_status({{"unbounded: linear",
                  {.start = {0, 0},
                   .objective = [](X x) { return -x[1] - x[2]; },
                   .rows = [](X x) -> Rows { return {x[1] - x[2] == 0}; }}},
                 {"unbounded: quadratic",
                  {.start = {1, 1}, .lower = {0, 0}, .objective = [](X x) { return -square(x[1]) + square(x[2] - 3); }}},
                 {"unbounded: along a curve",
                  {.start = {1, 1},
                   .objective = [](X x) { return -x[2]; },
                   .rows = [](X x) -> Rows { return {x[2] - square(x[1]) == 0}; }}}},
                Status::diverging);
}

TEST_F(NlpEngines, solve_where_constraints_depend_on_each_other) {
  auto corner = [](X x) -> Residuals { return {x[1] - 3, x[2] - 2}; };
  expect_solved({{"degenerate: three rows in a corner of the plane",
                  {.start = {0, 0},
                   .lower = {0, 0},
                   .rows = [](X x) -> Rows {
                     return {x[1] + x[2] <= 2, 2 * x[1] + 2 * x[2] <= 4, x[1] <= 1, square(x[1]) + x[2] <= 2};
                   },
                   .residuals = corner},
                  {5}},
                 {"degenerate: a linear program that cycles",
                  {.start = {0, 0, 0, 0},
                   .lower = filled(4, 0),
                   .objective = [](X x) { return -0.75 * x[1] + 150 * x[2] - 0.02 * x[3] + 6 * x[4]; },
                   .rows = [](X x) -> Rows {
                     return {0.25 * x[1] - 60 * x[2] - 0.04 * x[3] + 9 * x[4] <= 0,
                             0.5 * x[1] - 90 * x[2] - 0.02 * x[3] + 3 * x[4] <= 0, x[3] <= 1};
                   }},
                  {-0.05}},
                 {"degenerate: complementary variables",
                  {.start = {0.6, 0.3},
                   .lower = {0, 0},
                   .rows = [](X x) -> Rows { return {x[1] * x[2] <= 0}; },
                   .residuals = [](X x) -> Residuals { return {x[1] - 1, x[2] - 0.5}; }},
                  {0.25, 1}},
                 {"degenerate: a multiplier of zero at an active bound",
                  {.start = {2, 2}, .lower = {1, 0}, .residuals = [](X x) -> Residuals { return {x[1] - 1, x[2] - 1}; }},
                  {0}}});
}

TEST_F(NlpEngines, solve_where_the_jacobian_of_the_equations_lacks_rank) {
  expect_solved({{"rank: a linear row twice",
                  {.start = {0, 0, 0},
                   .rows = [](X x) -> Rows { return {x[1] + x[2] + x[3] == 3, x[1] + x[2] + x[3] == 3}; },
                   .residuals = distance_from_origin},
                  {3}},
                 {"rank: a row that is the sum of two others",
                  {.start = {2, 0, 0, 1},
                   .rows = [](X x) -> Rows { return {x[1] + x[2] == 2, x[3] + x[4] == 2, x[1] + x[2] + x[3] + x[4] == 4}; },
                   .residuals = distance_from_origin},
                  {4}},
                 {"rank: a nonlinear row twice",
                  {.start = {2, 1},
                   .rows = [](X x) -> Rows { return {x[1] * x[2] == 1, 2 * x[1] * x[2] == 2}; },
                   .residuals = distance_from_origin},
                  {2}},
                 {"rank: a row whose gradient is zero at the start",
                  {.start = {0, 0, 1},
                   .rows = [](X x) -> Rows { return {square(x[1]) + x[1] * x[2] + square(x[3] - 1) == 0}; },
                   .residuals = [](X x) -> Residuals { return {x[1] - 1, x[2], x[3] - 1}; }},
                  {0.5}}});
}

TEST_F(NlpEngines, tell_more_equations_than_variables_that_agree_from_those_that_do_not) {
  auto rows = [](double last) {
    return [last](X x) -> Rows { return {x[1] + x[2] == 2, x[1] - x[2] == 0, x[1] * x[2] == last}; };
  };
  expect_solved(
      {{"rank: more equations than variables", {.start = {0, 0}, .rows = rows(1), .residuals = distance_from_origin}, {2}}});
  expect_status(
      {{"infeasible: more equations than variables", {.start = {0, 0}, .rows = rows(2), .residuals = distance_from_origin}}},
      Status::infeasible);
}

/// With y = x / size: min (y1² - 16)²/144 + (y2 - 3)² + (y1 y3 - 6)², y1 + y2 <= 4, y2 <= 1; the row and the objective are
/// multiplied. Optimum y = (3, 1, 2).
Formulas in_other_units(std::array<double, 3> size, double row, double objective) {
  return {.start = {0.5 * size[0], 2 * size[1], size[2]},
          .lower = {0, 0, -infinite},
          .upper = {10 * size[0], size[1], infinite},
          .rows = [=](X x) -> Rows { return {row * (x[1] / size[0] + x[2] / size[1]) <= 4 * row}; },
          .residuals = [=](X x) -> Residuals {
            SecondOrder y1 = x[1] / size[0], y2 = x[2] / size[1], y3 = x[3] / size[2];
            double factor = std::sqrt(objective);
            return {factor / 12 * (square(y1) - 16), factor * (y2 - 3), factor * (y1 * y3 - 6)};
          }};
}

TEST_F(NlpEngines, give_the_same_solution_in_other_units) {
  struct Units {
    std::string_view topic;
    std::array<double, 3> variable;
    double row, objective;
  };
  for (Units units :
       {Units{"scales: large and small variables", {1e8, 1e-8, 1}, 1, 1}, Units{"scales: a large row", {1, 1, 1}, 1e8, 1},
        Units{"scales: a small row", {1, 1, 1}, 1e-8, 1}, Units{"scales: a large objective", {1, 1, 1}, 1, 1e8},
        Units{"scales: a small objective", {1, 1, 1}, 1, 1e-8}, Units{"scales: all", {1e-8, 1, 1e8}, 1e8, 1e-8}})
    for (const EngineCase& the_case : cases_for(FormulaNlp(in_other_units({1, 1, 1}, 1, 1)).nlp)) {
      FormulaNlp problem(in_other_units(units.variable, units.row, units.objective));
      problem.nlp.scale = {units.variable.begin(), units.variable.end()};
      problem.nlp.row_scale = {units.row};
      problem.nlp.objective_scale = units.objective;
      Report report = solve(problem.nlp, quick(the_case));
      std::string complaint = wrong_lengths(problem.nlp, report);
      auto compare = [&](const char* what, double value, double expected) {
        if (!(std::abs(value / expected - 1) <=
              1e-6))  // the tolerance, 1e-8, over values and curvatures of one, with two digits to spare
          complaint += std::string(what) + " is " + std::to_string(value / expected) + " of what it should be; ";
      };
      if (report.status != Status::solved) complaint += name_of(report.status);
      compare("the objective", report.objective, (49.0 / 144 + 4) * units.objective);
      const std::array<double, 3> y{3, 1, 2};
      for (std::size_t v = 0; v < 3; ++v) compare("a variable", report.iterate.w[v], y[v] * units.variable[v]);
      // 2 (9 - 16) 6 / 144 + lambda = 0, 2 (1 - 3) + lambda + z_upper = 0
      compare("the multiplier of the row", report.iterate.lambda[0], 7.0 / 12 * units.objective / units.row);
      compare("the multiplier of the bound", report.iterate.z_upper[1], 41.0 / 12 * units.objective / units.variable[1]);
      judge(the_case, units.topic, complaint);
    }
}

TEST_F(NlpEngines, solve_problems_of_nothing) {
  auto three = [](X) -> Residuals { return {std::sqrt(3.0)}; };
  expect_solved({{"empty: no variables", {.residuals = three}, {3}},
                 {"empty: no rows",
                  {.start = {-1.2, 1}, .residuals = [](X x) -> Residuals { return {10 * (x[2] - square(x[1])), 1 - x[1]}; }},
                  {0}},
                 {"empty: a row without variables",
                  {.start = {1},
                   .rows = [](X x) -> Rows { return {SecondOrder(1) >= 0, x[1] >= 2}; },
                   .residuals = distance_from_origin},
                  {4}},
                 {"empty: a row without sides",
                  {.start = {1},
                   .rows = [](X x) -> Rows { return {within(-infinite, sin(x[1]), infinite), x[1] >= 2}; },
                   .residuals = distance_from_origin},
                  {4}},
                 {"fixed: all variables",
                  {.start = {0, 0},
                   .lower = {1, 2},
                   .upper = {1, 2},
                   .rows = [](X x) -> Rows { return {x[1] + x[2] >= 3, x[1] * x[2] == 2}; },
                   .residuals = distance_from_origin},
                  {5}},
                 {"fixed: all variables but one",
                  {.start = {0, 0},
                   .lower = {1, -infinite},
                   .upper = {1, infinite},
                   .rows = [](X x) -> Rows { return {x[1] + x[2] >= 3}; },
                   .residuals = distance_from_origin},
                  {5}},
                 {"fixed: a variable where there are no rows",
                  {.start = {0, 0},
                   .lower = {2, -infinite},
                   .upper = {2, infinite},
                   .residuals = [](X x) -> Residuals { return {x[1], x[2] - x[1]}; }},
                  {4}},
                 {"constant: a point of a circle and a half plane",
                  {.start = {5, 3},
                   .objective = [](X) { return SecondOrder(7); },
                   .rows = [](X x) -> Rows { return {square(x[1]) + square(x[2]) == 25, x[1] + x[2] <= 1}; }},
                  {7}},
                 {"constant: no rows either", {.start = {5, 3}, .objective = [](X) { return SecondOrder(7); }}, {7}}});
  expect_status(
      {{"fixed: against a row",
        {.start = {0, 0},
         .lower = {1, 2},
         .upper = {1, 2},
         .rows = [](X x) -> Rows { return {x[1] + x[2] >= 4}; },
         .residuals = distance_from_origin}},
       {"bounds: lower above upper", {.start = {0, 0}, .lower = {1, 2}, .upper = {3, 1}, .residuals = distance_from_origin}},
       {"bounds: sides of a row that cross",
        {.start = {0, 0},
         .rows = [](X x) -> Rows { return {within(2, x[1] + x[2], 1)}; },
         .residuals = distance_from_origin}}},
      Status::infeasible);
}

TEST_F(NlpEngines, step_back_from_values_that_are_not_finite) {
  expect_solved(
      {{"not finite: Newton's step leaves the logarithm",
        {.start = {5, 2}, .residuals = [](X x) -> Residuals { return {log(x[1]), x[2] - 1}; }},
        {0}},
       {"not finite: a row on the way",
        {.start = {5, 2},
         .rows = [](X x) -> Rows { return {log(x[1]) + x[2] == 1}; },
         .residuals = [](X x) -> Residuals { return {x[1] - 1, x[2] - 1}; }},
        {0}},
       {"not finite: a hole between start and optimum",
        {.start = {-2, 0.6},
         .lower = {-3, -3},
         .upper = {3, 3},
         .residuals = [](X x) -> Residuals { return {x[1] - 1 + 0 * log(square(x[1]) + square(x[2]) - 0.25), x[2] - 1}; }},
        {0}}});
}

TEST_F(NlpEngines, say_so_when_values_at_the_start_are_not_finite) {
  expect_status(
      {{"not finite: the objective at the start",
        {.start = {-1, 1}, .residuals = [](X x) -> Residuals { return {log(x[1]), x[2] - 1}; }}},
       {"not finite: a row at the start",
        {.start = {-1, 1}, .rows = [](X x) -> Rows { return {log(x[1]) + x[2] >= 1}; }, .residuals = distance_from_origin}},
       {"not finite: a slope at the start",
        {.start = {0, 1}, .residuals = [](X x) -> Residuals { return {sqrt(x[1]) + 1, x[2] - 1}; }}}},
      Status::evaluation_error);
}

}  // namespace
}  // namespace bolza::nlp::testing
