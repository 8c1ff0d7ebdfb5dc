// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>

#include "workflow/model.h"
#include "workflow/solve/outcome/outcome.h"
#include "workflow/solver_library.h"

namespace bolza::workflow {

/// A problem whose model jumps at events (`when h < 0 then reinit(v, -e*pre(v))`), as a sequence of modes: pieces with free
/// times between, each from jump to jump.
struct JumpModes {
  std::unique_ptr<Model> pieces;     ///< the problem to solve; null: there is no such sequence
  std::unique_ptr<Model> simulated;  ///< the model with its events
  abi::Solution guess;               ///< of `pieces`: the simulation
  std::vector<std::string> jumps;    ///< the states that reinits set
};

/// Of a model that could not be loaded as it changes at events only (E421): simulates its guess with events and cuts the
/// horizon where a reinit happens and where relations change sides. What else remembers events (discrete variables that
/// equations read, `sample`, `terminate`) stays refused. Null `pieces`: `refused` tells why, E981 where it has a reinit.
/// Cost  four loads and one simulation.
JumpModes jump_modes(const LoadRequest& request, const Budget& budget, Model& refused);

/// Adds when each reinit happens to `outcome.relations`, and to the log how far the states at the end of a simulation with
/// events, by the controls and parameters found, are from those of the solution.
void tell_jumps(const Model& pieces, JumpModes& modes, SolveOutcome& outcome);

}  // namespace bolza::workflow
