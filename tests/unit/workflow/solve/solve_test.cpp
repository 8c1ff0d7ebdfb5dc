// SPDX-License-Identifier: Apache-2.0
// What `solve` makes of a model and its options: one stage, chains, whole numbers, objectives, chance constraints, jumps.
// With the solvers that are built; every optimum has a closed form.
#include "workflow/solve/solve.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/unit/workflow/models.h"
#include "workflow/solve/attempts/hand_over.h"
#include "workflow/solve/nonsmooth/jump_modes.h"
#include "workflow/solve/report/report_json.h"
#include "workflow/solve/several/chance.h"
#include "workflow/solve/several/front.h"

namespace bolza::workflow {
namespace {

/// From 0 to 1 in one second with the least energy: u = 1, the objective is 1.
const std::string energy_text =
    "optimization Energy(objectiveIntegrand = u^2, finalTime = 1)\n  Real x(start = 0, fixed = true);\n  input Real u(min = "
    "-5, max = 5);\nequation\n  der(x) = u;\nconstraint\n  x(finalTime) = 1;\nend Energy;\n";

/// The same in a free time: the energy of the fastest way is 1/time.
const std::string trade_text =
    "optimization Trade(objective = finalTime, finalTime(free = true, min = 1, max = 2, initialGuess = 1.5))\n  Real "
    "x(start = "
    "0, fixed = true), e(start = 0, fixed = true);\n  input Real u(min = 0, max = 5);\nequation\n  der(x) = u;\n  der(e) = "
    "u^2;\n"
    "constraint\n  x(finalTime) = 1;\nend Trade;\n";

SolveRequest request_of(std::initializer_list<std::pair<const char*, const char*>> options = {},
                        const std::string& chain = "") {
  SolveRequest request;
  request.options = options_of(options), request.chain = chain;
  request.output = file_of_test("result.mat");
  return request;
}

/// Solves, or has reported why not.
std::optional<SolveOutcome> outcome_of(Model& model, const SolveRequest& request) {
  Result<SolveOutcome> outcome = solve(model, request);
  if (outcome) return *std::move(outcome);
  return {};
}

TEST(Solve, one_stage_gives_the_optimum_and_writes_it) {
  auto model = model_of(energy_text);
  SolveRequest request = request_of();
  request.csv = file_of_test("result.csv"), request.report = file_of_test("result.html");
  auto outcome = outcome_of(*model, request);
  ASSERT_TRUE(outcome) << codes_of(*model);
  EXPECT_EQ(outcome->solution.status, abi::SolveStatus::solved);
  EXPECT_NEAR(outcome->solution.objective, 1, 1e-6);
  EXPECT_EQ(outcome->warnings, Warnings());
  EXPECT_EQ(outcome->method, "radau, 50 intervals of 3 points, control collocated, ipopt");
  ASSERT_EQ(outcome->stages.size(), 1u);
  EXPECT_TRUE(outcome->accuracy.known);
  for (const std::string& file : {outcome->result, outcome->csv, outcome->report})
    EXPECT_TRUE(std::filesystem::exists(file)) << file;
  nlohmann::json report = report_json(*model, *outcome);
  EXPECT_EQ(report["status"], "solved");
  EXPECT_NEAR(report["final"]["x"].get<double>(), 1, 1e-6);
}

TEST(Solve, every_transcription_and_grid_gives_the_same_optimum) {
  for (auto options :
       {options_of({{"transcription", "single-shooting"}}), options_of({{"transcription", "multiple-shooting"}}),
        options_of({{"transcription", "gauss"}, {"refine", "1e-6"}}), options_of({{"mesh", "0,0.2,1"}}),
        options_of({{"control", "constant"}, {"mesh", "10"}}), options_of({{"nlp", "hqp"}}),
        options_of({{"transcription", "multiple-shooting"}, {"control-grid", "u=5"}, {"mesh", "10"}}),
        options_of({{"transcription", "single-shooting"}, {"refine", "1e-5"}})}) {
    auto model = model_of(energy_text);
    SolveRequest request = request_of();
    request.options = options;
    auto outcome = outcome_of(*model, request);
    ASSERT_TRUE(outcome) << codes_of(*model);
    EXPECT_NEAR(outcome->solution.objective, 1, 1e-5) << outcome->method;
    EXPECT_TRUE(abi::is_solution(outcome->solution.status)) << outcome->method;
  }
}

TEST(Solve, a_chain_hands_over_what_each_stage_gives) {
  auto model = model_of(energy_text);
  auto outcome = outcome_of(*model, request_of({}, "euler(mesh=10, hand-over=states) -> radau(mesh=20) -> radau(mesh=20)"));
  ASSERT_TRUE(outcome) << codes_of(*model);
  ASSERT_EQ(outcome->stages.size(), 3u);
  EXPECT_EQ(outcome->stages[0].handed_over, "");
  EXPECT_EQ(outcome->stages[1].handed_over, "states");
  EXPECT_EQ(outcome->stages[2].handed_over, "states, controls, costates, multipliers, active sets");
  EXPECT_NEAR(outcome->solution.objective, 1, 1e-6);
  EXPECT_EQ(outcome->kept_stage, 0u);
}

TEST(Solve, a_chain_whose_last_stage_fails_keeps_the_one_before) {
  auto model = model_of(energy_text);
  auto outcome = outcome_of(
      *model, request_of({{"retry", "false"}}, "radau(mesh=10, hand-over=none) -> radau(mesh=20, max-iterations=1)"));
  ASSERT_TRUE(outcome) << codes_of(*model);
  EXPECT_EQ(outcome->solution.status, abi::SolveStatus::iteration_limit);
  EXPECT_EQ(outcome->kept_stage, 1u);
  EXPECT_NEAR(outcome->solution.objective, 1, 1e-6);
  EXPECT_EQ(outcome->stages[1].handed_over, "nothing");
}

TEST(Solve, a_first_stage_that_fails_ends_the_chain) {
  auto model = model_of(energy_text);
  auto outcome = outcome_of(*model, request_of({{"retry", "false"}}, "radau(max-iterations=1) -> radau"));
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->stages.size(), 1u);
  EXPECT_EQ(outcome->solution.status, abi::SolveStatus::iteration_limit);
}

TEST(Solve, a_result_starts_it_again_on_its_mesh) {
  auto model = model_of(energy_text), again = model_of(energy_text);
  SolveRequest first = request_of({{"mesh", "12"}});
  ASSERT_TRUE(outcome_of(*model, first));
  SolveRequest second = request_of();
  second.init_from = first.output, second.output = file_of_test("again.mat");
  auto outcome = outcome_of(*again, second);
  ASSERT_TRUE(outcome) << codes_of(*again);
  EXPECT_EQ(outcome->solution.phases[0].mesh.size(), 13u);
  EXPECT_LE(outcome->solution.statistics.iterations, 4);
  EXPECT_EQ(codes_of(*again), "");
}

TEST(Solve, it_refuses_what_is_wrong_with_the_options) {
  struct WrongRow {
    std::string text, chain;
    std::initializer_list<std::pair<const char*, const char*>> options;
    const char* codes;
  };
  const std::string model_alone = "model M\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = -x;\nend M;\n";
  for (const WrongRow& row : {WrongRow{model_alone, "", {}, "E908"},
                              {energy_text, "radau ->", {}, "E905"},
                              {energy_text, "", {{"nlp", "gurobi"}}, "E701"},
                              {energy_text, "", {{"integrator", "rk99"}}, "E603"},
                              {trade_text, "", {{"nlp", "nlsq"}}, "E910"},
                              {energy_text, "", {{"condensing", "true"}}, "E910"},
                              {energy_text, "", {{"control-grid", "x=3"}}, "E910"},
                              {energy_text, "", {{"phase-mesh", "second=3"}}, "E910"}}) {
    auto model = model_of(row.text);
    EXPECT_FALSE(outcome_of(*model, request_of(row.options, row.chain)));
    EXPECT_EQ(codes_of(*model).substr(0, 4), row.codes) << row.chain;
  }
}

TEST(Solve, it_warns_of_options_that_nothing_has_a_use_for) {
  for (auto options : {std::pair{"points", "2"},
                       {"hand-over", "states"},
                       {"integer-gap", "0.1"},
                       {"tighten", "true"},
                       {"lift", "false"},
                       {"path-constraints", "maxima"}}) {
    auto model = model_of(energy_text);
    SolveRequest request = request_of({options});
    if (std::string(options.first) == "points") request = request_of({options, {"transcription", "euler"}});
    ASSERT_TRUE(outcome_of(*model, request)) << options.first;
    EXPECT_EQ(codes_of(*model).substr(0, 4), "W910") << options.first;
  }
}

TEST(Solve, an_interrupt_before_it_began_leaves_no_solution) {
  auto model = model_of(energy_text);
  SolveRequest request = request_of();
  static volatile bool interrupt = true;
  request.budget = Budget(&interrupt);
  auto outcome = outcome_of(*model, request);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->solution.status, abi::SolveStatus::interrupted);
}

