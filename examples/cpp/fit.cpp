// SPDX-License-Identifier: Apache-2.0
// Parameters estimated from measurements: fit MODEL.mo DATA.csv PARAMETER … Built by CMakeLists.txt beside it.
#include <bolza/bolza.hpp>
#include <cstdio>

int main(int argc, char** argv) {
  if (argc < 4) return std::puts("fit MODEL.mo DATA.csv PARAMETER ..."), 2;
  bolza::FitJob job;
  job.file = argv[1];
  job.data = {argv[2]};
  job.free.assign(argv + 3, argv + argc);
  bolza::Run run = bolza::fit(job, {.seconds = 60});
  for (const bolza::Diagnostic& d : run.diagnostics) std::printf("%s:%u: %s\n", d.file.c_str(), d.line, d.message.c_str());
  std::printf("%s: -log likelihood %.6g\n", run.text.c_str(), run.objective);
  for (const auto& [name, value] : run.parameters) {
    bolza::Interval within = run.intervals.at(name);
    std::printf("  %s = %.5g, in [%.5g, %.5g]\n", name.c_str(), value, within.lower, within.upper);
  }
  return run.verdict == bolza::Verdict::solved ? 0 : 1;
}
