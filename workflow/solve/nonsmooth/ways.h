// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>

#include "workflow/solve/nonsmooth/smoothing.h"

namespace bolza::workflow {

/// A problem with what may take the place of its kinks.
struct WaysTask {
  Model& model;
  const SolverLibrary& library;
  Nonsmooth how = Nonsmooth::automatic;
  bool retry = true;        ///< option `retry`
  bool whole = false;       ///< some variables take whole numbers alone
  bool integrated = false;  ///< intervals are integrated: an iteration costs as much as ten of collocation
  const RunStages& run;
  /// All attempts at the problem as it is written but for the first one, which ended so.
  std::function<Result<Done>(const abi::Solution& failed, SolveOutcome& outcome)> rest;
  Budget budget;  ///< nothing more is tried once it has ended
};

/// Solves as it is written, with smooth functions and in modes (docs/solving.md), in the order that needs least: where a
/// problem has kinks and the first attempt fails, other guesses would stall at them, too. So smooth functions come next,
/// each width with one attempt, and the modes that they show; other attempts at the problem as it is written follow where
/// that gives nothing, or a smooth solution only, and then smooth functions with all attempts. Errors  as those of `run`.
Result<Done> solve_in_ways(const WaysTask& task, SolveOutcome& outcome);

}  // namespace bolza::workflow