TEST(Solve, constraints_that_cannot_hold_together_are_named) {
  auto model = model_of(
      "optimization Far(objectiveIntegrand = u^2, finalTime = 1)\n  Real x(start = 0, fixed = true);\n  input Real u(min = "
      "-1, "
      "max = 1);\nequation\n  der(x) = u;\nconstraint\n  x(finalTime) = 2;\nend Far;\n");
  auto outcome = outcome_of(*model, request_of());
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->solution.status, abi::SolveStatus::infeasible);
  std::string names;
  for (const abi::Finding& f : outcome->solution.findings)
    if (f.kind == abi::Finding::Kind::conflict) names += f.name + "; ";
  EXPECT_NE(names.find("x(finalTime) = 2"), std::string::npos) << names;
}

TEST(Solve, a_static_problem_has_neither_mesh_nor_simulation) {
  auto model = model_of(
      "optimization Square(objective = (p - 2)^2 + 3, static = true)\n  parameter Real p(free = true, min = -9, max = "
      "9);\nend Square;\n");
  auto outcome = outcome_of(*model, request_of());
  ASSERT_TRUE(outcome) << codes_of(*model);
  EXPECT_NEAR(outcome->solution.objective, 3, 1e-6);
  EXPECT_FALSE(outcome->accuracy.known);
}

