// SPDX-License-Identifier: Apache-2.0
// What a simulation gives, writes and refuses.
#include "workflow/simulate/simulate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "runtime/result/file.h"
#include "tests/unit/workflow/models.h"

namespace bolza::workflow {
namespace {

const std::string decay_model =
    "model Decay\n  parameter Real k = 2;\n  Real x(start = 3, fixed = true);\n  Real y;\nequation\n  der(x) = -k*x;\n  y = "
    "2*x;\nend "
    "Decay;\n";

struct Simulated {
  std::unique_ptr<Model> model;
  std::optional<SimulateOutcome> outcome;
  explicit Simulated(const std::string& text, const std::function<void(SimulateRequest&)>& change = {})
      : model(model_of(text)) {
    SimulateRequest request;
    request.output = file_of_test("simulated.mat"), request.stop = 1;
    if (change) change(request);
    Result<SimulateOutcome> done = simulate(*model, request);
    if (done) outcome = *std::move(done);
  }
  double final(const std::string& name) const {
    for (const auto& [known, value] : outcome->final)
      if (known == name) return value;
    return std::nan("");
  }
};

TEST(Simulate, it_integrates_and_writes_what_it_was_asked_for) {
  Simulated run(decay_model, [](SimulateRequest& request) {
    request.csv = file_of_test("simulated.csv"), request.report = file_of_test("simulated.html"), request.step = 0.25;
  });
  ASSERT_TRUE(run.outcome) << codes_of(*run.model);
  EXPECT_EQ(run.outcome->status, "finished");
  EXPECT_NEAR(run.final("x"), 3 * std::exp(-2), 1e-4);
  EXPECT_NEAR(run.final("y"), 6 * std::exp(-2), 2e-4);
  for (const std::string& file : {run.outcome->result, run.outcome->csv, run.outcome->page})
    EXPECT_TRUE(std::filesystem::exists(file)) << file;
  Sources sources;
  Diagnostics diagnostics;
  auto table = result::read_result(run.outcome->result, sources, diagnostics);
  ASSERT_TRUE(table);
  EXPECT_EQ(table->time.size(), 5u);
}

TEST(Simulate, every_kind_of_integrator_gives_the_same_end) {
  for (const char* name : {"cvodes", "idas", "dopri5", "radau5", "rk4"}) {
    Simulated run(decay_model, [&](SimulateRequest& request) {
      request.options = options_of({{"integrator", name}});
      if (std::string(name) == "rk4") request.method_options = {{"fixed_step", "0.001"}};
    });
    ASSERT_TRUE(run.outcome) << name << codes_of(*run.model);
    EXPECT_NEAR(run.final("x"), 3 * std::exp(-2), 1e-4) << name;
  }
}

TEST(Simulate, inputs_come_from_a_table) {
  std::string file = written_file("input.csv", "time,u\n0,0\n1,2\n");
  Simulated run("model Sum\n  Real x(start = 0, fixed = true);\n  input Real u;\nequation\n  der(x) = u;\nend Sum;\n",
                [&](SimulateRequest& request) { request.input_file = file; });
  ASSERT_TRUE(run.outcome) << codes_of(*run.model);
  EXPECT_NEAR(run.final("x"), 1, 1e-5);  // the integral of 2 t
}

TEST(Simulate, a_solution_that_ends_is_written_as_far_as_it_goes) {
  Simulated run("model Blows\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = x^2;\nend Blows;\n",
                [](SimulateRequest& request) { request.stop = 2; });
  ASSERT_TRUE(run.outcome);
  EXPECT_NE(run.outcome->status, "finished");
  EXPECT_EQ(codes_of(*run.model), "E601");
  EXPECT_NEAR(run.outcome->report.time, 1, 1e-2);  // 1/(1 - t)
  EXPECT_TRUE(std::filesystem::exists(run.outcome->result));
}

TEST(Simulate, events_assertions_and_ends_are_told) {
  Simulated run(
      "model Falls\n  Real h(start = 1, fixed = true), v(start = 0, fixed = true);\nequation\n  der(h) = v;\n  der(v) = "
      "-2;\n"
      "  when h < 0 then\n    terminate(\"it is down\");\n  end when;\n  assert(h > 0.5, \"it is low\", "
      "AssertionLevel.warning);\nend Falls;\n",
      [](SimulateRequest& request) { request.stop = 5; });
  ASSERT_TRUE(run.outcome) << codes_of(*run.model);
  EXPECT_NEAR(run.outcome->report.time, 1, 1e-6);  // h = 1 - t²
  EXPECT_NE(codes_of(*run.model).find("W601"), std::string::npos);
  EXPECT_NE(codes_of(*run.model).find("W602"), std::string::npos);
}

TEST(Simulate, states_are_chosen_anew_where_their_choice_becomes_singular) {
  Simulated run(  // a pendulum that goes round: neither coordinate is a state all the way
      "model Pendulum\n  Real x(start = 0.6), y(start = -0.8), vx(start = 4), vy(start = 3), f;\nequation\n  der(x) = vx;\n "
      " der(y) "
      "= vy;\n  der(vx) = -f*x;\n  der(vy) = -f*y;\n  x^2 + y^2 = 1;\nend Pendulum;\n",
      [](SimulateRequest& request) { request.stop = 2, request.options = options_of({{"rtol", "1e-8"}}); });
  ASSERT_TRUE(run.outcome) << codes_of(*run.model);
  EXPECT_EQ(run.outcome->status, "finished");
  EXPECT_GT(run.outcome->choices, 1u);
  double x = run.final("x"), y = run.final("y");
  EXPECT_NEAR(x * x + y * y, 1, 1e-5);
}

TEST(Simulate, what_cannot_be_is_refused) {
  auto code = [](const std::function<void(SimulateRequest&)>& change) {
    Simulated run(decay_model, change);
    EXPECT_FALSE(run.outcome);
    return codes_of(*run.model).substr(0, 4);
  };
  EXPECT_EQ(code([](SimulateRequest& r) { r.options.values["integrator"] = "rk99"; }), "E603");
  EXPECT_EQ(code([](SimulateRequest& r) { r.method_options = {{"no_such", "1"}}; }), "E605");
  EXPECT_EQ(code([](SimulateRequest& r) { r.method_options = {{"fixed_step", "much"}}; }), "E605");
}

}  // namespace
}  // namespace bolza::workflow
