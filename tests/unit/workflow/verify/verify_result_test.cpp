// SPDX-License-Identifier: Apache-2.0
// What verification accepts, and that it refuses results that were tampered with.
#include "workflow/verify/verify_result.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "runtime/result/file.h"
#include "tests/unit/workflow/models.h"
#include "workflow/solve/report/report.h"

namespace bolza::workflow {
namespace {

/// Bryson and Denham's problem, of its published form: the wall is touched along an arc [BH1975].
const char* const with_wall = R"(optimization Wall(objectiveIntegrand = 0.5*a^2, finalTime = 1)
  parameter Real wall = 0.1;
  Real x(start = 0, fixed = true), v(start = 1, fixed = true);
  input Real a(min = -20, max = 20);
equation
  der(x) = v;
  der(v) = a;
constraint
  x <= wall;
  x(finalTime) = 0;
  v(finalTime) = -1;
end Wall;
)";

/// The integrand has a minimum over u near 1, and a lower one near -1; x has nothing to say.
const char* const two_valleys = R"(optimization Valleys(objectiveIntegrand = (u^2 - 1)^2 + 0.3*u + x^2, finalTime = 1)
  parameter Real lowest = 0;
  Real x(start = 0, fixed = true);
  input Real u(min = lowest, max = 2);
equation
  der(x) = 0.01*u;
end Valleys;
)";

/// A bound on the control is reached, and the objective has a free time in it.
const char* const free_time =
    R"(optimization Car(objective = finalTime, finalTime(free = true, start = 3, min = 0.5, max = 20))
  Real x(start = 0, fixed = true), v(start = 0, fixed = true);
  input Real a(min = -1, max = 1);
equation
  der(x) = v;
  der(v) = a - 0.1*v;
constraint
  x(finalTime) = 1;
  v(finalTime) = 0;
end Car;
)";

/// The speed is at its limit most of the way: 22 [BH1975].
const char* const with_speed_limit =
    R"(optimization Way(objective = finalTime, finalTime(free = true, min = 1, max = 1000))
  Real x(start = 0, fixed = true), v(start = 0, fixed = true, max = 10);
  input Real a(min = -10, max = 10/3);
equation
  der(x) = v;
  der(v) = a;
constraint
  x(finalTime) = 200;
  v(finalTime) = 0;
end Way;
)";

/// An index-1 equation beside the states.
const char* const with_algebraic = R"(optimization Loop(objectiveIntegrand = x^2 + u^2, finalTime = 2)
  Real x(start = 1, fixed = true), z(start = 0.5);
  input Real u(min = -1, max = 1);
equation
  der(x) = -z + u;
  z + 0.1*z^3 = x;
end Loop;
)";

/// The optimum is x = 0; beyond the time pi it is none, as the conjugate point of the start is passed [BH1975].
const char* const conjugate = R"(optimization Conjugate(objectiveIntegrand = u^2 - x^2, finalTime = T)
  parameter Real T = 3;
  Real x(start = 0, fixed = true);
  input Real u(min = -100, max = 100);
equation
  der(x) = u;
constraint
  x(finalTime) = 0;
end Conjugate;
)";

/// From rest to rest with the least energy, without bounds [BH1975].
const char* const at_rest = R"(optimization Rest(objectiveIntegrand = u^2/2, finalTime = 1)
  Real x(start = 0, fixed = true), v(start = 0, fixed = true);
  input Real u;
equation
  der(x) = v;
  der(v) = u;
constraint
  x(finalTime) = 1;
  v(finalTime) = 0;
end Rest;
)";

/// Two controls of which the difference alone counts.
const char* const of_differences = R"(optimization Differences(objectiveIntegrand = x^2 + (u1 - u2)^2, finalTime = 1)
  Real x(start = 1, fixed = true);
  input Real u1, u2;
equation
  der(x) = 1.1*u1 - 1.1*u2;
end Differences;
)";

struct SolvedProblem {
  std::unique_ptr<Model> model;
  result::ResultTable table;

  explicit SolvedProblem(const char* text, const char* transcription = "radau") : model(model_of(text)) {
    SolveRequest request;
    request.files = false;
    request.options = options_of({{"transcription", transcription}});
    Result<SolveOutcome> found = solve(*model, request);
    EXPECT_TRUE(found);
    if (found) table = result_table(*model, found->solution);
  }

  std::vector<double>& column(const std::string& name) { return table.columns[result::find(table, name)->column]; }

  VerifyOutcome verify(double tolerance = 1e-3) {
    Result<VerifyOutcome> found =
        verify_solution(*model, table, {.result = {}, .load = {}, .tolerance = tolerance, .sensitivity = {}});
    EXPECT_TRUE(found);
    return found ? *found : VerifyOutcome{};
  }
};

