// SPDX-License-Identifier: Apache-2.0
// Times simulations one after another in one process: simulation FILE CLASS INTEGRATOR RTOL REPEATS → one JSON object with
// the seconds of the first and of the shortest one, one output at the end.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "runtime/integrate/simulate/simulate.h"
#include "workflow/model.h"
#include "workflow/solve/method/solver.h"

int main(int argc, char** argv) {
  using namespace bolza;
  if (argc < 6) {
    std::fprintf(stderr, "usage: simulation FILE CLASS INTEGRATOR RTOL REPEATS\n");
    return 2;
  }
  workflow::Model model;
  auto library = workflow::solver_library(model.diagnostics);
  workflow::LoadRequest request{.file = argv[1], .class_name = argv[2], .library_paths = {}};
  if (!library || !model.load(request) || !model.compile({.calls = codegen::Calls::one})) {
    for (const Diagnostic& d : model.diagnostics.all()) std::fputs(render(d, model.sources).c_str(), stderr);
    return 2;
  }
  integrate::SimulateOptions options;
  options.method = argv[3];
  options.rtol = std::atof(argv[4]);
  options.intervals = 1;
  double first = 0, best = 1e300;
  std::size_t steps = 0;
  for (int k = 0; k < std::max(1, std::atoi(argv[5])); ++k) {
    integrate::Simulation run = (*library)->simulate(model.abi(), 0, options);
    if (!run.report.finished()) {
      std::fprintf(stderr, "%s\n", run.report.message.c_str());
      return 1;
    }
    if (k == 0) first = run.report.seconds;
    best = std::min(best, run.report.seconds);
    steps = run.report.steps;
  }
  std::printf("{\"first\": %.9g, \"best\": %.9g, \"steps\": %zu}\n", first, best, steps);
  return 0;
}
