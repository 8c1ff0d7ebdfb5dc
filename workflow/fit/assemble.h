// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "workflow/fit/fit_problem.h"
#include "workflow/model.h"

namespace bolza::workflow {

/// What the experiment of a measurement is called.
std::string experiment_name(const FitMeasurement& measurement);

/// The estimation over the compiled model.
/// Requires  `model` was loaded by `fit_request` of the problem, and compiled.
/// Errors  E938 a parameter on which the structure depends, E942 times.
Result<estimate::Estimation> assemble(const Model& model, const FitProblem& problem, Diagnostics& diagnostics);

}  // namespace bolza::workflow
