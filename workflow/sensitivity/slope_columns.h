// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "runtime/result/table.h"
#include "workflow/model.h"
#include "workflow/solve/outcome/sensitivity.h"

namespace bolza::workflow {

/// The response of one variable to one parameter: "d(x)/d(p)".
struct SlopeColumn {
  std::string name;
  const std::vector<double>* values = nullptr;  ///< at the samples of `OptimumSensitivity::solution`
};

/// Those of a phase: states, algebraic variables, controls. Empty where nothing is known.
std::vector<SlopeColumn> slope_columns(const bolza_problem& problem, std::size_t phase, const ParameterSlope& parameter);

/// Adds them to the table of a phase, at its own times: where these are others, linear between.
void add_slopes(const bolza_problem& problem, std::size_t phase, const OptimumSensitivity& sensitivity,
                result::ResultTable& table);

}  // namespace bolza::workflow
