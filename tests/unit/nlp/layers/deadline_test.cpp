// SPDX-License-Identifier: Apache-2.0
// An engine that does not come back in time is left behind with the best point that it saw.
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>

#include "tests/unit/nlp/layers/layer_fixture.h"

namespace bolza::nlp::testing {
namespace {

/// An engine in an iteration that does not end before it is let go.
struct StuckEngine {
  static inline std::atomic<bool> let_go = false, has_ended = false;
  static inline std::atomic<bool> evaluated_after = false;
  static inline bool heeds_interrupts = false;

  static Report solve(const Nlp& nlp, const EngineOptions& options, const Iterate& start) {
    double f = 0;
    for (double w : {start.w[0], 2.0, 3.0}) {
      nlp.functions->move_to(std::vector<double>{w});
      if (nlp.functions->objective(f)) nlp.functions->constraints();
    }
    if (options.progress) options.progress(options.progress_context, {.iteration = 7});
    while (!let_go && !(heeds_interrupts && options.budget.interrupted())) std::this_thread::yield();
    evaluated_after = nlp.functions->objective(f) || nlp.functions->gradient() || nlp.functions->constraints() ||
                      nlp.functions->jacobian() || nlp.functions->hessian(1, {});
    Report report;
    report.status = options.budget.interrupted() ? Status::interrupted : Status::solved;
    report.iterate.w = {4};
    has_ended = true;
    return report;
  }
  static inline const Engine engine{.name = "stuck", .description = "", .solve = solve};

  StuckEngine() { let_go = has_ended = evaluated_after = heeds_interrupts = false; }
  /// The engine's thread reads nothing of the test's after this.
  ~StuckEngine() {
    let_go = true;
    while (!has_ended) std::this_thread::yield();
  }
};

/// (x - 3)² from 0.
FormulaNlp parabola() {
  return FormulaNlp({.start = {0}, .objective = [](X x) { return (x[1] - 3) * (x[1] - 3); }});
}

SolveTask task_of(FormulaNlp& problem, const EngineOptions& options) {
  SolveTask task{.nlp = &problem.nlp, .engine = &StuckEngine::engine, .options = options};
  task.start.w = problem.nlp.start;
  return task;
}

TEST(Deadline, applies_where_time_is_limited) {
  FormulaNlp problem = parabola();
  volatile bool interrupt = true;
  EXPECT_FALSE(layer_named("deadline").answer(task_of(problem, {.budget = Budget(&interrupt)}), {}));
}

TEST(Deadline, leaves_an_engine_behind_with_the_best_point_that_it_saw) {
  FormulaNlp problem = parabola();
  StuckEngine stuck;
  int told = 0;
  EngineOptions options{.budget = Budget(0.01)};
  options.progress = [](void* count, const EngineProgress&) { ++*static_cast<int*>(count); };
  options.progress_context = &told;
  std::optional<Report> report = layer_named("deadline").answer(task_of(problem, options), {});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->status, Status::time_limit);
  EXPECT_EQ(report->iterate.w, std::vector<double>{3});
  EXPECT_EQ(report->objective, 0);
  EXPECT_EQ(report->iterations, 7);
  EXPECT_EQ(told, 1);
  StuckEngine::let_go = true;
  while (!StuckEngine::has_ended) std::this_thread::yield();
  EXPECT_FALSE(StuckEngine::evaluated_after);
}

TEST(Deadline, gives_the_start_where_nothing_was_seen) {
  static std::atomic<bool> let_go, has_ended;
  let_go = has_ended = false;
  static constexpr Engine sleeper{
      .name = "sleeper", .description = "", .solve = [](const Nlp&, const EngineOptions&, const Iterate&) {
        while (!let_go) std::this_thread::yield();
        has_ended = true;
        return Report();
      }};
  FormulaNlp problem = parabola();
  SolveTask task = task_of(problem, {.budget = Budget(0.0)});
  task.engine = &sleeper;
  std::optional<Report> report = layer_named("deadline").answer(task, {});
  EXPECT_EQ(report->iterate.w, std::vector<double>{0});
  EXPECT_EQ(report->objective, 9);
  let_go = true;
  while (!has_ended) std::this_thread::yield();
}

TEST(Deadline, passes_interrupts_on) {
  FormulaNlp problem = parabola();
  StuckEngine stuck;
  StuckEngine::heeds_interrupts = true;
  volatile bool interrupt = true;
  std::optional<Report> report = layer_named("deadline").answer(task_of(problem, {.budget = Budget(1000, &interrupt)}), {});
  EXPECT_EQ(report->status, Status::interrupted);
  EXPECT_EQ(report->iterate.w, std::vector<double>{4});
}

TEST(Deadline, gives_what_the_engine_gives_and_throws_what_it_throws) {
  static constexpr Engine thrower{
      .name = "thrower", .description = "", .solve = [](const Nlp&, const EngineOptions&, const Iterate&) -> Report {
        throw std::runtime_error("of the engine");
      }};
  FormulaNlp problem = parabola();
  SolveTask task = task_of(problem, {.budget = Budget(1000)});
  task.engine = &thrower;
  EXPECT_THROW(layer_named("deadline").answer(task, {}), std::runtime_error);
  task.engine = find_engine("ipopt");
  task.options.budget = Budget(1000);
  std::optional<Report> report = layer_named("deadline").answer(task, {});
  EXPECT_EQ(report->status, Status::solved);
  EXPECT_NEAR(report->iterate.w[0], 3, 1e-6);
}

}  // namespace
}  // namespace bolza::nlp::testing
