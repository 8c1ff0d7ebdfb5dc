// SPDX-License-Identifier: Apache-2.0
// Gradients of objectives and outputs by every way, against closed forms.
#include "workflow/gradient/gradient.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/workflow/models.h"

namespace bolza::workflow {
namespace {

/// J = x(1) = a exp(-k): dJ/da = exp(-k), dJ/dk = -a exp(-k).
const std::string decay_text =
    "optimization G(objective = x(finalTime), finalTime = 1)\n  parameter Real k(free = true, initialGuess = 2, min = 0, "
    "max = 9);\n"
    "  parameter Real a(free = true, initialGuess = 3, min = 0, max = 9);\n  Real x, w(start = 0, fixed = true);\ninitial "
    "equation\n  x = "
    "a;\nequation\n  der(x) = -k*x;\n  der(w) = x;\nend G;\n";

double entry(const GradientResult& result, const std::string& name, std::size_t row = 0, std::size_t way = 0) {
  for (std::size_t d = 0; d < result.directions.size(); ++d)
    if (result.directions[d].name == name) return result.ways[way].gradient[row * result.directions.size() + d];
  return std::nan("");
}

TEST(Gradient, every_way_gives_the_same) {
  for (const char* by : {"adjoint", "forward", "discrete", "differences"}) {
    auto model = model_of(decay_text);
    GradientRequest request;
    request.by = by, request.directions = {"a", "k"};
    Result<GradientResult> result = gradient(*model, request);
    ASSERT_TRUE(result) << by << codes_of(*model);
    EXPECT_NEAR(result->objective, 3 * std::exp(-2), 1e-6) << by;
    EXPECT_NEAR(entry(*result, "a"), std::exp(-2), 1e-5) << by;
    EXPECT_NEAR(entry(*result, "k"), -3 * std::exp(-2), 1e-5) << by;
  }
}

TEST(Gradient, a_check_has_the_other_ways_and_a_hessian_its_second_derivatives) {
  auto model = model_of(decay_text);
  GradientRequest request;
  request.directions = {"k"}, request.check = request.hessian = true;
  Result<GradientResult> result = gradient(*model, request);
  ASSERT_TRUE(result) << codes_of(*model);
  EXPECT_GT(result->ways.size(), 1u);
  for (std::size_t way = 0; way < result->ways.size(); ++way) {
    if (!result->ways[way].good) continue;
    EXPECT_NEAR(entry(*result, "k", 0, way), -3 * std::exp(-2), 1e-5) << way;
  }
  ASSERT_EQ(result->hessian.size(), 1u);
  EXPECT_NEAR(result->hessian[0], 3 * std::exp(-2), 1e-4);
}

TEST(Gradient, outputs_are_split_at_commas_outside_of_parentheses) {
  std::vector<Output> outputs = split_outputs("x(finalTime), max(x, w) ,objective");
  ASSERT_EQ(outputs.size(), 3u);
  EXPECT_EQ(outputs[0].name, "x(finalTime)");
  EXPECT_EQ(outputs[1].name, "max(x, w)");
  EXPECT_EQ(outputs[2].name, "objective");
}

TEST(Gradient, of_several_outputs_has_a_row_for_each) {
  const std::string text = "objective, w";
  auto plain = model_of(decay_text);
  std::vector<Output> outputs = split_outputs(text);
  LoadRequest load;
  load.outputs = output_expressions(*plain, text, outputs);
  auto model = model_of(decay_text, load);
  GradientRequest request;
  request.directions = {"a"}, request.outputs = outputs;
  Result<GradientResult> result = gradient(*model, request);
  ASSERT_TRUE(result) << codes_of(*model);
  ASSERT_EQ(result->outputs.size(), 2u);
  EXPECT_NEAR(entry(*result, "a", 0), std::exp(-2), 1e-5);
  EXPECT_NEAR(entry(*result, "a", 1), (1 - std::exp(-2)) / 2, 1e-5);
}

TEST(Gradient, what_cannot_be_differentiated_is_refused) {
  auto model = model_of(decay_text),
       simulated = model_of("model M\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = -x;\nend M;\n");
  GradientRequest unknown;
  unknown.directions = {"kk"};
  EXPECT_FALSE(gradient(*model, unknown));
  EXPECT_EQ(codes_of(*model), "E916");
  EXPECT_FALSE(gradient(*simulated, {}));
  EXPECT_EQ(codes_of(*simulated), "E908");
}

TEST(Gradient, parameters_among_the_directions_are_freed) {
  auto model = model_of(
      "optimization H(objective = x(finalTime), finalTime = 1)\n  parameter Real k = 2;\n  Real x(start = 1, fixed = "
      "true);\nequation\n  der(x) = -k*x;\nend H;\n");
  EXPECT_EQ(freeing_settings(*model, {"k", "x"}), std::vector<std::string>{"k(free=true)"});
}

}  // namespace
}  // namespace bolza::workflow
