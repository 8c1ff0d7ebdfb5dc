// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/transcribe/options.h"
#include "workflow/model.h"
#include "workflow/solver_library.h"

namespace bolza::workflow {

/// The solver library, opened on the first call. Errors E906.
Result<const SolverLibrary*> solver_library(Diagnostics& diagnostics);

/// That the integrator and the engine named by the options exist. Errors E603, E701, at the place where they were named.
Result<Done> check_names(const driver::Options& options, const SolverLibrary& library, Diagnostics& diagnostics);

/// Sets an option of the integrators by its name. Errors E605 with the near match, or with what the option takes.
Result<Done> set_method_option(integrate::MethodOptions& options, const std::string& name, const std::string& value,
                               const SolverLibrary& library, Diagnostics& diagnostics, Span at = {});

/// The prefix of an integrator's options among others: `integrator.fixed_step`.
inline constexpr std::string_view integrator_prefix = "integrator.";

/// Those of the options that are an integrator's. Errors as set_method_option.
Result<integrate::MethodOptions> integrator_options(const driver::Options& options, const SolverLibrary& library,
                                                    Diagnostics& diagnostics);

/// Are the options those of an indirect method: is it Newton's method that solves, and not an engine for programs?
bool is_indirect(const driver::Options& options);

/// Does an indirect method start from costates that are drawn, and not from a direct solution?
bool has_random_costates(const driver::Options& options);

/// Are variables that take integers solved for as Reals?
bool relaxes_integers(const driver::Options& options);

/// Are controls to be solved for in arcs, after a solve in which they are collocated?
bool is_in_arcs(const driver::Options& options);

/// Are the options those of single or multiple shooting?
bool is_shooting(const driver::Options& options);

/// What the transcription gets for a stage: mesh, points, control, tolerance, engine options.
transcribe::TranscribeOptions transcribe_options(const driver::Options& options);

/// "radau, 50 intervals of 3 points, control collocated, ipopt".
std::string describe(const driver::Options& options);

}  // namespace bolza::workflow
