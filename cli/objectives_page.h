// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/arguments.h"
#include "workflow/solve/several/front.h"

namespace bolza::cli {

/// "solved, with doubts, knee".
std::string verdict(const workflow::ObjectivePoint& point);

/// The points as a table: objectives, iterations, time, verdict.
void print_points(const workflow::Objectives& objectives, const workflow::ObjectivesOutcome& outcome);

/// The same for `--json`.
nlohmann::json points_json(const workflow::Objectives& objectives, const workflow::ObjectivesOutcome& outcome);

/// The same as .csv text, with free parameters and final values.
std::string points_csv(const workflow::Objectives& objectives, const workflow::ObjectivesOutcome& outcome);

}  // namespace bolza::cli
