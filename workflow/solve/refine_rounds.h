#pragma once
#include <vector>

#include "workflow/solve/refine.h"

// What the rounds of a refinement and those of `refine_by_default` share.
namespace bolza::workflow {

/// The options of a task on meshes of its phases.
transcribe::TranscribeOptions on_meshes(const RefineTask& task, std::vector<std::vector<double>> meshes);

/// Solves on other meshes, from a solution with its multipliers.
/// @param seconds  at most; 0: no limit
abi::Solution solve_on(const RefineTask& task, std::vector<std::vector<double>> meshes, double barrier, double seconds,
                       const abi::Solution& from);

/// What is kept of an interrupted refinement is the last mesh, and says that it was interrupted.
void keep_interrupt(const abi::Solution& finer, abi::Solution& kept);

/// What a refinement tells of a solution whose mesh has that error.
void take_error(const transcribe::MeshError& error, const abi::Solution& solution, Refinement& r);

}  // namespace bolza::workflow
