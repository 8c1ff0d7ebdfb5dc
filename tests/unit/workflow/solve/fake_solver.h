// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "runtime/transcribe/checks/minimum_principle.h"
#include "runtime/transcribe/options.h"
#include "workflow/solve/attempts/retries.h"

namespace bolza::workflow {

/// A problem in the least time with one control, as far as the attempts look at it. Its final time is free and has no guess.
struct Rocket {
  Rocket();
  Rocket(const Rocket&) = delete;
  Rocket& operator=(const Rocket&) = delete;

  bolza_variable control{}, times[2]{};
  bolza_model model{};
  const bolza_model* models[1]{&model};
  std::int32_t of_phase[2]{0, 1};
  bolza_phase phase{};
  bolza_problem problem{};
};

/// One solve that was asked for.
struct AskedSolve {
  std::string what;        ///< as announced, "" the first
  bool bettering = false;  ///< there was a solution
  transcribe::TranscribeOptions options;
  std::string from;  ///< the guess: "none", "simulated", "attempt 2", "end at 10", …
};

/// A solver library that gives prepared answers and writes down what it was asked. Its functions find it by
/// bolza_problem::provider.
struct FakeSolver {
  FakeSolver();
  FakeSolver(const FakeSolver&) = delete;
  FakeSolver& operator=(const FakeSolver&) = delete;

  /// Solves the rocket with retries.
  RetryOutcome climb();
  RetryTask task();

  Rocket rocket;
  SolverLibrary library{};
  std::deque<abi::Solution> endings;  ///< of the solves, in their order; the last one is that of all that follow
  std::vector<AskedSolve> asked;
  std::function<void()> after_solve;  ///< called with every solve, before it ends
  transcribe::TranscribeOptions options;
  std::function<void(RetryTask&)> change;  ///< of the task, before it begins

  bool simulates = true, has_data = false, convex = true;
  bool integrated = false;                                 ///< by shooting: there is no coarse mesh
  double natural = 0;                                      ///< horizon that the equations speak of
  std::deque<transcribe::BetterControls> better_controls;  ///< found one after another
  int simulations = 0;
};

/// What a solve ends with.
struct Ending {
  abi::SolveStatus status = abi::SolveStatus::solved;
  double objective = 1;
  int iterations = 100;
};
abi::Solution ended(const Ending& how);

/// Its solves end with these, one after the other; all that follow with the last one.
void end_so(FakeSolver& fake, const std::vector<abi::SolveStatus>& statuses, int iterations = 10);

/// The names of what was asked, "" as "as it is".
std::vector<std::string> names_of(const std::vector<AskedSolve>& asked);

/// A solve in one line: what was different from `usual`, and the guess.
std::string told(const AskedSolve& one, const transcribe::TranscribeOptions& usual);
std::vector<std::string> told(const std::vector<AskedSolve>& asked, const transcribe::TranscribeOptions& usual);

/// A guess that `told` names.
abi::Solution guess_named(const std::string& name);

}  // namespace bolza::workflow
