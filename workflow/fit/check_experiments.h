// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "workflow/fit/fit_problem.h"
#include "workflow/model.h"

namespace bolza::workflow {

/// Warns of what can be simulated and is hardly meant: W942 a start long before the first measurement, W943 an input that
/// nothing gives, W945 experiments between which nothing differs, W946 inputs that are held beyond their times.
/// Requires  `estimation` was assembled from the problem over the model. Cost  the measurements.
void check_experiments(const Model& model, const FitProblem& problem, const estimate::Estimation& estimation,
                       Diagnostics& diagnostics);

}  // namespace bolza::workflow
