// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "workflow/model.h"
#include "workflow/solve/outcome/outcome.h"

namespace bolza::workflow {

/// The report of a solve: status, verdict, class, objective, iterations, variables, constraints, start_time, final_time,
/// parameters (free ones), final (variable → value at the end), timing (seconds), warnings (kind, text, remedy, name, time),
/// checks, findings, files. Numbers that are not finite become null.
nlohmann::json report_json(const Model& model, const SolveOutcome& outcome);

/// Every nonlinear program under `solves`, the rest under `parts`, s.
void add_timing(const Timing& timing, nlohmann::json& to);

nlohmann::json warning_json(const Warning& warning);
nlohmann::json to_json(const std::map<std::string, double>& values);

/// What variables were divided by, by their names; those of several phases under the names of these.
nlohmann::json sizes_json(const bolza_problem& problem, const abi::Solution& solution);

}  // namespace bolza::workflow
