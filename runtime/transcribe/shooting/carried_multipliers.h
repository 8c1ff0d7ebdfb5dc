// SPDX-License-Identifier: Apache-2.0
// Multipliers of shooting along the horizon: what the next stage of a chain starts with, and what it starts from.
#pragma once
#include "runtime/nlp/nlp.h"
#include "runtime/transcribe/shooting/nodes_internal.h"

namespace bolza::transcribe {

/// The multipliers of an iterate along the horizon of a phase; fixed variables are left out. Empty when it has none. Cost
/// linear.
abi::PhaseMultipliers multipliers_along(const ShootingNodes& nodes, const ShootingPhase& phase, const nlp::Iterate& iterate);

/// Multipliers at the NLP's start from a solution by any method on any mesh: of defects its costates, of rows and bounds
/// what falls on the stretch that each stands for, of integrals that are variables by stationarity. Empty when the solution
/// lacks some of them, and with delays.
/// @param functions  of the nodes' NLP: differentiated once, where integrals are variables
/// @param engine     with its barrier the iterate is centred (nlp/centred.h)
nlp::Iterate carried_multipliers(const ShootingNodes& nodes, nlp::Functions& functions, const abi::Solution& from,
                                 const nlp::EngineOptions& engine);

}  // namespace bolza::transcribe