std::string unmet_conditions(const VerifyOutcome& outcome) {
  std::string text;
  for (const verify::ConditionCheck& check : outcome.certificate.checks)
    if (check.result != verify::CheckResult::passed)
      text += std::string(check.name) + (check.result == verify::CheckResult::failed ? "" : " not checked") + "; ";
  return text;
}

bool breaks_condition(const VerifyOutcome& outcome, std::string_view name) {
  return std::ranges::any_of(outcome.certificate.checks, [&](const verify::ConditionCheck& check) {
    return check.name == name && check.result == verify::CheckResult::failed;
  });
}

TEST(Verify, accepts_what_is_optimal) {
  for (const char* text : {with_wall, free_time, with_algebraic}) {
    SolvedProblem solved(text);
    VerifyOutcome outcome = solved.verify();
    EXPECT_EQ(outcome.proof, Proof::verified) << unmet_conditions(outcome) << text;
  }
}

TEST(Verify, accepts_what_runs_along_a_limit_of_a_state) {
  SolvedProblem solved(with_speed_limit);
  VerifyOutcome outcome = solved.verify();
  EXPECT_EQ(outcome.proof, Proof::verified) << unmet_conditions(outcome);
}

TEST(Verify, accepts_other_transcriptions) {
  for (const char* transcription : {"gauss", "multiple-shooting", "single-shooting"}) {
    SolvedProblem solved(with_algebraic, transcription);
    VerifyOutcome outcome = solved.verify();
    EXPECT_EQ(outcome.proof, Proof::verified) << transcription << ": " << unmet_conditions(outcome);
  }
}

TEST(Verify, finds_the_objective_by_its_own_quadrature) {
  SolvedProblem solved(with_wall);
  EXPECT_NEAR(solved.verify().certificate.objective, 4 / (9 * 0.1), 1e-3) << "4/(9 l) of Bryson and Denham";
}

TEST(Verify, refuses_a_state_that_was_moved) {
  SolvedProblem solved(free_time);
  std::vector<double>& x = solved.column("x");
  x[x.size() / 2] += 1e-3;
  VerifyOutcome outcome = solved.verify();
  EXPECT_EQ(outcome.proof, Proof::refused);
  EXPECT_TRUE(breaks_condition(outcome, "dynamics")) << unmet_conditions(outcome);
}

TEST(Verify, refuses_controls_out_of_their_bounds) {
  SolvedProblem solved(free_time);
  solved.column("a")[4] = 1.01;
  VerifyOutcome outcome = solved.verify();
  EXPECT_TRUE(breaks_condition(outcome, "bounds")) << unmet_conditions(outcome);
}

TEST(Verify, refuses_another_objective) {
  SolvedProblem solved(with_wall);
  for (auto& [key, text] : solved.table.metadata)
    if (key == "objective") text = "4.4";
  VerifyOutcome outcome = solved.verify();
  EXPECT_TRUE(breaks_condition(outcome, "objective")) << unmet_conditions(outcome);
}

TEST(Verify, refuses_what_is_not_a_number) {
  for (const char* name : {"x", "v", "a", "der(x)", "costate(x)"}) {
    SolvedProblem solved(free_time);
    std::vector<double>& column = solved.column(name);
    std::size_t mesh_point = 12;  // of Radau with three points: a costate between them is not looked at
    column[mesh_point] = std::nan("");
    EXPECT_EQ(solved.verify().proof, Proof::refused) << name;
  }
}

TEST(Verify, says_that_a_trajectory_has_no_length) {
  SolvedProblem solved(with_wall);
  for (double& t : solved.table.time) t = 0;
  VerifyOutcome outcome = solved.verify();
  EXPECT_EQ(outcome.proof, Proof::incomplete);
  ASSERT_FALSE(outcome.certificate.checks.empty());
  EXPECT_NE(outcome.certificate.checks[0].text.find("no length"), std::string::npos) << outcome.certificate.checks[0].text;
}

TEST(Verify, refuses_times_that_do_not_ascend) {
  SolvedProblem solved(with_wall);
  std::swap(solved.table.time[3], solved.table.time[7]);
  EXPECT_EQ(solved.verify().proof, Proof::refused);
}

TEST(Verify, refuses_multipliers_of_the_wrong_sign) {
  SolvedProblem solved(with_wall);
  for (double& nu : solved.column("multiplier(x <= wall)")) nu = -nu;
  EXPECT_TRUE(breaks_condition(solved.verify(), "signs of multipliers")) << "in the column that a person sees";
  SolvedProblem stored(with_wall);
  for (result::MultiplierAmount& m : stored.table.multipliers)
    if (m.kind == result::MultiplierAmount::Kind::path) m.amount = -m.amount;
  EXPECT_TRUE(breaks_condition(stored.verify(), "signs of multipliers"));
  EXPECT_TRUE(breaks_condition(stored.verify(), "costates")) << "they no longer fit the costates";
}

