// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "base/budget.h"
#include "compiler/driver/option_table.h"
#include "runtime/transcribe/options.h"
#include "runtime/transcribe/shooting/shooting_options.h"
#include "workflow/model.h"
#include "workflow/solve/outcome/outcome.h"
#include "workflow/solver_library.h"

namespace bolza::workflow {

/// A stage by Pontryagin's conditions: from the solution of a direct method with costates.
struct IndirectTask {
  Model& model;
  const SolverLibrary& library;
  const driver::Options& options;
  transcribe::TranscribeOptions transcription;
  transcribe::ShootingOptions shooting;
  const abi::Solution& direct;
};

/// What a stage by Pontryagin's conditions found: a solution of the model, whose log has what H varies by, and its arcs.
struct IndirectOutcome {
  abi::Solution solution;
  std::vector<ArcOfOptimum> arcs;
  SolutionBranch branch;   ///< with the option `continue`; the solution is that of its last point
  bool has_roots = false;  ///< the conditions were solved, whether or not the solution contradicts what was assumed
};

/// Derives the conditions of the arcs that the direct solution shows, solves them as a boundary value problem by the
/// transcription and the integrator of the options, and looks whether what was assumed holds: the signs of ∂H/∂u at bounds,
/// of multipliers, the generalised Legendre-Clebsch condition on singular arcs, limits that were left out, the order of the
/// switching times. A finding says what was assumed and what contradicts it; the status is then `failed`. Where all that is
/// against them is that a control passes through values between its bounds at a switch, these arcs are put in (see
/// with_passing_arcs) and solved.
/// With the option `continue` the branch of solutions is followed in a parameter from there.
/// Conditions of these arcs that cannot be derived are a finding, too.     Errors  E498 where there are none for the model
/// at all, such as with events; E926 where the option `arcs` cannot be read; E927 where the parameter of `continue` is none.
Result<IndirectOutcome> solve_indirect(const IndirectTask& task);

}  // namespace bolza::workflow
