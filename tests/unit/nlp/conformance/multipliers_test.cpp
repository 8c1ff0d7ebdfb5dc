// SPDX-License-Identifier: Apache-2.0
// Multipliers of every engine against closed forms, and the reading of patterns.
#include <cmath>

#include "runtime/nlp/solve.h"
#include "tests/unit/nlp/conformance/cases.h"
#include "tests/unit/nlp/conformance/engines_fixture.h"
#include "tests/unit/nlp/conformance/kkt.h"

namespace bolza::nlp::testing {
namespace {

std::string compare(const char* what, const std::vector<double>& values, const std::vector<double>& expected) {
  if (values.size() != expected.size()) return std::string(what) + " has another length";
  std::string complaint;
  for (std::size_t k = 0; k < expected.size(); ++k)
    if (!(std::abs(values[k] - expected[k]) <= 1e-6))  // the tolerance, 1e-8, over a curvature of two
      complaint += std::string(what) + "[" + std::to_string(k) + "] = " + std::to_string(values[k]) + " instead of " +
                   std::to_string(expected[k]) + "; ";
  return complaint;
}

/// Σ (x_i - t_i)²: what holds x back from its target shows in a multiplier of 2 (x - t).
Residuals from_targets(X x, const std::vector<double>& target) {
  Residuals r;
  for (int i = 1; i <= x.size(); ++i) r.push_back(x[i] - target[static_cast<std::size_t>(i - 1)]);
  return r;
}

TEST_F(NlpEngines, give_the_multipliers_of_bounds_with_their_signs) {
  const std::vector<double> target{0, 3, 0.5, -1, 4};
  Formulas formulas{
      .start = filled(5, 0.6), .lower = {1, -infinite, 0, 0, -1}, .upper = {infinite, 1, 1, 1, 1}, .residuals = [&](X x) {
        return from_targets(x, target);
      }};
  for (const EngineCase& the_case : cases_for(FormulaNlp(formulas).nlp)) {
    FormulaNlp problem(formulas);
    Report report = solve(problem.nlp, the_case.options());
    judge(the_case, "multipliers of bounds",
          compare("w", report.iterate.w, {1, 1, 0.5, 0, 1}) + compare("z_lower", report.iterate.z_lower, {2, 0, 0, 2, 0}) +
              compare("z_upper", report.iterate.z_upper, {0, 4, 0, 0, 6}));
  }
}

TEST_F(NlpEngines, give_the_multipliers_of_rows_with_their_signs) {
  const std::vector<double> target{2, 2, 0, 0, 1, 0, 3, -3, 0.5};
  Formulas formulas{.start = filled(9, 0.6),
                    .rows = [](X x) -> Rows {
                      return {x[1] + x[2] <= 2,         2 * x[3] + 2 * x[4] >= 4,       x[5] + x[6] == 3, within(0, x[7], 1),
                              within(-1, x[8] / 10, 9), within(0, square(x[9]) - 1, 8), x[1] - x[2] >= -5};
                    },
                    .residuals = [&](X x) { return from_targets(x, target); }};
  for (const EngineCase& the_case : cases_for(FormulaNlp(formulas).nlp)) {
    FormulaNlp problem(formulas);
    Report report = solve(problem.nlp, the_case.options());
    // e.g. row 1: x3 = x4 = 1, 2 (x3 - 0) + 2 lambda = 0; row 5: x9 = 1, 2 (1 - 0.5) + 2 lambda = 0
    judge(the_case, "multipliers of rows",
          compare("w", report.iterate.w, {1, 1, 1, 1, 2, 1, 1, -3, 1}) +
              compare("lambda", report.iterate.lambda, {2, -1, -2, 4, 0, -0.5, 0}));
  }
}

TEST_F(NlpEngines, give_the_multiplier_of_a_fixed_variable) {
  Formulas formulas{.start = {0, 0, 0},
                    .lower = {-infinite, 2, -1},
                    .upper = {infinite, 2, -1},
                    .rows = [](X x) -> Rows { return {x[1] + x[2] >= 3}; },
                    .residuals = [](X x) -> Residuals { return {x[1], x[2], x[3]}; }};
  for (const EngineCase& the_case : cases_for(FormulaNlp(formulas).nlp)) {
    FormulaNlp problem(formulas);
    Report report = solve(problem.nlp, the_case.options());
    judge(the_case, "multipliers of fixed variables",
          compare("w", report.iterate.w, {1, 2, -1}) + compare("lambda", report.iterate.lambda, {-2}) +
              compare("z_lower", report.iterate.z_lower, {0, 2, 0}) + compare("z_upper", report.iterate.z_upper, {0, 0, 2}));
  }
}

/// Another problem with every place of a pattern twice, a third of its value in the first.
class Twice final : public Functions {
 public:
  explicit Twice(Functions& once) : once_(once) {}
  static Pattern doubled(const Pattern& once) {
    Pattern twice;
    for (std::size_t k = 0; k < once.size(); ++k)
      for (int copy = 0; copy < 2; ++copy) twice.row.push_back(once.row[k]), twice.col.push_back(once.col[k]);
    return twice;
  }
  Nlp nlp_of(const Nlp& once) {
    Nlp twice = once;
    twice.jacobian = doubled(once.jacobian), twice.hessian = doubled(once.hessian);
    twice.gauss_newton = doubled(once.gauss_newton), twice.constant_entries *= 2;
    twice.functions = this;
    entries_ = once.jacobian.size(), second_ = once.hessian.size(), squares_ = once.gauss_newton.size();
    return twice;
  }
  void move_to(std::span<const double> w) override { once_.move_to(w); }
  bool objective(double& f) override { return once_.objective(f); }
  const double* gradient() override { return once_.gradient(); }
  const double* constraints() override { return once_.constraints(); }
  const double* jacobian() override { return split(once_.jacobian(), entries_, jacobian_); }
  const double* hessian(double sigma, std::span<const double> lambda) override {
    return split(once_.hessian(sigma, lambda), second_, hessian_);
  }
  const double* gauss_newton(double sigma) override { return split(once_.gauss_newton(sigma), squares_, gauss_newton_); }

