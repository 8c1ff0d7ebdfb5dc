// SPDX-License-Identifier: Apache-2.0
// What two objectives cost each other, and a plan that holds in all scenarios:
// front FRONT.mop FIRST,SECOND BATCH.mop SCENARIOS.csv. Built by CMakeLists.txt beside it.
#include <bolza/bolza.hpp>
#include <cstdio>

int main(int argc, char** argv) {
  if (argc < 5) return std::puts("front FRONT.mop FIRST,SECOND BATCH.mop SCENARIOS.csv"), 2;
  bolza::Run front = bolza::solve({.file = argv[1], .objectives = argv[2], .front_points = 3});
  for (const bolza::Diagnostic& d : front.diagnostics) std::printf("%s:%u: %s\n", d.file.c_str(), d.line, d.message.c_str());
  for (const bolza::Point& point : front.points) {
    std::printf("%s (%s):", point.name.c_str(), point.status.c_str());
    for (const auto& [name, value] : point.objectives) std::printf("  %s = %.5g", name.c_str(), value);
    std::puts(point.knee ? "  knee" : "");
  }
  bolza::Run robust = bolza::solve({.file = argv[3], .scenarios = {.table = argv[4], .risk = "worst"}});
  std::printf("worst case: %s, objective %.6g\n", robust.text.c_str(), robust.objective);
  return front.verdict == bolza::Verdict::solved && robust.verdict == bolza::Verdict::solved ? 0 : 1;
}
