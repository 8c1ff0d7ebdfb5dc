// SPDX-License-Identifier: Apache-2.0
// Guesses that vary with time, starts that are not held, values that are not finite, which methods go together.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "tests/unit/workflow/models.h"
#include "tests/unit/workflow/solve/fake_solver.h"
#include "workflow/emit.h"
#include "workflow/solve/attempts/free_starts.h"
#include "workflow/solve/attempts/guess_from_file.h"
#include "workflow/solve/attempts/timed_guess.h"
#include "workflow/solve/method/combinations.h"

namespace bolza::workflow {
namespace {

TEST(TimedGuess, it_is_evaluated_along_the_guessed_horizon) {
  auto model = model_of(
      "optimization P(objectiveIntegrand = u^2, finalTime(free = true, min = 1, max = 9, initialGuess = 4))\n  Real x(start "
      "= 1, fixed = true, "
      "initialGuess = 1 + time^2);\n  Real y(start = 2, fixed = true);\n  input Real u(initialGuess = 2*time);\nequation\n  "
      "der(x) = u;\n  "
      "der(y) = -y;\nconstraint\n  x(finalTime) = 5;\nend P;\n");
  abi::Solution guess = timed_guess(*model, built_library(), false);
  ASSERT_EQ(guess.phases.size(), 1u);
  const abi::Trajectories& y = guess.phases[0].trajectories;
  EXPECT_EQ(guess.phases[0].final_time, 4);
  ASSERT_GE(y.time.size(), 1001u);
  EXPECT_DOUBLE_EQ(y.time.back(), 4);
  for (std::size_t k = 0; k < y.time.size(); k += 100) {
    EXPECT_NEAR(y.x[0][k], 1 + y.time[k] * y.time[k], 1e-12);
    EXPECT_NEAR(y.x[1][k], 2, 1e-12) << "what does not vary is constant";
    EXPECT_NEAR(y.u[0][k], 2 * y.time[k], 1e-12);
  }
}

TEST(TimedGuess, there_is_none_where_no_guess_varies) {
  auto model = model_of(
      "optimization P(objectiveIntegrand = u^2, finalTime = 1)\n  Real x(start = 1, fixed = true, initialGuess = 3);\n  "
      "input Real "
      "u;\nequation\n  der(x) = u;\nend P;\n");
  EXPECT_TRUE(timed_guess(*model, built_library(), false).phases.empty());
}

std::string start_text(const std::string& attributes, const std::string& rest = "") {
  return "optimization P(objective = x(finalTime)^2, finalTime = 1)\n  Real x(" + attributes +
         ");\n  input Real u(min = -1, max = 1);\n" + rest +
         "equation\n  der(x) = u;\nconstraint\n  x(finalTime) >= 0;\nend P;\n";
}

std::string warned(const std::string& text, double found) {
  auto model = model_of(text);
  model->diagnostics.clear();
  abi::Solution solution = ended({});
  solution.phases[0].trajectories.x = {{found, found}};
  warn_of_free_starts(*model, solution);
  return codes_of(*model);
}

TEST(FreeStarts, a_start_value_that_the_optimum_left_is_warned_of) {
  EXPECT_EQ(warned(start_text("start = 1"), 0.5), "W921");
  EXPECT_EQ(warned(start_text("start = 1"), 1.0005), "") << "it is held";
  EXPECT_EQ(warned(start_text("start = 1, fixed = true"), 0.5), "");
  EXPECT_EQ(warned(start_text("start = 1, fixed = false"), 0.5), "") << "it is meant so";
  EXPECT_EQ(warned(start_text("start = 1, initialGuess = 2"), 0.5), "") << "there is a guess of its own";
  EXPECT_EQ(warned(start_text(""), 0.5), "") << "there is none";
  EXPECT_EQ(warned(start_text("start = 1", "initial equation\n  x = 0.5;\n"), 0.5), "") << "an equation says it";
}

TEST(GuessFromFile, it_takes_what_is_there_and_warns_of_the_rest) {
  auto model = model_of(
      "optimization P(objectiveIntegrand = u^2, finalTime = 1)\n  Real x(start = 0, fixed = true), w(start = 0, fixed = "
      "true);\n  input Real "
      "u;\nequation\n  der(x) = u;\n  der(w) = x;\nend P;\n");
  auto all = guess_from_file(*model, written_file("all.csv", "time,x,w,u\n0,0,0,1\n1,1,0.5,1\n"));
  ASSERT_TRUE(all);
  EXPECT_EQ(all->phases.at(0).trajectories.x.at(0).back(), 1);
  EXPECT_EQ(codes_of(*model), "");
  ASSERT_TRUE(guess_from_file(*model, written_file("some.csv", "time,x\n0,0\n1,1\n")));
  EXPECT_EQ(model->diagnostics.warnings(), 2u);
  EXPECT_FALSE(guess_from_file(*model, written_file("none.csv", "time,zz\n0,0\n1,1\n")));
  EXPECT_FALSE(guess_from_file(*model, file_of_test("no_such_file.mat")));
  EXPECT_EQ(model->diagnostics.errors(), 2u);
}

TEST(Nonfinite, the_expression_that_is_not_finite_is_named) {
  auto model = model_of(
      "optimization P(objectiveIntegrand = u^2, finalTime = 1)\n  parameter Real k = 5;\n  Real x(start = 5, fixed = "
      "true);\n  input Real "
      "u;\nequation\n  der(x) = u + 1/(x - k);\nend P;\n");
  SolveRequest request;
  request.options = options_of({{"retry", "false"}, {"mesh", "3"}});
  request.output = file_of_test("nonfinite.mat");
  Result<SolveOutcome> outcome = solve(*model, request);
  ASSERT_TRUE(outcome) << codes_of(*model);
  EXPECT_EQ(outcome->solution.status, abi::SolveStatus::evaluation_error);
  std::string texts;
  for (const abi::Finding& f : outcome->solution.findings) texts += f.text + "; ";
  EXPECT_NE(texts.find("`1/(x - k)`"), std::string::npos) << texts;
  EXPECT_NE(texts.find("`x - k` = 0"), std::string::npos) << texts;
}

TEST(Combinations, every_transcription_goes_together_with_some_engine) {
  std::set<std::string> with_one, all;
  for (const MethodTriple& c : combinations(built_library())) {
    all.insert(c.transcription);
    if (c.reason.empty()) with_one.insert(c.transcription);
    EXPECT_EQ(c.reason.empty(), c.nearest.empty())
        << c.transcription << " " << c.integrator << " " << c.engine << ": " << c.reason;
    EXPECT_EQ(c.integrator.empty(), !c.transcription.ends_with("shooting")) << c.transcription;
  }
  EXPECT_EQ(with_one, all);
  EXPECT_GE(all.size(), 8u);
}

std::string combined(const driver::Options& options) {
  Diagnostics diagnostics;
  std::vector<Stage> stages{{"", options}};
  auto done = check_combinations(stages, built_library(), diagnostics);
  EXPECT_EQ(static_cast<bool>(done), diagnostics.errors() == 0);
  std::string codes;
  for (const Diagnostic& d : diagnostics.all()) codes += (codes.empty() ? "" : " ") + std::string(d.code->id);
  return codes;
}

TEST(Combinations, what_does_not_go_together_is_refused_and_what_is_of_no_use_is_warned_of) {
  EXPECT_EQ(combined(options_of({})), "");
  EXPECT_EQ(combined(options_of({{"transcription", "single-shooting"}, {"integrator", "cvodes"}})), "");
  EXPECT_EQ(combined(options_of({{"integrator", "cvodes"}})), "W910") << "radau has steps of its own";
  EXPECT_EQ(combined(options_of({{"hqp.x", "1"}})), "W910") << "an option of another engine";
  EXPECT_EQ(combined(options_of({{"form", "reduced"}})), "W910");
  driver::Options fixed = options_of({{"transcription", "single-shooting"}, {"integrator", "cvodes"}});
  fixed.values["integrator.fixed_step"] = "0.1";
  EXPECT_EQ(combined(fixed), "E910");
  fixed.values["integrator"] = "rk4";
  EXPECT_EQ(combined(fixed), "");
}

TEST(Combinations, every_refused_one_is_refused_by_its_options) {
  int refused = 0;
  for (const MethodTriple& c : combinations(built_library())) {
    driver::Options options;
    options.values = {{"transcription", c.transcription}, {"nlp", c.engine}};
    if (!c.integrator.empty()) options.values["integrator"] = c.integrator;
    bool wrong = combined(options).starts_with("E910");
    EXPECT_EQ(wrong, !c.reason.empty()) << c.transcription << " " << c.integrator << " " << c.engine;
    refused += wrong;
  }
  EXPECT_GT(refused, 0);
}

TEST(Emit, it_writes_kernels_and_a_header_but_none_over_somebody_elses) {
  auto model = model_of(
      "optimization P(objectiveIntegrand = u^2, finalTime = 1)\n  Real x(start = 1, fixed = true);\n  input Real "
      "u;\nequation\n  der(x) = "
      "u;\nend P;\n");
  std::string stem = file_of_test("emitted");
  Result<Emitted> object = emit(*model, EmitForm::object, stem);
  ASSERT_TRUE(object) << codes_of(*model);
  EXPECT_TRUE(std::filesystem::exists(object->path));
  EXPECT_TRUE(std::filesystem::exists(object->header));
  EXPECT_FALSE(is_foreign_header(object->header));
  EXPECT_TRUE(emit(*model, EmitForm::object, stem)) << "its own header it writes again";
  std::ofstream(stem + ".h") << "int mine;\n";
  EXPECT_TRUE(is_foreign_header(stem + ".h"));
  EXPECT_FALSE(emit(*model, EmitForm::object, stem));
  EXPECT_EQ(codes_of(*model), "E923");
  EXPECT_EQ(ending_of(EmitForm::llvm), ".ll");
  EXPECT_EQ(ending_of(EmitForm::object), ".o");
}

}  // namespace
}  // namespace bolza::workflow
