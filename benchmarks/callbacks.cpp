// SPDX-License-Identifier: Apache-2.0
// Times the callbacks that an NLP engine calls: callbacks FILE CLASS INTERVALS [NAME=VALUE …] → one JSON object with
// nanoseconds per mesh interval, gather and carrying to the matrix entries included. 3 Radau points, controls constant.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "runtime/transcribe/collocation/transcription.h"
#include "workflow/model.h"

namespace {

using namespace bolza;
using Clock = std::chrono::steady_clock;

/// Best of seven rounds of at least 20 ms, in nanoseconds per interval.
template <class Callback>
double nanoseconds(std::size_t intervals, Callback&& callback) {
  double best = 1e99;
  for (int round = 0; round < 7; ++round) {
    int calls = 0;
    auto began = Clock::now();
    double seconds = 0;
    while (seconds < 0.02) {
      callback();
      ++calls;
      seconds = std::chrono::duration<double>(Clock::now() - began).count();
    }
    best = std::min(best, seconds / calls);
  }
  return best * 1e9 / static_cast<double>(intervals);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: callbacks FILE CLASS INTERVALS [NAME=VALUE ...]\n");
    return 2;
  }
  workflow::Model model;
  workflow::LoadRequest request{.file = argv[1], .class_name = argv[2], .library_paths = {}};
  for (int k = 4; k < argc; ++k) request.settings.emplace_back(argv[k]);
  if (!model.load(request) || !model.compile({.expected_evaluations = 1e9})) {
    for (const Diagnostic& d : model.diagnostics.all()) std::fputs(render(d, model.sources).c_str(), stderr);
    return 2;
  }
  auto n = static_cast<std::size_t>(std::atol(argv[3]));
  transcribe::TranscribeOptions options;
  options.mesh = static_cast<std::uint32_t>(n);
  options.control_constant = true;
  abi::Finding error;
  // The tables are the model's own; a transcription compiles further kernels into them.
  auto problem = transcribe::transcribe(const_cast<bolza_problem&>(model.abi()), options, nullptr, error);
  if (!problem) {
    std::fprintf(stderr, "%s\n", error.text.c_str());
    return 1;
  }
  nlp::Functions& f = *problem->evaluator;
  const std::vector<double>& w = problem->nlp.start;
  std::vector<double> multipliers(problem->nlp.row_lower.size(), 0.5);
  double objective = 0;
  double move = nanoseconds(n, [&] { f.move_to(w); });
  double value = nanoseconds(n, [&] {
    f.move_to(w);
    f.objective(objective);
    f.constraints();
  });
  double jacobian = nanoseconds(n, [&] {
    f.move_to(w);
    f.jacobian();
  });
  double hessian = nanoseconds(n, [&] { f.hessian(1, multipliers); });
  std::printf(
      "{\"intervals\": %zu, \"variables\": %zu, \"jacobian_entries\": %zu, \"hessian_entries\": %zu, \"move_ns\": %.1f, "
      "\"value_ns\": %.1f, \"jacobian_ns\": %.1f, \"hessian_ns\": %.1f}\n",
      n, w.size(), problem->nlp.jacobian.size(), problem->plan.hessian.size(), move, value, jacobian, hessian);
  return 0;
}
