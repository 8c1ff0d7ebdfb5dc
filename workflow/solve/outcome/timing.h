// SPDX-License-Identifier: Apache-2.0
// Where the time of a solve goes.
#pragma once
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "runtime/abi/solution.h"

namespace bolza::workflow {

/// One nonlinear program that was solved: of an attempt, a search, a round of a refinement, a stage.
struct SolveNote {
  std::string what;  ///< "radau 50, perturbed guess"
  std::size_t intervals = 0, variables = 0, constraints = 0;
  int iterations = 0;
  abi::SolveStatus status = abi::SolveStatus::failed;
  double objective = 0;
  double seconds = 0;                                                              ///< transcription included
  double seconds_evaluation = 0;                                                   ///< of functions and derivatives
  double seconds_analysis = 0, seconds_factorisation = 0, seconds_back_solve = 0;  ///< of linear systems; 0: not known
};

/// What was done for a solve, in its order, and what the rest of it took.
struct Timing {
  std::vector<SolveNote> solves;
  std::vector<std::pair<std::string, double>> parts;  ///< what, s: "mesh error", "re-simulation"

  /// Adds to a part, which is made where it is not there.
  void add(const std::string& part, double seconds);
};

/// Calls and adds what it took to a part, where anyone wants to know.
template <class Call>
auto timed(Timing* timing, const char* part, Call call) {
  auto began = Clock::now();
  auto result = call();
  if (timing) timing->add(part, seconds_since(began));
  return result;
}

SolveNote note_of(std::string what, const abi::Solution& solution);

}  // namespace bolza::workflow
