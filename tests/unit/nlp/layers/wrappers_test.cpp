// SPDX-License-Identifier: Apache-2.0
// What every wrapper makes of a problem, and of the wrapped problem's optimum in closed form, multipliers included.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "runtime/nlp/solve.h"
#include "tests/unit/nlp/layers/layer_fixture.h"

namespace bolza::nlp::testing {
namespace {

constexpr double rounding = 1e-9;  // of differences with steps of 1e-4

void expect_near(const std::vector<double>& found, const std::vector<double>& wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], wanted[k], 1e-12) << k;
}

SolveTask task_of(const Nlp& nlp, EngineOptions options = {}) {
  return {.nlp = &nlp, .engine = find_engine("ipopt"), .options = std::move(options), .start = {.w = nlp.start}};
}

/// u1, u2, u3 of one whole-number control should be 0, 1, 0; beside it x <= 1 and y with x + y = 3.
FormulaNlp& switched(FormulaNlp& problem, SwitchLimits rule) {
  problem.nlp.integer = {1, 1, 1, 0, 0}, problem.nlp.sequence = {0, 0, 0, global, global};
  problem.nlp.length = {0.25, 0.5, 0.25, 0, 0}, problem.nlp.switching = {std::move(rule)};
  return problem;
}
Formulas three_intervals() {
  return {.start = {0.5, 0.5, 0.5, 0, 0},
          .lower = {0, 0, 0, -5, -5},
          .upper = {1, 1, 1, 1, 5},
          .objective =
              [](X x) {
                return 0.5 * (x[1] * x[1] + (x[2] - 1) * (x[2] - 1) + x[3] * x[3] + (x[4] - 2) * (x[4] - 2) + x[5] * x[5]);
              },
          .rows = [](X x) -> Rows { return {x[4] + x[5] == 3}; }};
}

TEST(SwitchingRowsLayer, has_the_optimum_of_one_change_in_all) {
  FormulaNlp problem(three_intervals());
  const Nlp& nlp = switched(problem, {.sequences = {0}, .switches = 1}).nlp;
  PassedLayer row = pass("switching rows", task_of(nlp));
  ASSERT_EQ(row.passage, Passage::through);
  const Nlp& wrapped = *row.task.nlp;
  verify(wrapped);
  ASSERT_EQ(wrapped.n(), 7u);
  ASSERT_EQ(wrapped.m(), 6u);  // its own, two for each change, and the sum
  EXPECT_TRUE(wrapped.has_switching_rows);
  expect_near(row.task.start.w, {0.5, 0.5, 0.5, 0, 0, 0, 0});
  // relaxed: u changes by 1/2 and back
  const double a = 1.0 / 6;
  Report report;
  report.iterate = {{a, 4 * a, a, 1, 2, 0.5, 0.5}, {-2, a, 0, 0, a, a}, std::vector<double>(7), {0, 0, 0, 3, 0, 0, 0}};
  EXPECT_LT(kkt_by_differences(wrapped, report.iterate), rounding);
  row.layer->down(report);
  expect_near(report.iterate.w, {a, 4 * a, a, 1, 2});
  expect_near(report.iterate.lambda, {-2});
  expect_near(report.iterate.z_upper, {0, 0, 0, 3, 0});
  EXPECT_EQ(report.iterate.z_lower.size(), 5u);
}

TEST(SwitchingRowsLayer, has_derivatives_of_its_rows_and_bounds_of_the_first_dwell_time) {
  FormulaNlp problem(three_intervals());
  const Nlp& nlp = switched(problem, {.sequences = {0}, .dwell = 0.3}).nlp;
  PassedLayer row = pass("switching rows", task_of(nlp));
  ASSERT_EQ(row.passage, Passage::through);
  const Nlp& wrapped = *row.task.nlp;
  EXPECT_EQ(wrapped.upper[5], 0) << "before 0.3 nothing changes";
  EXPECT_EQ(wrapped.upper[6], 1);
  std::vector<double> w{0.1, 0.7, 0.4, 1, 2, 0.2, 0.9}, entries(wrapped.jacobian.size());
  wrapped.functions->move_to(w);
  std::copy_n(wrapped.functions->jacobian(), entries.size(), entries.begin());
  for (std::size_t v = 0; v < wrapped.n(); ++v) {
    std::vector<double> up = w, down = w, dense(wrapped.m());
    up[v] += 0.5, down[v] -= 0.5;
    for (std::size_t k = 0; k < entries.size(); ++k)
      if (static_cast<std::size_t>(wrapped.jacobian.col[k]) == v)
        dense[static_cast<std::size_t>(wrapped.jacobian.row[k])] += entries[k];
    wrapped.functions->move_to(up);
    std::vector<double> ahead(wrapped.functions->constraints(), wrapped.functions->constraints() + wrapped.m());
    wrapped.functions->move_to(down);
    for (std::size_t r = 0; r < wrapped.m(); ++r)
      EXPECT_NEAR(dense[r], ahead[r] - wrapped.functions->constraints()[r], 1e-12) << r << " by " << v;
  }
}

