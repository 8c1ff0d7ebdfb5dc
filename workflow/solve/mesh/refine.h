// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>

#include "runtime/transcribe/options.h"
#include "workflow/solve/mesh/time_mesh.h"
#include "workflow/solve/outcome/outcome.h"
#include "workflow/solver_library.h"

namespace bolza::workflow {

inline constexpr const char* refine_needs_controls =
    "`refine` makes the grids of controls finer that shooting has: there are none that are real numbers, or what they cost "
    "could not be estimated";
inline constexpr const char* refine_needs_a_mesh = "`refine` needs a transcription with a mesh, such as `radau`";

/// A mesh refinement: estimates the error of every interval, cuts those above `tol`, solves again from the interpolated
/// solution with its multipliers, until all are below or a limit is met.
struct RefineTask {
  bolza_problem& problem;
  const SolverLibrary& library;
  transcribe::TranscribeOptions transcription;                               ///< of the first solve
  std::function<void(const transcribe::TranscribeOptions& round)> announce;  ///< before each round, for progress
  double tol = default_accuracy;
  double tol_objective = 0;  ///< of the objective, relative, by a few rounds more; 0: is not looked at
  int max_rounds = 12;
  std::size_t max_intervals = 1000;
  bool until_stuck = false;  ///< ends where the error does not fall, too
  double max_work = 0;       ///< iterations × intervals of all rounds, after which none begins; 0: no limit
  Timing* timing = nullptr;
  TimeMesh* times = nullptr;  ///< features of time, which meshes get as points where they lack them; null: none
};

/// Refines a solved stage. `solution` becomes that of the last mesh that was solved. A method without a mesh whose error
/// could be estimated gives `known` = false.
/// @param iterations  those of all rounds are added
Refinement refine(const RefineTask& task, abi::Solution& solution, int& iterations);

/// What default options do with a solution: `refine` to `default_accuracy`; where that does not help, because collocated
/// controls oscillate between the points, the same mesh with one control value per interval, refined, if its error is
/// smaller.
Refinement refine_by_default(const RefineTask& task, abi::Solution& solution, int& iterations);

}  // namespace bolza::workflow
