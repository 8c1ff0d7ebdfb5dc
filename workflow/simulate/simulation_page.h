// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/result/table.h"
#include "workflow/simulate/simulate.h"

namespace bolza::workflow {

/// The page of a simulation: how it ran and how it ended, its trajectories, final values, parameters.
/// @param table  what was written as its result
std::string simulation_page(const std::string& class_name, const SimulateOutcome& outcome, const result::ResultTable& table);

}  // namespace bolza::workflow