TEST(SwitchingRowsLayer, does_not_apply_without_rules_or_where_rows_say_them) {
  FormulaNlp problem(three_intervals());
  EXPECT_EQ(pass("switching rows", task_of(problem.nlp)).passage, Passage::beside);
  switched(problem, {.sequences = {0}, .switches = 1}).nlp.has_switching_rows = true;
  PassedLayer row = pass("switching rows", task_of(problem.nlp));
  EXPECT_EQ(row.passage, Passage::beside);
  EXPECT_EQ(row.task.nlp, &problem.nlp);
}

TEST(ReducedLayer, gives_back_values_and_multipliers_of_all_that_it_removed) {
  FormulaNlp problem(reducible());
  problem.nlp.equal = {{3, 0, 0}};
  PassedLayer row = pass("reduced", task_of(problem.nlp));
  ASSERT_EQ(row.passage, Passage::through);
  const Nlp& wrapped = *row.task.nlp;
  verify(wrapped);
  ASSERT_EQ(wrapped.n(), 2u);
  ASSERT_EQ(wrapped.m(), 1u);
  Report report;
  report.status = Status::solved;
  report.iterate = {{reducible_x1, reducible_x3}, {reducible_multiplier}, {0, 0}, {0, 0}};
  EXPECT_LT(kkt_by_differences(wrapped, report.iterate), rounding);
  row.layer->down(report);
  EXPECT_LT(kkt_by_differences(problem.nlp, report.iterate), rounding);
  expect_near(report.iterate.w, {reducible_x1, 2, reducible_x3, reducible_x1});
  // by x4: x1 + x4 + λ0 = 0; by x2: x3 + λ2 = z
  expect_near(report.iterate.lambda, {-2 * reducible_x1, 0, reducible_multiplier});
  expect_near(report.iterate.z_lower, {0, 0, 0, 0});
  expect_near(report.iterate.z_upper, {0, -(reducible_x3 + reducible_multiplier), 0, 0});
  EXPECT_LT(report.dual_infeasibility, rounding);
  EXPECT_LT(report.primal_infeasibility, rounding);
}

TEST(ReducedLayer, takes_multipliers_of_a_start_where_they_are_wanted) {
  FormulaNlp problem(reducible());
  SolveTask task = task_of(problem.nlp);
  task.start = {{1, 2, 3, 1}, {7, 8, 9}, {1, 2, 3, 4}, {5, 6, 7, 8}};
  EXPECT_TRUE(pass("reduced", task).task.start.lambda.empty());
  task.options.warm_start = true;
  Iterate start = pass("reduced", task).task.start;
  expect_near(start.w, {1, 3, 1});
  expect_near(start.lambda, {7, 9});
  expect_near(start.z_lower, {1, 3, 4});
  expect_near(start.z_upper, {5, 7, 8});
}

TEST(ReducedLayer, answers_where_nothing_can_satisfy_the_bounds) {
  const std::vector<void (*)(Nlp&)> changes = {
      [](Nlp& nlp) { nlp.lower[0] = 11; }, [](Nlp& nlp) { nlp.row_lower[1] = 6; }, [](Nlp& nlp) { nlp.row_lower[1] = 2.5; },
      [](Nlp& nlp) { nlp.row_lower[2] = 1e20; }, [](Nlp& nlp) { nlp.lower[0] = 1e20, nlp.upper[0] = 1e21; }};
  for (auto change : changes) {
    FormulaNlp problem(reducible());
    change(problem.nlp);
    PassedLayer row = pass("reduced", task_of(problem.nlp));
    ASSERT_EQ(row.passage, Passage::answered);
    EXPECT_EQ(row.answer.status, Status::infeasible);
    EXPECT_FALSE(row.answer.message.empty());
    expect_near(row.answer.iterate.w, problem.nlp.start);
    EXPECT_GT(row.answer.primal_infeasibility, 0.1);
  }
}

