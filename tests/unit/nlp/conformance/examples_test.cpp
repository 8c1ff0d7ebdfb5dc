// SPDX-License-Identifier: Apache-2.0
// Every engine on the test examples of [HS1981] and the sums of squares of [MGH1981].
#include "runtime/nlp/solve.h"
#include "tests/unit/further_samples.h"
#include "tests/unit/nlp/conformance/cases.h"
#include "tests/unit/nlp/conformance/engines_fixture.h"
#include "tests/unit/nlp/conformance/kkt.h"
#include "tests/unit/nlp/hock_schittkowski/hock_schittkowski.h"
#include "tests/unit/nlp/more_garbow_hillstrom/more_garbow_hillstrom.h"

namespace bolza::nlp::testing {
namespace {

/// Solves with the engines that take the matrix, and compares with the optimum and the known local ones: with every second
/// engine, at the next example with the others, and with all where further samples are asked for.
template <class Example>
void judge_example(const std::string& collection, const Example& example, Hessian hessian) {
  std::vector<double> optima = example.other_optima;
  optima.insert(optima.begin(), example.optimum);
  int turn = example.number;
  for (const EngineCase& the_case : cases_for(FormulaNlp(example.formulas).nlp)) {
    if (the_case.hessian != hessian) continue;
    if (++turn % 2 && !bolza::testing::further_samples()) continue;
    FormulaNlp problem(example.formulas);
    EngineOptions options = the_case.options();
    options.max_iterations = hessian == Hessian::lbfgs ? 600 : 300;  // where an engine arrives it takes a third, or half
    Report report = solve(problem.nlp, options);
    judge(the_case, collection + std::to_string(example.number), complaint_about(problem, the_case, report, optima));
  }
}

template <class Example>
void judge_examples(const std::string& collection, const std::vector<Example>& examples, Hessian hessian) {
  for (const Example& example : examples) judge_example(collection, example, hessian);
}

TEST_F(NlpEngines, solve_the_examples_of_hock_and_schittkowski_with_exact_hessians) {
  judge_examples("HS", hock_schittkowski(), Hessian::exact);
}

TEST_F(NlpEngines, solve_the_examples_of_hock_and_schittkowski_with_quasi_newton_matrices) {
  judge_examples("HS", hock_schittkowski(), Hessian::lbfgs);
}

TEST_F(NlpEngines, solve_the_examples_of_hock_and_schittkowski_with_gauss_newton_matrices) {
  judge_examples("HS", hock_schittkowski(), Hessian::gauss_newton);
}

TEST_F(NlpEngines, solve_the_sums_of_squares_of_more_garbow_and_hillstrom) {
  for (Hessian hessian : {Hessian::exact, Hessian::lbfgs, Hessian::gauss_newton})
    judge_examples("MGH", more_garbow_hillstrom(), hessian);
}

}  // namespace
}  // namespace bolza::nlp::testing