 private:
  static const double* split(const double* values, std::size_t count, std::vector<double>& into) {
    into.assign(2 * count + 1, 0.0);
    for (std::size_t k = 0; values && k < count; ++k) into[2 * k] = values[k] / 3, into[2 * k + 1] = values[k] * 2 / 3;
    return values ? into.data() : nullptr;
  }
  Functions& once_;
  std::size_t entries_ = 0, second_ = 0, squares_ = 0;
  std::vector<double> jacobian_, hessian_, gauss_newton_;
};

TEST_F(NlpEngines, add_entries_that_have_the_same_place) {
  // residuals so steep that Gauss-Newton converges without the curvature of the circle
  Formulas formulas{.start = {0.5, 1, 1},
                    .lower = {-infinite, 0.5, -infinite},
                    .rows = [](X x) -> Rows { return {square(x[1]) + square(x[2]) <= 2, x[1] + x[2] + x[3] == 3}; },
                    .residuals = [](X x) -> Residuals { return {4 * x[1] - 5, 4 * x[2] - 5, x[3], x[1] * x[3]}; }};
  for (const EngineCase& the_case : cases_for(FormulaNlp(formulas).nlp)) {
    FormulaNlp once(formulas), behind(formulas);
    Twice twice(behind);
    Report expected = solve(once.nlp, the_case.options()), report = solve(twice.nlp_of(behind.nlp), the_case.options());
    std::string complaint = compare("w", report.iterate.w, expected.iterate.w);
    if (expected.status != Status::solved || report.status != Status::solved)
      complaint += std::string(name_of(expected.status)) + " and " + name_of(report.status);
    if (report.iterations > expected.iterations + 1) complaint += "more iterations";
    judge(the_case, "places that come twice", complaint);
  }
}

}  // namespace
}  // namespace bolza::nlp::testing
