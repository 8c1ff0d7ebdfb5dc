// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "runtime/transcribe/options.h"
#include "runtime/transcribe/shooting/shooting_options.h"
#include "workflow/model.h"
#include "workflow/solve/method/chain.h"
#include "workflow/solve/outcome/outcome.h"
#include "workflow/solver_library.h"

namespace bolza::workflow {

/// The grids of controls that `control-grid` asks for.
void set_control_grid(const driver::Options& options, transcribe::TranscribeOptions& out);

/// What `phase-mesh` and `phase-control` ask for single phases.
void set_phases(const driver::Options& options, transcribe::TranscribeOptions& out);

/// Is single shooting solved with the states at the mesh points as intermediate variables? Not without second derivatives,
/// and not by engines that take no equations.
bool is_lifted(const driver::Options& options, const SolverLibrary& library);

/// What a stage tells shooting besides the transcription.
transcribe::ShootingOptions shooting_options(const driver::Options& options, const SolverLibrary& library);

/// Errors E910: meshes of what is not a phase; grids of what is not a control; condensing without multiple
/// shooting; path constraints that are integrals in some stages only. Warning W910: options of shooting that no stage has a
/// use for.
Result<Done> check_shooting(Model& model, const std::vector<Stage>& stages);

/// The model of path constraints that hold at every time, where they are integrals in `model`; null: they are not.
std::unique_ptr<Model> with_path_constraints(const Model& model);
/// How much is violated, where path constraints are integrals.
void report_mean_violation(const Model& model, abi::Solution& solution);

/// Path constraints that are violated between their samples by more than was asked for.
void warn_of_path_constraints(const driver::Options& options, const abi::Solution& solution, Warnings& warnings);

}  // namespace bolza::workflow
