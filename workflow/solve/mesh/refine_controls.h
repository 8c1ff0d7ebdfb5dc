// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>

#include "runtime/transcribe/shooting/shooting_options.h"
#include "workflow/solve/mesh/refine.h"

namespace bolza::workflow {

/// A refinement of the grids on which controls have their values in shooting.
struct ControlTask {
  bolza_problem& problem;
  const SolverLibrary& library;
  transcribe::TranscribeOptions transcription;  ///< of the first solve
  transcribe::ShootingOptions shooting;
  std::function<abi::Solution(const transcribe::TranscribeOptions& round, const abi::Solution& from)> solve;
  double tol = default_accuracy;  ///< of the objective, relative to it
  int max_rounds = 12;
  std::size_t max_intervals = 1000;  ///< of all controls of a phase
  double max_work = 0;               ///< iterations × intervals of all rounds, after which none begins; 0: no limit
};

/// Refines a solved stage of single or multiple shooting: estimates what every interval costs, cuts those that cost most,
/// at switches where there are some, solves again, until the error of the objective is below `tol` or a limit is met.
/// `solution` becomes that of the last grids that were solved. `known` = false: the error could not be estimated.
/// @param iterations  those of all rounds are added
Refinement refine_controls(const ControlTask& task, abi::Solution& solution, int& iterations);

}  // namespace bolza::workflow
