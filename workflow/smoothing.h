#pragma once
#include "workflow/solve.h"
#include "workflow/solver_library.h"

namespace bolza::workflow {

/// Where the model was loaded with LoadRequest::smooth: loads it once more with the relations as written, integrates that
/// with the solution's controls, parameters and initial states, and adds the largest deviation of a state to the solution's
/// log ("state deviation with the relations as written", relative to nominal or largest values). A model whose states cannot
/// be compared, or a simulation that stops, is said in the log too. Cost  one compilation and one simulation.
void report_smoothing(const Model& model, const SolverLibrary& library, abi::Solution& solution);

}  // namespace bolza::workflow
