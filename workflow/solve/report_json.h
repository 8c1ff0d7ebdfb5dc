// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json.hpp>

#include "workflow/solve/solve.h"

namespace bolza::workflow {

/// The report of a solve: status, class, objective, iterations, variables, constraints, start_time, final_time, parameters
/// (free ones), final (variable → value at the end), timing (seconds), checks, findings, files. Numbers that are not finite
/// become null.
nlohmann::json report_json(const Model& model, const SolveOutcome& outcome);

/// What variables were divided by, by their names; those of several phases under the names of these.
nlohmann::json sizes_json(const bolza_problem& problem, const abi::Solution& solution);

}  // namespace bolza::workflow
