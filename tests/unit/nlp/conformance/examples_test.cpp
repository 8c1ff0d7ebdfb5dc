// Every engine on the test examples of [HS1981] and the sums of squares of [MGH1981].
#include <gtest/gtest.h>

#include "runtime/nlp/solve.h"
#include "tests/unit/nlp/conformance/cases.h"
#include "tests/unit/nlp/conformance/kkt.h"
#include "tests/unit/nlp/hock_schittkowski/hock_schittkowski.h"
#include "tests/unit/nlp/more_garbow_hillstrom/more_garbow_hillstrom.h"

namespace bolza::nlp::testing {
namespace {

/// Solves with every engine and compares with the optimum and the known local ones.
void judge_example(const std::string& topic, const Formulas& formulas, double optimum, std::vector<double> optima) {
  optima.insert(optima.begin(), optimum);
  for (const EngineCase& the_case : cases_for(FormulaNlp(formulas).nlp)) {
    FormulaNlp problem(formulas);
    EngineOptions options = the_case.options();
    options.max_iterations = 300;  // where an engine arrives it takes a third of that
    Report report = solve(problem.nlp, options);
    judge(the_case, topic, complaint_about(problem, the_case, report, optima));
  }
}

TEST(nlp_engines, solve_the_examples_of_hock_and_schittkowski) {
  for (const HockSchittkowski& hs : hock_schittkowski())
    judge_example("HS" + std::to_string(hs.number), hs.formulas, hs.optimum, hs.other_optima);
}

TEST(nlp_engines, solve_the_sums_of_squares_of_more_garbow_and_hillstrom) {
  for (const MoreGarbowHillstrom& mgh : more_garbow_hillstrom())
    judge_example("MGH" + std::to_string(mgh.number), mgh.formulas, mgh.optimum, mgh.other_optima);
}

}  // namespace
}  // namespace bolza::nlp::testing
