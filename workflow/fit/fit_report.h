// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "runtime/result/fit_page.h"
#include "workflow/fit/fit.h"

namespace bolza::workflow {

/// The page of a fit: verdict, parameters with intervals, data beside curves and bands, residuals, correlations, tests.
result::FitPage fit_page(const Model& model, const FitOutcome& outcome);

/// What the fit says about parameters and data, for the report in JSON; null where it is not known.
nlohmann::json statistics_json(const FitOutcome& outcome);

/// Every measurement with what was simulated: a .csv table that `bolza fit --data` reads again.
std::string fitted_table(const FitOutcome& outcome);

/// Sentences on what the residuals look like where something is wrong with them: outliers, χ², normality, autocorrelation.
std::vector<std::string> doubts_of(const FitOutcome& outcome);

/// What a plan of sampling times is worth, and "runs at 0.5, 2.1; …". Requires  a plan.
std::string plan_text(const FitOutcome& outcome);
std::string plan_times_text(const FitOutcome& outcome);

}  // namespace bolza::workflow
