// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <thread>

#include "formulas.h"
#include "runtime/nlp/child_process.h"

namespace bolza::nlp {
namespace {

using testing::FormulaNlp;
using testing::X;

testing::Formulas two_rows() {
  return {.start = {0.3, 1.7, -0.4},
          .rows = [](X x) -> testing::Rows { return {x[1] * x[2] + sin(x[3]) <= 3, x[1] + 2 * x[3] == 1}; },
          .residuals = [](X x) -> testing::Residuals { return {x[1] * x[3] - 2, exp(x[2]), x[1] - x[2]}; }};
}

/// Everything that the functions say at a few points, one after the other.
std::vector<double> all_values(const Nlp& nlp) {
  std::vector<double> values;
  auto add = [&](const double* from, std::size_t count) { values.insert(values.end(), from, from + count); };
  Functions& f = *nlp.functions;
  const std::vector<double> lambda{0.7, -1.3};
  for (double shift : {0.0, 0.25, -1.5}) {
    std::vector<double> w = nlp.start;
    for (double& x : w) x += shift;
    f.move_to(w);
    double objective = 0;
    if (f.objective(objective)) values.push_back(objective);
    for (int again = 0; again < 2; ++again) {
      add(f.jacobian(), nlp.jacobian.size()), add(f.gradient(), nlp.n()), add(f.constraints(), nlp.m());
      add(f.hessian(0.5 + again, lambda), nlp.hessian.size()), add(f.gauss_newton(2), nlp.gauss_newton.size());
    }
  }
  return values;
}

bool no_child_is_left() { return waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD; }

Report in_child(const EngineOptions& options, const ChildSolve& solve) {
  FormulaNlp p(two_rows());
  Iterate start;
  start.w = p.nlp.start;
  Report report = solve_in_child(p.nlp, options, start, "it", solve);
  EXPECT_TRUE(no_child_is_left());
  return report;
}

const std::vector<double> found{1, 2, 3};

TEST(ChildProcess, has_the_values_of_the_functions_and_gives_its_report_back) {
  FormulaNlp p(two_rows());
  const std::vector<double> expected = all_values(p.nlp);
  Report report = in_child({}, [&](const Nlp& nlp, const EngineOptions&, const Iterate& start, Incumbents&) {
    Report told;
    bool same = start.w == nlp.start && all_values(nlp) == expected;
    told.status = same ? Status::acceptable : Status::infeasible;
    told.message = "as it should be", told.iterations = 17, told.objective = 4.5, told.iterate.w = found;
    told.integers = {.found = true, .method = "some", .bound = 4.25, .nodes = 5, .stopped = "a limit"};
    return told;
  });
  EXPECT_EQ(report.status, Status::acceptable);
  EXPECT_EQ(report.message, "as it should be");
  EXPECT_EQ(report.iterations, 17);
  EXPECT_EQ(report.objective, 4.5);
  EXPECT_EQ(report.iterate.w, found);
  EXPECT_EQ(report.integers.method + report.integers.stopped, "somea limit");
  EXPECT_EQ(report.integers.bound, 4.25);
  EXPECT_EQ(report.integers.nodes, 5);
}

TEST(ChildProcess, is_told_where_values_are_not_finite) {
  FormulaNlp p({.start = {-1}, .objective = [](X x) { return log(x[1]); }});
  Iterate start;
  start.w = p.nlp.start;
  Report report =
      solve_in_child(p.nlp, {}, start, "it", [](const Nlp& nlp, const EngineOptions&, const Iterate&, Incumbents&) {
        Report told;
        double f = 0;
        nlp.functions->move_to(nlp.start);
        told.status = nlp.functions->objective(f) ? Status::solved : Status::evaluation_error;
        return told;
      });
  EXPECT_EQ(report.status, Status::evaluation_error);
}

TEST(ChildProcess, dies_alone_and_leaves_what_it_has_found) {
  Report report = in_child({}, [&](const Nlp&, const EngineOptions&, const Iterate&, Incumbents& incumbents) -> Report {
    incumbents.offer(found, 3);
    incumbents.offer(std::vector<double>{7, 7, 7}, 5);  // no better
    std::fputs("some text\nAssertion `1 == 2' failed.\n", stderr);
    std::abort();
  });
  EXPECT_EQ(report.status, Status::failed);
  EXPECT_EQ(report.message, "it ended its process (Assertion `1 == 2' failed.)");
  EXPECT_TRUE(report.integers.found);
  EXPECT_EQ(report.objective, 3);
  EXPECT_EQ(report.iterate.w, found);
  EXPECT_EQ(report.iterate.lambda.size(), 2u);
}

TEST(ChildProcess, that_throws_or_exits_has_failed) {
  auto throws = [](const Nlp&, const EngineOptions&, const Iterate&, Incumbents&) -> Report { throw std::bad_alloc(); };
  Report report = in_child({}, throws);
  EXPECT_EQ(report.status, Status::failed);
  EXPECT_EQ(report.message, "it ended its process (std::bad_alloc)");
  EXPECT_FALSE(report.integers.found);
  auto exits = [](const Nlp&, const EngineOptions&, const Iterate&, Incumbents&) -> Report { _exit(0); };
  EXPECT_EQ(in_child({}, exits).status, Status::failed);
}

TEST(ChildProcess, prints_nothing) {
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  in_child({}, [](const Nlp&, const EngineOptions&, const Iterate&, Incumbents&) {
    std::puts("out"), std::fflush(stdout), std::fputs("error", stderr);
    return Report{};
  });
  EXPECT_EQ(::testing::internal::GetCapturedStdout() + ::testing::internal::GetCapturedStderr(), "");
}

TEST(ChildProcess, that_does_not_heed_an_interrupt_or_the_limit_of_time_is_ended) {
  auto hangs = [](const Nlp&, const EngineOptions&, const Iterate&, Incumbents& incumbents) -> Report {
    incumbents.offer(found, 3);
    for (;;) pause();
  };
  const volatile bool stop = true;
  Report interrupted = in_child({.budget = Budget(&stop)}, hangs);
  EXPECT_EQ(interrupted.status, Status::interrupted);
  EXPECT_EQ(interrupted.integers.stopped, "an interrupt");
  EXPECT_EQ(interrupted.iterate.w, found);
  Report late = in_child({.budget = Budget(1e-3)}, hangs);
  EXPECT_EQ(late.status, Status::time_limit);
  EXPECT_EQ(late.integers.stopped, "the time limit");
}

TEST(ChildProcess, hears_of_an_interrupt_at_its_next_evaluation) {
  const volatile bool stop = true;
  Report report =
      in_child({.budget = Budget(&stop)}, [](const Nlp& nlp, const EngineOptions& options, const Iterate&, Incumbents&) {
        Report told;
        nlp.functions->move_to(nlp.start);
        nlp.functions->gradient();
        told.status = options.budget.interrupted() ? Status::acceptable : Status::failed;
        return told;
      });
  EXPECT_EQ(report.status, Status::acceptable);
}

TEST(ChildProcess, may_be_started_by_several_threads) {
  auto solve = [](const Nlp& nlp, const EngineOptions&, const Iterate&, Incumbents&) {
    Report told;
    told.iterations = static_cast<int>(all_values(nlp).size());
    return told;
  };
  auto ten = [&] {
    for (int k = 0; k < 10; ++k) {
      FormulaNlp p(two_rows());
      Iterate start;
      start.w = p.nlp.start;
      Report report = solve_in_child(p.nlp, {}, start, "it", solve);
      EXPECT_EQ(report.iterations, static_cast<int>(all_values(p.nlp).size())) << report.message;
    }
  };
  std::thread other(ten);
  ten();
  other.join();
}

}  // namespace
}  // namespace bolza::nlp