TEST(ReducedLayer, refuses_rows_for_an_engine_that_takes_none) {
  FormulaNlp problem(reducible());
  SolveTask task = task_of(problem.nlp);
  task.engine = find_engine("trust-region");
  PassedLayer row = pass("reduced", task);
  ASSERT_EQ(row.passage, Passage::answered);
  EXPECT_EQ(row.answer.status, Status::bad_option);
  EXPECT_NE(row.answer.message.find("2 constraints"), std::string::npos) << row.answer.message;
  problem.nlp.row_lower.assign(3, -infinite), problem.nlp.row_upper.assign(3, infinite);
  EXPECT_EQ(pass("reduced", task_of(problem.nlp)).passage, Passage::through) << "rows without bounds are none";
}

/// min (x − 3)² + (y + 1)² with x <= 2 and x + y >= 2: x = 2, y = 0; λ = −2, z_upper = 4.
Formulas corner() {
  return {.start = {1, 1},
          .lower = {-infinite, -infinite},
          .upper = {2, infinite},
          .objective = [](X x) { return (x[1] - 3) * (x[1] - 3) + (x[2] + 1) * (x[2] + 1); },
          .rows = [](X x) -> Rows { return {x[1] + x[2] >= 2}; }};
}

TEST(ScaledLayer, has_the_optimum_in_other_units) {
  FormulaNlp problem(corner());
  problem.nlp.scale = {10, 0.1}, problem.nlp.row_scale = {5}, problem.nlp.objective_scale = 4;
  SolveTask task = task_of(problem.nlp);
  task.start = {{1, 1}, {-2}, {0, 0}, {4, 0}};
  PassedLayer row = pass("scaled", task);
  ASSERT_EQ(row.passage, Passage::through);
  expect_near(row.task.start.w, {0.1, 10});
  Report report;
  report.objective = 2.0 / 4, report.integers.bound = 1;
  report.iterate = {{0.2, 0}, row.task.start.lambda, row.task.start.z_lower, row.task.start.z_upper};
  EXPECT_LT(kkt_by_differences(*row.task.nlp, report.iterate), rounding);
  row.layer->down(report);
  EXPECT_LT(kkt_by_differences(problem.nlp, report.iterate), rounding);
  EXPECT_DOUBLE_EQ(report.objective, 2);
  EXPECT_DOUBLE_EQ(report.integers.bound, 4);
  expect_near(report.iterate.w, {2, 0});
  expect_near(report.iterate.lambda, {-2});
  expect_near(report.iterate.z_upper, {4, 0});
}

/// Takes scales into the evaluation.
class Rescaled final : public Functions {
 public:
  explicit Rescaled(FormulaNlp& of) : of_(of) {}
  bool rescale(std::span<const double> variable, std::span<const double>, double) override {
    variable_.assign(variable.begin(), variable.end());
    return true;
  }
  void move_to(std::span<const double> w) override {
    std::vector<double> physical(w.begin(), w.end());
    for (std::size_t v = 0; v < variable_.size(); ++v) physical[v] *= variable_[v];
    of_.move_to(physical);
  }
  bool objective(double& f) override { return of_.objective(f); }
  const double* gradient() override { return of_.gradient(); }
  const double* constraints() override { return of_.constraints(); }
  const double* jacobian() override { return of_.jacobian(); }
  const double* hessian(double, std::span<const double>) override { return nullptr; }
  const double* gauss_newton(double) override { return nullptr; }

 private:
  FormulaNlp& of_;
  std::vector<double> variable_;
};

TEST(ScaledLayer, makes_functions_physical_again_that_took_the_scales_in) {
  FormulaNlp problem(corner());
  Rescaled functions(problem);
  problem.nlp.functions = &functions, problem.nlp.scale = {10, 0.1};
  PassedLayer row = pass("scaled", task_of(problem.nlp));
  EXPECT_EQ(row.task.nlp->functions, &functions);
  double f = 0;
  row.task.nlp->functions->move_to(std::vector<double>{0.2, 0});
  ASSERT_TRUE(functions.objective(f));
  EXPECT_DOUBLE_EQ(f, 2);
  Report report;
  report.iterate = {{0.2, 0}, {-2}, {0, 0}, {4, 0}};
  row.layer->down(report);
  functions.move_to(report.iterate.w);
  ASSERT_TRUE(functions.objective(f));
  EXPECT_DOUBLE_EQ(f, 2);
}

