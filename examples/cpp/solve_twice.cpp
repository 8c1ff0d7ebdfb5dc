// SPDX-License-Identifier: Apache-2.0
// Two problems solved at the same time: solve_twice FILE.mop. Built by CMakeLists.txt beside it.
#include <bolza/bolza.hpp>
#include <cstdio>
#include <thread>

int main(int argc, char** argv) {
  if (argc != 2) return std::puts("solve_twice FILE.mop"), 2;
  bolza::Job coarse{.file = argv[1], .options = {{"mesh", "40"}}}, fine{.file = argv[1], .method = "gauss"};
  bolza::Run one, other;
  std::thread beside([&] { other = bolza::solve(fine, {.seconds = 60}); });
  one = bolza::solve(coarse, {.seconds = 60});
  beside.join();

  bool all_solved = true;
  for (const bolza::Run* run : {&one, &other}) {
    std::printf("%s: %s\n  objective %.6g +- %.1g\n", run->method.c_str(), run->text.c_str(), run->objective,
                run->objective_error);
    for (const bolza::Warning& warning : run->warnings)
      std::printf("  %s: %s\n", warning.kind.c_str(), warning.text.c_str());
    for (const bolza::Diagnostic& d : run->diagnostics)
      std::printf("  %s:%u: %s [%s]\n", d.file.c_str(), d.line, d.message.c_str(), d.code.c_str());
    for (const auto& [name, trajectory] : run->trajectories)
      if (trajectory.values.size() == run->time.size() && !run->time.empty() && name.find('(') == std::string::npos)
        std::printf("  %s ends at %.4f\n", name.c_str(), trajectory.values.back());
    all_solved = all_solved && run->verdict == bolza::Verdict::solved;
  }
  return all_solved ? 0 : 1;
}
