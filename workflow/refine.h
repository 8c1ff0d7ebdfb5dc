#pragma once
#include <functional>

#include "workflow/solve.h"
#include "workflow/solver_library.h"

namespace bolza::workflow {

inline constexpr const char* refine_needs_a_mesh = "`refine` needs a transcription with a mesh, such as `radau`";

/// Refines the mesh of a solved stage: estimates the error of every interval, cuts those above `tol`, solves again from the
/// interpolated solution with its multipliers, until all are below, or the limits of `options` (`max-refinements`,
/// `max-mesh`) are met, which a warning says with the error that is left (W918). `solution` becomes that of the last mesh
/// that was solved.
struct RefineTask {
  Model& model;
  const SolverLibrary& library;
  const driver::Options& options;
  transcribe::TranscribeOptions transcription;                               ///< of the first solve
  std::function<void(const transcribe::TranscribeOptions& round)> announce;  ///< before each round, for progress
};

/// @param iterations  those of all rounds are added
/// Errors  E910 when the method has no mesh whose error could be estimated.
Result<Refinement> refine(RefineTask task, abi::Solution& solution, int& iterations);

}  // namespace bolza::workflow