/// On two intervals x ends at 0, 0.5 or 1.
const std::string whole_text =
    "optimization Whole(objective = (x(finalTime) - 0.4)^2, finalTime = 1)\n  Real x(start = 0, fixed = true);\n  input "
    "Integer "
    "n(min = 0, max = 1);\nequation\n  der(x) = n;\nend Whole;\n";

TEST(Solve, whole_numbers_are_searched_rounded_or_relaxed) {
  for (auto [integers, objective] : {std::pair{"branch", 0.01}, {"sum-up", 0.01}, {"relax", 0.0}}) {
    auto model = model_of(whole_text);
    auto outcome = outcome_of(*model, request_of({{"mesh", "2"}, {"integers", integers}}));
    ASSERT_TRUE(outcome) << integers << codes_of(*model);
    EXPECT_NEAR(outcome->solution.objective, objective, 1e-5) << integers;
    EXPECT_EQ(outcome->solution.integers.any, std::string(integers) != "relax");
    EXPECT_EQ(outcome->warnings.size(), std::string(integers) == "relax" ? 1u : 0u) << integers;
  }
}

// ---------------------------------------------------------------- objectives

Objectives objectives_of(const std::string& text, Model& base) {
  Result<Objectives> read = read_objectives(text, base, base.sources, base.diagnostics);
  EXPECT_TRUE(read) << text << codes_of(base);
  return read ? *read : Objectives{};
}

TEST(SolveObjectives, the_text_says_which_way) {
  auto base = model_of(trade_text);
  EXPECT_EQ(objectives_of("0.3*e + 0.7*finalTime", *base).way, ObjectivesWay::weighted);
  EXPECT_EQ(objectives_of("finalTime > e", *base).way, ObjectivesWay::lexicographic);
  EXPECT_EQ(objectives_of("finalTime, e", *base).way, ObjectivesWay::front);
  EXPECT_EQ(objectives_of("max(e, x), e", *base).list.size(), 2u) << "a comma between parentheses does not separate";
  EXPECT_EQ(objectives_of("e", *base).list[0].expression, "e(finalTime)");
  for (const char* wrong : {"energy, e", "e, e", "e > x, e", "e,", "(e", "e)", "e = 1", "e;"}) {
    auto model = model_of(trade_text);
    EXPECT_FALSE(read_objectives(wrong, *model, model->sources, model->diagnostics)) << wrong;
    EXPECT_EQ(codes_of(*model), "E979") << wrong;
  }
}

TEST(SolveObjectives, a_weighted_sum_is_one_problem) {
  auto base = model_of(trade_text);
  Model weighted;  // e = 1/T: T + e is least at T = 1; with 0.25 T it is at T = 2
  LoadRequest load = with_objective(*base, objectives_of("0.25*finalTime + e", *base), 0, {});
  ASSERT_TRUE(weighted.load(load));
  auto outcome = outcome_of(weighted, request_of());
  ASSERT_TRUE(outcome) << codes_of(weighted);
  EXPECT_NEAR(outcome->solution.objective, 1, 1e-5);
  EXPECT_NEAR(report_json(weighted, *outcome)["final_time"].get<double>(), 2, 1e-3);
}