TEST(Verify, refuses_costates_that_do_not_belong) {
  SolvedProblem solved(free_time);
  for (double& lambda : solved.column("costate(x)")) lambda *= 1.1;
  EXPECT_EQ(solved.verify().proof, Proof::refused);
}

TEST(Verify, refuses_a_local_optimum_where_the_minimum_principle_fails) {
  SolvedProblem solved(two_valleys);
  EXPECT_EQ(solved.verify().proof, Proof::verified) << "with u >= 0 it is the only one";
  LoadRequest wider;
  wider.settings = {"lowest=-2"};
  solved.model = model_of(two_valleys, wider);
  VerifyOutcome outcome = solved.verify();
  EXPECT_TRUE(breaks_condition(outcome, "minimum principle")) << unmet_conditions(outcome);
  EXPECT_FALSE(breaks_condition(outcome, "stationarity")) << "it is stationary all the same";
}

TEST(Verify, says_global_where_the_structure_is_convex) {
  SolvedProblem solved(with_wall);
  VerifyOutcome outcome = solved.verify();
  EXPECT_TRUE(outcome.certificate.is_global) << "linear dynamics, a square, a linear limit";
  EXPECT_LT(outcome.certificate.gap, 4e-3);
  EXPECT_LE(outcome.certificate.objective - outcome.certificate.gap, 4 / (9 * 0.1)) << "a lower bound of the optimum";
  EXPECT_FALSE(SolvedProblem(two_valleys).verify().certificate.is_convex);
  EXPECT_FALSE(SolvedProblem(with_algebraic).verify().certificate.is_convex);
}

TEST(Verify, bounds_the_optimum_without_bounds_of_controls_where_these_have_a_cost_of_their_own) {
  SolvedProblem free(at_rest);
  VerifyOutcome outcome = free.verify();
  EXPECT_TRUE(outcome.certificate.is_global) << unmet_conditions(outcome);
  EXPECT_NEAR(outcome.certificate.objective, 6, 1e-6) << "in closed form";
  SolvedProblem flat(of_differences);
  outcome = flat.verify();
  EXPECT_TRUE(outcome.certificate.is_convex);
  EXPECT_FALSE(outcome.certificate.is_global) << "nothing is said of u1 + u2, by which the dual falls without end";
}

TEST(Verify, finds_the_gap_of_what_is_feasible_but_not_optimal) {
  SolvedProblem solved(with_wall);
  LoadRequest lower;
  lower.settings = {"wall=0.12"};
  solved.model = model_of(with_wall, lower);
  VerifyOutcome outcome = solved.verify();
  EXPECT_TRUE(breaks_condition(outcome, "complementarity")) << unmet_conditions(outcome);
  EXPECT_FALSE(outcome.certificate.is_global);
  EXPECT_GT(outcome.certificate.gap, 4 / 0.9 - 4 / (9 * 0.12)) << "no less than it truly is";
}

TEST(Verify, refuses_an_arc_beyond_a_conjugate_point) {
  SolvedProblem solved(conjugate);
  EXPECT_EQ(solved.verify().proof, Proof::verified) << unmet_conditions(solved.verify());
  LoadRequest longer;
  longer.settings = {"T=3.3"};
  solved.model = model_of(conjugate, longer);
  EXPECT_TRUE(breaks_condition(solved.verify(), "times")) << "the stored trajectory ends at 3";
  for (double& t : solved.table.time) t *= 1.1;
  VerifyOutcome outcome = solved.verify();
  EXPECT_FALSE(breaks_condition(outcome, "stationarity")) << "zero satisfies all conditions of first order";
  EXPECT_TRUE(breaks_condition(outcome, "second order")) << unmet_conditions(outcome);
}

TEST(Verify, says_what_it_could_not_check) {
  SolvedProblem solved(with_wall);
  std::erase_if(solved.table.variables, [](const auto& v) { return v.role == result::Role::costate; });
  VerifyOutcome outcome = solved.verify();
  EXPECT_EQ(outcome.proof, Proof::incomplete);
  EXPECT_NE(unmet_conditions(outcome).find("costates not checked"), std::string::npos) << unmet_conditions(outcome);
}

TEST(Verify, needs_the_name_of_the_model) {
  SolvedProblem solved(with_wall);
  std::string file = file_of_test("unnamed.csv");
  Diagnostics diagnostics;
  ASSERT_TRUE(result::write_result(solved.table, file, diagnostics));
  VerifyRun run = verify_result({.result = file, .load = {}, .sensitivity = {}});
  EXPECT_FALSE(run.outcome);
  EXPECT_EQ(codes_of(*run.model), "E990");
}

}  // namespace
}  // namespace bolza::workflow
