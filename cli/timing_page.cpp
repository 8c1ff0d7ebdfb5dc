// SPDX-License-Identifier: Apache-2.0
#include "cli/timing_page.h"

#include <cstdio>

#include "runtime/abi/solution.h"

namespace bolza::cli {

void print_timing(const workflow::Timing& timing) {
  std::printf(
      "  nonlinear programs: intervals, iterations, end; seconds (evaluation, analysis, factorisation, back-solves)\n");
  for (const workflow::SolveNote& s : timing.solves)
    std::printf("    %4zu %5d %-18s %8.3f (%.3f, %.3f, %.3f, %.3f)  %s\n", s.intervals, s.iterations, abi::name_of(s.status),
                s.seconds, s.seconds_evaluation, s.seconds_analysis, s.seconds_factorisation, s.seconds_back_solve,
                s.what.c_str());
  for (const auto& [name, seconds] : timing.parts) std::printf("    %-20s %8.3f s\n", name.c_str(), seconds);
}

}  // namespace bolza::cli
