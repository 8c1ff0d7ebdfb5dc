// SPDX-License-Identifier: Apache-2.0
// Identification of terms, and what terms may be: exact data give the coefficients that made them.
#include "workflow/fit/identify.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/numbers.h"
#include "tests/unit/workflow/models.h"
#include "workflow/fit/condition_terms.h"
#include "workflow/fit/read_data.h"

namespace bolza::workflow {
namespace {

/// Three experiments of der(x) = -p x with p = 1 + c/2.
IdentificationRequest rates_of(double noise = 0) {
  IdentificationRequest request;
  request.load.texts.push_back({"model",
                                "model Rate\n  parameter Real p(free = true, initialGuess = 1);\n  Real x(start = 2, fixed "
                                "= true);\nequation\n  der(x) = -p*x;\nend "
                                "Rate;\n"});
  request.load.cache = false;
  std::string text = "time,x,condition\n";
  int k = 0;
  for (double c : {0.0, 1.0, 3.0})
    for (double t : {0.25, 0.5, 1.0, 1.5, 2.0})
      text += exact_text(t) + "," + exact_text(2 * std::exp(-(1 + c / 2) * t) + (++k % 2 ? noise : -noise)) + ",c" +
              shown(c) + "\n";
  request.data = {written_file("rates.csv", text)};
  request.conditions = written_file("rates_conditions.csv", "condition,c\nc0,0\nc1,1\nc3,3\n");
  request.terms = {"1, c, c^2"};
  return request;
}

struct Identified {
  std::unique_ptr<Model> model = std::make_unique<Model>();
  std::optional<IdentificationOutcome> outcome;
  explicit Identified(const IdentificationRequest& request) {
    Result<IdentificationOutcome> done = identify(model, request);
    if (done) outcome = *std::move(done);
  }
  std::string code() const { return codes_of(*model).substr(0, 4); }
};

TEST(Identify, exact_data_give_the_coefficients_back) {
  IdentificationRequest request = rates_of();
  request.how.select = false;
  Identified run(request);
  ASSERT_TRUE(run.outcome) << codes_of(*run.model);
  const Eigen::VectorXd& a = run.outcome->result.selection.all.a;
  ASSERT_EQ(a.size(), 3);
  EXPECT_NEAR(a[0], 1, 1e-4);
  EXPECT_NEAR(a[1], 0.5, 1e-4);
  EXPECT_NEAR(a[2], 0, 1e-4);
  EXPECT_EQ(run.outcome->labels, (std::vector<std::string>{"1", "c", "c^2"}));
}

TEST(Identify, a_term_that_the_data_do_not_need_leaves) {
  Identified run(rates_of(0.01));
  ASSERT_TRUE(run.outcome) << codes_of(*run.model);
  const estimate::InversionResult& chosen = run.outcome->result.selection.chosen;
  EXPECT_TRUE(chosen.active[0]);
  EXPECT_TRUE(chosen.active[1]);
  EXPECT_FALSE(chosen.active[2]);
  EXPECT_NEAR(chosen.a[1], 0.5, 0.1);
}

TEST(Identify, mistakes_are_told) {
  IdentificationRequest term = rates_of(), unknown = rates_of(), none = rates_of();
  term.terms = {"1, c^x"}, unknown.terms = {"1, d"}, none.terms.clear();
  none.conditions.clear(), none.data = {written_file("one.csv", "time,x\n0.5,1\n1,0.5\n")};
  EXPECT_EQ(Identified(term).code(), "E944");
  EXPECT_EQ(Identified(unknown).code(), "E945");
  EXPECT_EQ(Identified(none).code(), "E947");
}

TEST(ConditionTerms, they_are_products_of_powers) {
  Sources sources;
  Diagnostics diagnostics;
  Result<TermList> list = read_terms("p = 1, c2, c1^2, c1*c2, c1/c2", sources, diagnostics);
  ASSERT_TRUE(list);
  EXPECT_EQ(list->parameter, "p");
  std::vector<double> values;
  for (const ConditionTerm& term : list->terms) values.push_back(value_of(term, {{"c1", 3}, {"c2", 2}}));
  EXPECT_EQ(values, (std::vector<double>{1, 2, 9, 6, 1.5}));
  Result<TermList> spaced = read_terms(" p =  c1 ^ 2 , c1 *c2/ c1,\tv [ 1 ] ", sources, diagnostics);
  ASSERT_TRUE(spaced);
  EXPECT_EQ(spaced->parameter, "p");
  EXPECT_EQ(spaced->terms[0].name, "c1^2");
  EXPECT_EQ(spaced->terms[1].name, "c1*c2/c1");
  EXPECT_EQ(spaced->terms[2].name, "v[1]");
  for (const char* wrong : {"", "1,,c", "c^", "2*c", "(c)", "c2 c3", "1, c2 c3", "c[1] c", "c1*c2\tc3", "c^2 3"}) {
    Diagnostics own;
    EXPECT_FALSE(read_terms(wrong, sources, own)) << wrong;
    ASSERT_EQ(own.errors(), 1u) << wrong;
    EXPECT_EQ(own.all()[0].code->id, "E944") << wrong;
  }
}

TEST(ReadParameters, a_table_frees_scales_and_fixes) {
  Sources sources;
  Diagnostics diagnostics;
  FitProblem problem;
  std::string path = written_file(
      "parameters.csv", "parameter,scale,lower,upper,nominal,estimate\nk,log10,0.01,10,1,1\na0,lin,,,2,0\nb,,,5,,true\n");
  ASSERT_TRUE(read_parameters(path, problem, sources, diagnostics));
  ASSERT_EQ(problem.parameters.size(), 2u);
  EXPECT_EQ(problem.parameters[0].scale, estimate::Scale::log10);
  EXPECT_EQ(problem.parameters[0].lower, 0.01);
  EXPECT_EQ(problem.parameters[0].value, 1);
  EXPECT_EQ(problem.parameters[1].lower, std::nullopt);
  EXPECT_EQ(problem.parameters[1].upper, 5);
  EXPECT_EQ(problem.fixed.at("a0").text, "2");
  for (const char* wrong : {"scale\nlog\n", "parameter,scale\nk,cubic\n", "parameter\nk\nk\n",
                            "parameter,estimate\nk,maybe\n", "parameter,lower\nk,low\n"}) {
    Diagnostics own;
    FitProblem other;
    EXPECT_FALSE(read_parameters(written_file("wrong.csv", wrong), other, sources, own)) << wrong;
    EXPECT_EQ(own.errors(), 1u) << wrong;
  }
}

}  // namespace
}  // namespace bolza::workflow
