// SPDX-License-Identifier: Apache-2.0
// Solves the test examples of [HS1981] and the sums of squares of [MGH1981] with every engine and every matrix of second
// derivatives that it takes, and prints one JSON object a line: what scripts/engines makes its page of. What counts as
// solved is what the conformance tests ask for. bolza_bench_engines [engine [number]]
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/memory_policy.h"
#include "runtime/nlp/solve.h"
#include "tests/unit/nlp/conformance/cases.h"
#include "tests/unit/nlp/conformance/kkt.h"
#include "tests/unit/nlp/hock_schittkowski/hock_schittkowski.h"
#include "tests/unit/nlp/more_garbow_hillstrom/more_garbow_hillstrom.h"

namespace {

using namespace bolza::nlp;
using namespace bolza::nlp::testing;

/// One example of a collection.
struct Example {
  std::string collection;
  int number = 0;
  Formulas formulas;
  double optimum = 0;
  std::vector<double> other_optima;
};

std::vector<Example> examples() {
  std::vector<Example> list;
  for (HockSchittkowski& e : hock_schittkowski())
    list.push_back({"HS", e.number, std::move(e.formulas), e.optimum, std::move(e.other_optima)});
  for (MoreGarbowHillstrom& e : more_garbow_hillstrom())
    list.push_back({"MGH", e.number, std::move(e.formulas), e.optimum, std::move(e.other_optima)});
  return list;
}

void print(const EngineCase& the_case, const Example& example) {
  FormulaNlp problem(example.formulas);
  EngineOptions options = the_case.options();
  options.max_iterations = 300;  // as the conformance tests
  Report report = solve(problem.nlp, options);
  const Evaluations count = problem.evaluations;
  std::vector<double> optima = example.other_optima;
  optima.insert(optima.begin(), example.optimum);
  const EngineException* known = exception_for(the_case, example.collection + std::to_string(example.number));
  nlohmann::ordered_json line{{"collection", example.collection},
                              {"number", example.number},
                              {"variables", problem.nlp.n()},
                              {"rows", problem.nlp.m()},
                              {"engine", the_case.engine->name},
                              {"hessian", name_of(the_case.hessian)},
                              {"status", name_of(report.status)},
                              {"complaint", complaint_about(problem, the_case, report, optima)},
                              {"reason", known ? known->reason : ""},
                              {"objective", report.objective},
                              {"optimum", example.optimum},
                              {"iterations", report.iterations},
                              {"values", count.objective},
                              {"gradients", count.gradient},
                              {"hessians", count.hessian}};
  std::printf("%s\n", line.dump().c_str());
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  bolza::keep_freed_memory();
  std::string_view engine = argc > 1 ? argv[1] : "";
  int number = argc > 2 ? std::stoi(argv[2]) : 0;
  for (const Example& example : examples())
    for (const EngineCase& the_case : cases_for(FormulaNlp(example.formulas).nlp))
      if ((engine.empty() || the_case.engine->name == engine) && (number == 0 || example.number == number))
        print(the_case, example);
}
