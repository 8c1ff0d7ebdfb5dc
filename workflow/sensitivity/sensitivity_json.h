// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "workflow/model.h"
#include "workflow/solve/outcome/sensitivity.h"

namespace bolza::workflow {

/// [{"parameter", "unit", "value", "slope", …}] by parameters; with trajectories "range", "range_ends" (what changes there),
/// "times" (derivatives of free parameters and times), and "trajectories": {"time", "d(x)/d(p)", …}, of several phases a
/// list.
nlohmann::json sensitivity_json(const bolza_problem& problem, const OptimumSensitivity& sensitivity);

}  // namespace bolza::workflow
