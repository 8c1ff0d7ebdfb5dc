// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <vector>

#include "runtime/result/table.h"
#include "workflow/simulate/simulate.h"
#include "workflow/solver_library.h"

namespace bolza::workflow {

/// The part of a simulation that was integrated with one choice of states.
struct SelectionRun {
  integrate::Simulation simulation;
  result::ResultTable table;  ///< in the model's names
};

/// Integrates the model. Where the choice of states becomes singular the model is compiled once more, with states that are
/// good there (LoadRequest::point), and the simulation goes on from that point; repeated as often as needed. The implicit
/// forms begin at a consistent point of the explicit one.
///
/// @param options  of the whole simulation; output times are given to each run as far as it goes
/// Counters of the last report are those of all runs. Errors  of the input only (the model was loaded before).
/// Cost  besides the integration one compilation per new choice; a choice that was made before is not compiled again.
Result<std::vector<SelectionRun>> simulate_selecting_states(Model& model, const SolverLibrary& library,
                                                            integrate::SimulateOptions options);

/// The runs one after another. Variables are those of the first; where a run ends and the next begins the time stands once.
result::ResultTable joined(std::vector<SelectionRun>& runs);

}  // namespace bolza::workflow
