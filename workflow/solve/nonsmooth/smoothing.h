// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>

#include "workflow/model.h"
#include "workflow/solve/attempts/retries.h"
#include "workflow/solve/outcome/outcome.h"
#include "workflow/solver_library.h"

namespace bolza::workflow {

/// Where the model was loaded with LoadRequest::smooth: loads it once more with the relations as written, integrates that
/// with the solution's controls, parameters and initial states, and adds the largest deviation of a state to the solution's
/// log ("state deviation with the relations as written", relative to nominal or largest values). A model whose states cannot
/// be compared, or a simulation that stops, is said in the log too. Cost  one compilation and one simulation.
void report_smoothing(const Model& model, const SolverLibrary& library, abi::Solution& solution);

/// Whether the solver differentiates something that is not smooth: a relation, abs, min, max, floor, ….
bool has_kinks(const ir::Problem& problem);

/// Components whose tables of straight lines the solver differentiates by what varies other than time: at their points there
/// is no derivative.
std::vector<std::string> kinked_tables(const ir::Problem& problem);

/// Whether the solver differentiates a square root of a sum of squares, which it cannot where they are zero.
bool has_norms(const ir::Problem& problem);

/// Whether equations jump with what varies. Derivatives of what is written leave out what moving a jump would do, so that a
/// solution in which one is crossed need not be a stationary point, however fine the mesh is.
bool has_jumps(const ir::Problem& problem);

/// Runs the stages of a solve with another model, from a guess or none.
using RunStages =
    std::function<Result<Done>(Model& model, const abi::Solution* guess, Effort effort, SolveOutcome& outcome)>;

/// Whether a relation compares time with a free parameter or a free final time, and nothing else: it is differentiated as a
/// constant (W412).
bool has_free_switch(const ir::Problem& problem);

/// Tries a problem once more with smooth functions in the place of what is not (LoadRequest::smooth), each time from the
/// solution of the width before: one with kinks or norms that was not solved, with widths 0.1, 0.01, … 1e-4; one with a free
/// switch, solved or not, with widths 0.1, 0.01 and 0.001 of the horizon. Where one was solved `outcome` becomes that of the
/// narrowest, with a warning that says so, on the mesh of its first solve. Cost  a compilation and a solve for each width.
/// @param asked  it was asked for: also what was solved as it is written
/// @param effort  of each width
/// @return the width of the outcome; 0: it stays what it was
double solve_smoothed(const Model& model, const RunStages& run, bool asked, Effort effort, SolveOutcome& outcome);

/// What default options do with the mesh of a smooth solution.
void refine_smoothed(const Model& model, const RunStages& run, double width, SolveOutcome& outcome);

/// Names tables of straight lines (W922) where they may be why a problem is not solved as it is written.
void name_kinked_tables(Model& model, const SolveOutcome& outcome);

}  // namespace bolza::workflow