TEST(BestPointLayer, stands_before_the_functions_until_the_engine_is_done) {
  FormulaNlp problem(corner());
  SolveTask task = task_of(problem.nlp);
  task.own = &problem.nlp;
  PassedLayer row = pass("best point", task);
  ASSERT_EQ(row.passage, Passage::through);
  ASSERT_NE(problem.nlp.functions, &problem);
  double f = 0;
  for (double y : {5.0, 0.0, 3.0}) {
    problem.nlp.functions->move_to(std::vector<double>{2, y});
    problem.nlp.functions->objective(f), problem.nlp.functions->constraints();
  }
  Report report;
  report.status = Status::iteration_limit, report.objective = f;
  report.iterate = {{2, 3}, {-2}, {0, 0}, {4, 0}};
  row.layer->down(report);
  EXPECT_EQ(problem.nlp.functions, &problem);
  expect_near(report.iterate.w, {2, 0});
  EXPECT_DOUBLE_EQ(report.objective, 2);
  EXPECT_LT(kkt_by_differences(problem.nlp, report.iterate), rounding);
}

TEST(RelaxedLayer, takes_whole_numbers_for_real_ones_where_that_is_asked_for) {
  FormulaNlp problem(three_intervals());
  EXPECT_EQ(pass("relaxed", task_of(problem.nlp)).passage, Passage::beside) << "there are none";
  problem.nlp.integer = {1, 1, 1, 0, 0};
  EXPECT_EQ(pass("relaxed", task_of(problem.nlp)).passage, Passage::beside) << "they are sought";
  PassedLayer row = pass("relaxed", task_of(problem.nlp, {.integers = IntegerMethod::relax}));
  ASSERT_EQ(row.passage, Passage::through);
  EXPECT_TRUE(row.task.nlp->integer.empty());
  Report report;
  report.iterate = {{0, 1, 0, 1, 2}, {-2}, {0, 0, 0, 0, 0}, {0, 0, 0, 3, 0}};
  EXPECT_LT(kkt_by_differences(*row.task.nlp, report.iterate), rounding);
  row.layer->down(report);
  EXPECT_LT(kkt_by_differences(problem.nlp, report.iterate), rounding);
}

TEST(ContinuousEngineLayer, puts_ipopt_with_its_options_in_the_place_of_an_engine_for_whole_numbers) {
  FormulaNlp problem(three_intervals());
  SolveTask task = task_of(problem.nlp, {.engine = "bonmin", .engine_options = {{"mu_init", "0.1"}, {"algorithm", "B-OA"}}});
  task.engine = find_engine("bonmin");
  PassedLayer row = pass("continuous engine", task);
  ASSERT_EQ(row.passage, Passage::through);
  EXPECT_EQ(row.task.engine, find_engine("ipopt"));
  EXPECT_EQ(row.task.options.engine, "ipopt");
  ASSERT_EQ(row.task.options.engine_options.size(), 1u);
  EXPECT_EQ(row.task.options.engine_options[0].first, "mu_init");
  problem.nlp.integer = {1, 0, 0, 0, 0};
  EXPECT_EQ(pass("continuous engine", task).passage, Passage::beside) << "a whole number is sought";
  EXPECT_EQ(pass("continuous engine", task_of(problem.nlp)).passage, Passage::beside) << "ipopt is continuous";
}

/// min w with w >= 1, whose optimum in the barrier is w = 1 + μ/z with z = 1.
Formulas above_one() {
  return {.start = {2}, .lower = {1}, .upper = {infinite}, .objective = [](X x) { return 1.0 * x[1]; }};
}
Report at_barrier(double mu, int iterations, Status status = Status::solved) {
  Report report;
  report.status = status, report.objective = 1 + mu, report.iterations = iterations, report.regularized = 1;
  report.iterate = {{1 + mu}, {}, {1}, {0}};
  return report;
}

