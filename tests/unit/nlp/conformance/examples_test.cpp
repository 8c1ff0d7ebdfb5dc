// Every engine on the test examples of [HS1981].
#include <gtest/gtest.h>

#include "runtime/nlp/solve.h"
#include "tests/unit/nlp/conformance/cases.h"
#include "tests/unit/nlp/conformance/kkt.h"
#include "tests/unit/nlp/hock_schittkowski/hock_schittkowski.h"

namespace bolza::nlp::testing {
namespace {

TEST(nlp_engines, solve_the_examples_of_hock_and_schittkowski) {
  constexpr int iterations = 300;  // where an engine arrives it takes a third of that
  for (const HockSchittkowski& hs : hock_schittkowski()) {
    std::string topic = "HS" + std::to_string(hs.number);
    std::vector<double> optima = hs.other_optima;
    optima.insert(optima.begin(), hs.optimum);
    for (const EngineCase& the_case : cases_for(FormulaNlp(hs.formulas).nlp)) {
      FormulaNlp problem(hs.formulas);
      EngineOptions options = the_case.options();
      options.max_iterations = iterations;
      Report report = solve(problem.nlp, options);
      judge(the_case, topic, complaint_about(problem, the_case, report, optima));
    }
  }
}

}  // namespace
}  // namespace bolza::nlp::testing
