// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/result/fit_page.h"
#include "workflow/fit/fit.h"

namespace bolza::workflow {

/// Adds data next to curves with their bands, one chart for an observable in an experiment, the residuals, profiles of
/// parameters and the waterfall of many starts to a page.
void add_charts(const FitOutcome& outcome, result::FitPage& page);

}  // namespace bolza::workflow
