// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/outcome/verdict.h"

#include <gtest/gtest.h>

#include <set>

namespace bolza::workflow {
namespace {

SolveOutcome outcome_of(abi::SolveStatus status, bool has_warning) {
  SolveOutcome outcome;
  outcome.solution.status = status;
  if (has_warning) outcome.warnings.push_back({WarningKind::not_simulated, "too many steps", "a longer one"});
  return outcome;
}

TEST(Verdict, the_status_comes_before_warnings) {
  using enum abi::SolveStatus;
  EXPECT_EQ(verdict_of(outcome_of(solved, false)), Verdict::solved);
  EXPECT_EQ(verdict_of(outcome_of(solved, true)), Verdict::solved_with_warnings);
  for (bool has_warning : {false, true}) {
    for (abi::SolveStatus status :
         {acceptable, infeasible, iteration_limit, time_limit, diverging, unbounded, evaluation_error, failed})
      EXPECT_EQ(verdict_of(outcome_of(status, has_warning)), Verdict::not_solved) << abi::name_of(status);
    EXPECT_EQ(verdict_of(outcome_of(interrupted, has_warning)), Verdict::interrupted);
    EXPECT_EQ(verdict_of(outcome_of(refused, has_warning)), Verdict::refused);
  }
}

TEST(Verdict, it_reads_as_what_the_status_is_and_what_was_stopped) {
  using enum abi::SolveStatus;
  EXPECT_EQ(text_of_verdict(outcome_of(solved, true)), "solved, with warnings");
  EXPECT_EQ(text_of_verdict(outcome_of(infeasible, true)), text_of_verdict(outcome_of(infeasible, false)));
  SolveOutcome stopped = outcome_of(solved, false);
  stopped.stopped = Stopped{mesh_refinement, true};
  EXPECT_EQ(text_of_verdict(stopped), "solved; the refinement of the mesh was stopped by the time limit");
}

TEST(Warnings, every_kind_has_a_name_of_its_own_and_a_meaning) {
  std::set<std::string_view> names;
  for (const WarningRow& row : warning_table()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(name_of(row.kind), row.name);
    EXPECT_TRUE(row.meaning.ends_with(".")) << row.name;
  }
}

TEST(Warnings, text_and_remedy_are_one_line) {
  EXPECT_EQ(line_of({WarningKind::not_simulated, "too many steps", "a longer one"}), "too many steps; a longer one");
  EXPECT_EQ(line_of({WarningKind::not_simulated, "too many steps"}), "too many steps");
}

}  // namespace
}  // namespace bolza::workflow
