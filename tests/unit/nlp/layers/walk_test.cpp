// SPDX-License-Identifier: Apache-2.0
// The order of the layers, the walk through them, and what it makes of a problem as a whole.
#include <gtest/gtest.h>

#include <string>

#include "runtime/nlp/solve.h"
#include "runtime/nlp/whole_numbers.h"
#include "tests/unit/nlp/layers/layer_fixture.h"

namespace bolza::nlp::testing {
namespace {

std::string steps;  // of the walk

/// Writes down that it was passed.
template <char name, Passage passage>
class Recorder final : public Layer {
 public:
  Passage up(SolveTask& task, Report& answer) override {
    steps += name;
    if (passage == Passage::answered) answer.message = "answered";
    if (passage == Passage::through) task.start.w.push_back(name);
    return passage;
  }
  void down(Report& report) override { steps += name, report.iterate.w.pop_back(); }
};

template <char name, Passage passage>
constexpr LayerRow recorder{.name = "recorder", .make = make_layer<Recorder<name, passage>>};
constexpr LayerRow passes_by{.answer = [](const SolveTask&, LayerRows) { return std::optional<Report>(); }};
constexpr LayerRow searches{.answer = [](const SolveTask& task, LayerRows below) -> std::optional<Report> {
  steps += "[";
  Report first = walk(task, below), second = walk(task, below);
  steps += "]";
  second.iterations += first.iterations;
  return second;
}};

constexpr const LayerRow *a = &recorder<'a', Passage::through>, *b = &recorder<'b', Passage::beside>,
                         *c = &recorder<'c', Passage::through>, *d = &recorder<'d', Passage::answered>;

Report walked(LayerRows rows) {
  steps.clear();
  PreparedEngine prepared;
  Report report;
  report.iterations = 1;
  report.iterate.w = {1, 2, 3};
  PreparedEngine::reports = {report};
  FormulaNlp problem({.start = {0}, .objective = [](X x) { return 1.0 * x[1]; }});
  return walk({.nlp = &problem.nlp, .engine = &PreparedEngine::engine}, rows);
}

TEST(Walk, enters_every_layer_once_and_comes_back_in_the_other_order) {
  std::vector<const LayerRow*> rows{a, b, &passes_by, c};
  Report report = walked(rows);
  EXPECT_EQ(steps, "abcca");
  EXPECT_EQ(report.iterate.w, std::vector<double>{1});
  ASSERT_EQ(PreparedEngine::asked.size(), 1u);
  EXPECT_EQ(PreparedEngine::asked[0].start.w, (std::vector<double>{'a', 'c'}));
}

TEST(Walk, ends_at_the_first_answer_which_goes_through_the_layers_above_alone) {
  std::vector<const LayerRow*> rows{b, d, c};
  EXPECT_EQ(walked(rows).message, "answered");
  EXPECT_EQ(steps, "bd");
  EXPECT_TRUE(PreparedEngine::asked.empty());
}

TEST(Walk, lets_a_search_ask_the_rows_below_it) {
  std::vector<const LayerRow*> rows{a, &searches, c};
  Report report = walked(rows);
  EXPECT_EQ(steps, "a[cccc]a");
  EXPECT_EQ(report.iterations, 2);
  EXPECT_EQ(report.iterate.w, std::vector<double>{1});
}

TEST(Layers, stand_in_the_order_in_which_they_need_each_other) {
  std::string order;
  for (const LayerRow* row : layers()) {
    EXPECT_NE(row->make == nullptr, row->answer == nullptr) << row->name;
    order += std::string(row->name) + ", ";
  }
  EXPECT_EQ(
      order,
      "switching rows, fitting options, whole numbers, continuous engine, relaxed, reduced, new scales, scaled, deadline, "
      "descent, best point, gap, second attempt, ");
}

TEST(Layers, refuse_options_that_do_not_fit) {
  FormulaNlp problem(reducible());
  auto refused = [&](const EngineOptions& options) {
    SolveTask task{.nlp = &problem.nlp, .engine = find_engine(options.engine), .options = options};
    std::optional<Report> report = layer_named("fitting options").answer(task, {});
    return report ? report->message : "";
  };
  EXPECT_EQ(refused({}), "");
  EXPECT_NE(refused({.engine = "ipotp"}).find("`ipopt`, `barrier`"), std::string::npos);
  EXPECT_NE(refused({.engine = "ipopt", .condensing = true}).find("`hqp` and `sqp` do"), std::string::npos);
  EXPECT_NE(refused({.engine = "hqp", .hessian = Hessian::lbfgs}).find("exact ones"), std::string::npos);
  EXPECT_NE(refused({.hessian = Hessian::gauss_newton}).find("sum of squares"), std::string::npos);
  problem.nlp.integer = {1, 0, 0, 0};
  EXPECT_NE(refused({.engine = "trust-region"}).find("`bonmin`"), std::string::npos);
  EXPECT_EQ(refused({.engine = "trust-region", .integers = IntegerMethod::relax}), "");
}

TEST(Layers, leave_a_search_out_where_no_whole_numbers_are_sought) {
  FormulaNlp problem(reducible());
  SolveTask task{.nlp = &problem.nlp, .engine = find_engine("ipopt")};
  EXPECT_FALSE(layer_named("whole numbers").answer(task, {}));
  problem.nlp.integer = {1, 0, 0, 0}, task.options.integers = IntegerMethod::relax;
  EXPECT_FALSE(layer_named("whole numbers").answer(task, {}));
  EXPECT_FALSE(seeks_whole_numbers(task));
}

/// All wrappers at once: scales, a fixed variable, an equal one, a row without variables, a whole number that is relaxed.
TEST(Layers, give_the_optimum_of_the_problem_as_it_was_stated_with_its_multipliers) {
  for (const char* engine : {"ipopt", "sqp", "hqp", "bonmin"}) {
    if (!find_engine(engine)->available()) continue;
    FormulaNlp problem(reducible());
    problem.nlp.equal = {{3, 0, 0}}, problem.nlp.integer = {1, 0, 0, 0};
    problem.nlp.scale = {10, 3, 0.2, 10}, problem.nlp.row_scale = {1, 2, 30}, problem.nlp.objective_scale = 5;
    Report report = solve(problem.nlp, {.engine = engine, .tol = 1e-10, .integers = IntegerMethod::relax});
    ASSERT_EQ(report.status, Status::solved) << engine << ": " << report.message;
    EXPECT_NEAR(report.iterate.w[0], reducible_x1, 1e-7) << engine;
    EXPECT_NEAR(report.iterate.lambda[2], reducible_multiplier, 1e-6) << engine;
    EXPECT_LT(kkt_by_differences(problem.nlp, report.iterate), 1e-6) << engine;
  }
}

}  // namespace
}  // namespace bolza::nlp::testing