TEST(SolveObjectives, an_order_holds_the_earlier_within_the_slack) {
  auto base = model_of(trade_text);
  ObjectivesOutcome outcome =
      solve_in_order(*base, objectives_of("finalTime > e", *base), {.slack = 1e-2}, request_of({{"mesh", "10"}}));
  ASSERT_TRUE(outcome.complete);
  ASSERT_EQ(outcome.points.size(), 2u);
  EXPECT_EQ(outcome.points[0].name, "1. finalTime");
  EXPECT_NEAR(outcome.points[0].values[0], 1, 1e-5);
  EXPECT_NEAR(outcome.points[1].limits[0], 1.01, 1e-5);
  EXPECT_NEAR(outcome.points[1].values[1], 1 / 1.01, 1e-5);
}

TEST(SolveObjectives, a_front_has_its_anchors_and_points_between_them) {
  auto base = model_of(trade_text);
  SolveRequest request = request_of({{"mesh", "10"}});
  request.output = file_of_test("front.csv");
  ObjectivesOutcome outcome = solve_front(*base, objectives_of("finalTime, e", *base), {.points = 3}, request);
  ASSERT_TRUE(outcome.complete);
  EXPECT_FALSE(outcome.agree);
  ASSERT_EQ(outcome.points.size(), 5u);
  for (const ObjectivePoint& point : outcome.points) {
    EXPECT_TRUE(point.solved()) << point.name;
    EXPECT_NEAR(point.values[0] * point.values[1], 1, 1e-3) << point.name;
    EXPECT_FALSE(point.dominated) << point.name;
    EXPECT_TRUE(std::filesystem::exists(point.result)) << point.name;
  }
  EXPECT_NEAR(outcome.points[0].values[0], 1, 1e-3);
  EXPECT_NEAR(outcome.points[1].values[1], 0.5, 1e-3);
  EXPECT_NEAR(outcome.points[3].values[1], 0.75, 1e-3) << "limits are spaced evenly";
  // below the line between the anchors by 1 - (T - 1) - (e - 1/2)*2, most near T = sqrt(2): of e = 0.875, 0.75, 0.625 the
  // second
  for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(outcome.points[k].knee, k == 3) << k;
}

TEST(SolveObjectives, objectives_that_agree_have_one_point) {
  auto base = model_of(trade_text);
  SolveRequest request = request_of({{"mesh", "10"}});
  request.output = file_of_test("agree.csv");
  ObjectivesOutcome outcome = solve_front(*base, objectives_of("finalTime, 2*finalTime", *base), {.points = 3}, request);
  EXPECT_TRUE(outcome.agree);
  EXPECT_EQ(outcome.points.size(), 2u);
}

TEST(SolveObjectives, an_anchor_that_fails_ends_the_front) {
  auto base = model_of(trade_text);
  SolveRequest request = request_of({{"mesh", "10"}, {"retry", "false"}, {"max-iterations", "1"}});
  request.output = file_of_test("failing.csv");
  ObjectivesOutcome outcome = solve_front(*base, objectives_of("finalTime, e", *base), {.points = 3}, request);
  EXPECT_FALSE(outcome.complete);
  EXPECT_LE(outcome.points.size(), 2u);
  static volatile bool interrupt = true;
  request.budget = Budget(&interrupt);
  EXPECT_EQ(solve_front(*base, objectives_of("finalTime, e", *base), {.points = 3}, request).points.size(), 0u);
}

// ---------------------------------------------------------------- chance constraints, jumps

/// x(1) = u has to reach what turns out to be needed.
const std::string chance_text =
    "optimization Chance(objective = u, finalTime = 1)\n  parameter Real need = 1;\n  parameter Real u(free = true, min = "
    "0, max "
    "= 100);\n  Real x(start = 0, fixed = true);\nequation\n  der(x) = u;\nconstraint\n  x(finalTime) >= need;\nend "
    "Chance;\n";

TEST(SolveChance, the_heaviest_scenarios_are_let_go_as_far_as_the_probability_allows) {
  std::string table = written_file("needs.csv", "scenario,need,weight\na,1,2\nb,2,1\nc,10,1\n");
  for (auto [chance, objective, excused] : {std::tuple{1.0, 10.0, 0u}, {0.76, 10.0, 0u}, {0.75, 2.0, 1u}, {0.5, 1.0, 2u}}) {
    LoadRequest load;
    load.scenarios.file = table, load.scenarios.chance = chance;
    std::unique_ptr<Model> model = model_of(chance_text, load);
    Result<SolveOutcome> outcome = solve_with_chance(model, request_of({{"mesh", "3"}}));
    ASSERT_TRUE(outcome) << codes_of(*model);
    EXPECT_NEAR(outcome->solution.objective, objective, 1e-4) << chance;
    EXPECT_EQ(model->request.scenarios.excused.size(), excused) << chance;
  }
}

