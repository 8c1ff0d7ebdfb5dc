// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "workflow/solve/mesh/refine.h"

// What the rounds of a refinement and those of `refine_by_default` share.
namespace bolza::workflow {

inline constexpr const char* error_does_not_fall = "the error does not fall";

/// The options of a task on meshes of its phases.
transcribe::TranscribeOptions on_meshes(const RefineTask& task, std::vector<std::vector<double>> meshes);

/// Solves on other meshes, from a solution with its multipliers.
/// @param seconds  at most; 0: no limit
abi::Solution solve_on(const RefineTask& task, std::vector<std::vector<double>> meshes, double barrier,
                       const abi::Solution& from);

/// Says that a refinement was ended, where an interrupt or the limit of time ended one of its solves.
void note_end(const abi::Solution& finer, Refinement& r);

/// What a refinement tells of a solution whose mesh has that error.
void take_error(const transcribe::MeshError& error, const abi::Solution& solution, Refinement& r);

}  // namespace bolza::workflow
