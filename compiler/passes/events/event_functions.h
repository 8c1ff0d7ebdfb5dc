// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "compiler/passes/system/function_rows.h"

namespace bolza::passes {

/// In the order of ir::hybrid_functions.
inline constexpr std::array event_function_names{"update", "indicators", "reinit", "initial update", "conditions", "delays"};

/// Does anything happen at events, or is anything watched for?
bool has_events(const System& system);

/// Is it a discrete variable of the model, not a remembered relation?
bool is_discrete_variable(const System& system, VariableId v);

/// What is watched for in one phase of an optimisation problem, where nothing else happens at events: assertions and
/// terminations over its variables, in the first phase also those over none.
EventRows events_of_phase(const System& system, const EventRows& all, std::uint32_t phase);

/// The rows of the functions of the event part, in the order of ir::hybrid_functions.
std::vector<FunctionRows> event_functions(const System& system);

/// Everything of ir::EventPart but its functions.
/// @param shared  the shared inputs        @param inputs  [n_scalars] row of point of every x, z, u and of time
ir::EventPart event_tables(const System& system, const std::vector<VariableId>& shared,
                           const std::vector<std::uint32_t>& inputs);

}  // namespace bolza::passes