const std::string ball_text =
    "optimization Ball(objectiveIntegrand = u^2/2, finalTime = 1)\n  Real h(start = 1, fixed = true), v(start = 0, fixed = "
    "true);\n  input Real u;\nequation\n  der(h) = v;\n  der(v) = u - 9.81;\n  when h < 0 then\n    reinit(v, "
    "-0.8*pre(v));\n  end "
    "when;\nconstraint\n  h(finalTime) = 1;\n  v(finalTime) = 0;\nend Ball;\n";

TEST(SolveJumps, a_model_that_jumps_is_solved_in_flights_from_its_simulation) {
  LoadRequest load;
  load.texts.push_back({"model", ball_text}), load.cache = false, load.form = passes::Form::explicit_rates;
  Model refused;
  ASSERT_FALSE(refused.load(load));
  JumpModes modes = jump_modes(load, Budget(), refused);
  ASSERT_TRUE(modes.pieces) << codes_of(refused);
  EXPECT_EQ(modes.jumps, std::vector<std::string>{"v"});
  SolveRequest request = request_of();
  request.guess = &modes.guess;
  Model& pieces = *modes.pieces;
  auto outcome = outcome_of(pieces, request);
  ASSERT_TRUE(outcome) << codes_of(pieces);
  EXPECT_NEAR(outcome->solution.objective, 2.5706515958,
              1e-5);  // two parabolas of least effort, see examples/ball_returned.mop
  tell_jumps(pieces, modes, *outcome);
  ASSERT_FALSE(outcome->relations.empty());
  EXPECT_NE(outcome->relations.back().find("`reinit(v, …)` at 0.4705"), std::string::npos) << outcome->relations.back();
}

TEST(SolveJumps, a_model_without_jumps_stays_refused_as_it_was) {
  LoadRequest load;
  load.texts.push_back({"model", "optimization P(objective = y(finalTime), finalTime = 1)\n  Real y;\nend P;\n"});
  load.cache = false;
  Model refused;
  ASSERT_FALSE(refused.load(load));
  std::string codes = codes_of(refused);
  EXPECT_FALSE(jump_modes(load, Budget(), refused).pieces);
  EXPECT_EQ(codes_of(refused), codes);
}

// ---------------------------------------------------------------- hand-over

TEST(HandOver, it_reads_the_list) {
  EXPECT_EQ(text_of(hand_over_of(options_of({}))), "states, controls, costates, multipliers, active sets");
  EXPECT_EQ(text_of(hand_over_of(options_of({{"hand-over", "none"}}))), "nothing");
  EXPECT_EQ(text_of(hand_over_of(options_of({{"hand-over", "controls,active-sets"}}))), "controls, active sets");
}

TEST(HandOver, what_is_not_handed_over_is_the_problems_own_guess) {
  auto model = model_of(energy_text);
  auto outcome = outcome_of(*model, request_of({{"mesh", "5"}}));
  ASSERT_TRUE(outcome);
  const abi::Solution& all = outcome->solution;
  auto given = [&](const char* list) {
    return handed_over(model->abi(), all, hand_over_of(options_of({{"hand-over", list}})));
  };
  EXPECT_EQ(given("all").warm_start.rows, all.warm_start.rows);
  abi::Solution states = given("states"), controls = given("controls");
  EXPECT_EQ(states.phases[0].trajectories.x, all.phases[0].trajectories.x);
  for (double u : states.phases[0].trajectories.u[0]) EXPECT_EQ(u, 0);
  for (double x : controls.phases[0].trajectories.x[0]) EXPECT_EQ(x, 0);  // the start value
  EXPECT_TRUE(states.warm_start.rows.empty());
  EXPECT_TRUE(states.phases[0].trajectories.costate.empty());
  EXPECT_TRUE(has_costates(model->abi(), given("states,controls,costates")));
  EXPECT_FALSE(has_costates(model->abi(), states));
  EXPECT_EQ(barrier_of_hand_over(hand_over_of(options_of({{"hand-over", "multipliers,active-sets"}}))), 1e-6);
  EXPECT_EQ(barrier_of_hand_over(hand_over_of(options_of({{"hand-over", "multipliers"}}))), 0.1);
}

}  // namespace
}  // namespace bolza::workflow