TEST(GapLayer, goes_on_with_the_tolerance_that_the_gap_allows) {
  FormulaNlp problem(above_one());
  PreparedEngine prepared;
  PreparedEngine::reports = {at_barrier(1e-6, 3)};
  SolveTask task = task_of(problem.nlp, {.tol = 1e-3, .max_iterations = 100, .relative_gap = 1e-5});
  task.engine = &PreparedEngine::engine;
  PassedLayer row = pass("gap", task);
  ASSERT_EQ(row.passage, Passage::through);
  Report report = at_barrier(1e-3, 60);
  row.layer->down(report);
  ASSERT_EQ(PreparedEngine::asked.size(), 1u);
  const PreparedEngine::Asked& asked = PreparedEngine::asked[0];
  EXPECT_TRUE(asked.options.warm_start);
  EXPECT_NEAR(asked.options.tol, 1e-3 * 1e-5 * 1.001 / 1e-3, 1e-12);
  EXPECT_EQ(asked.options.barrier, asked.options.tol);
  EXPECT_EQ(asked.options.max_iterations, 40);
  expect_near(asked.start.w, {1.001});
  expect_near(report.iterate.w, {1 + 1e-6});
  EXPECT_EQ(report.iterations, 63);
  EXPECT_EQ(report.regularized, 2);
}

TEST(GapLayer, keeps_what_it_has_where_that_is_close_or_going_on_does_not_succeed) {
  FormulaNlp problem(above_one());
  SolveTask task = task_of(problem.nlp, {.tol = 1e-3, .relative_gap = 1e-5});
  EXPECT_EQ(pass("gap", task_of(problem.nlp)).passage, Passage::beside);
  task.engine = &PreparedEngine::engine;
  for (Report first : {at_barrier(1e-6, 5), at_barrier(1e-3, 5, Status::acceptable), at_barrier(1e-3, 5)}) {
    PreparedEngine prepared;
    PreparedEngine::reports = {at_barrier(7, 3, Status::failed)};
    PassedLayer row = pass("gap", task);
    Report report = first;
    row.layer->down(report);
    EXPECT_EQ(report.iterate.w, first.iterate.w);
    EXPECT_EQ(report.status, first.status);
    EXPECT_EQ(report.iterations, 5 + 3 * static_cast<int>(PreparedEngine::asked.size()));
    EXPECT_EQ(PreparedEngine::asked.size(), first.status == Status::solved && first.iterate.w[0] > 1.0001);
  }
}

TEST(SecondAttemptLayer, begins_again_far_from_the_bounds_where_a_cold_start_ends_infeasible) {
  FormulaNlp problem(above_one());
  for (Status second : {Status::solved, Status::infeasible}) {
    PreparedEngine prepared;
    PreparedEngine::reports = {at_barrier(0, 4, second)};
    SolveTask task = task_of(problem.nlp, {.max_iterations = 50});
    task.engine = &PreparedEngine::engine;
    PassedLayer row = pass("second attempt", task);
    ASSERT_EQ(row.passage, Passage::through);
    Report report = at_barrier(1, 20, Status::infeasible);
    row.layer->down(report);
    ASSERT_EQ(PreparedEngine::asked.size(), 1u);
    EXPECT_EQ(PreparedEngine::asked[0].options.barrier, 10);
    EXPECT_EQ(PreparedEngine::asked[0].options.max_iterations, 30);
    expect_near(PreparedEngine::asked[0].start.w, {2});
    EXPECT_EQ(report.status, second);
    EXPECT_EQ(report.iterations, 24);
    expect_near(report.iterate.w, {second == Status::solved ? 1.0 : 2.0});
  }
}

TEST(SecondAttemptLayer, does_not_apply_where_the_start_or_the_barrier_is_chosen_or_the_end_is_proven) {
  FormulaNlp problem(above_one());
  EXPECT_EQ(pass("second attempt", task_of(problem.nlp, {.warm_start = true})).passage, Passage::beside);
  EXPECT_EQ(pass("second attempt", task_of(problem.nlp, {.barrier = 0.1})).passage, Passage::beside);
  EXPECT_EQ(pass("second attempt", task_of(problem.nlp, {.engine_options = {{"mu_init", "1"}}})).passage, Passage::beside);
  PreparedEngine prepared;
  PassedLayer row = pass("second attempt", task_of(problem.nlp));
  Report solved = at_barrier(0, 1);
  row.layer->down(solved);
  EXPECT_TRUE(PreparedEngine::asked.empty());
  Report proven = at_barrier(1, 20, Status::infeasible);
  proven.is_proven = true;
  row.layer->down(proven);
  EXPECT_TRUE(PreparedEngine::asked.empty());
  EXPECT_EQ(proven.iterations, 20);
}

}  // namespace
}  // namespace bolza::nlp::testing
